"""``auto``: a learned classifier of blocks, and what trains, runs and explains it."""
