"""Features of Winnow, each one folder: its pages, jobs, stores and texts."""
