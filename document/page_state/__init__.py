"""The text that a page's scripts would show, where the page carries it as data."""
