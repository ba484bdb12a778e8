"""SOCKS5, in and out."""
