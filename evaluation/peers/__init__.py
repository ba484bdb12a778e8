"""Other people's extractors, each in an environment and a process of its own."""
