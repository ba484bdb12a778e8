"""Several processes that answer on one port as if they were one."""
