"""Several pages in one: books and feeds."""
