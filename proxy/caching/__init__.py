"""What is kept of origins' replies (RFC 9111) and of renderings; two caches, apart."""
