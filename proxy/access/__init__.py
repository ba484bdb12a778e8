"""Who may use the proxy, and what it connects to for them."""
