"""What of a page's structure and facts is still in what a reader gets."""
