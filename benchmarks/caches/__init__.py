"""How well a cache keeps HTTP's rules, by a published set of cases; ours beside Squid."""
