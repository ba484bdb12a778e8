"""What goes wrong beside Winnow, one fault at a time, and what a reader gets then."""
