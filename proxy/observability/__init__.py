"""What the proxy tells of its work: events, and who observes them."""
