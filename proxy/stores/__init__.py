"""What the proxy remembers between runs: each store a small protocol, its makers beside it."""
