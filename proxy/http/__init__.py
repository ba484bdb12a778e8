"""The syntax of HTTP/1 messages as pure functions: heads as bytes, numbers as bounded values."""
