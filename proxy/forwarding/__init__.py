"""One proxied transaction: fetched, buffered where it may be a page, transformed, sent."""
