"""Pages of wcxb-dev annotated anew by two annotators: what any figure on them is read against."""
