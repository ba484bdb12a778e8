"""What the proxy learns from the pages of a site while it serves them."""
