"""HTTP/2 (RFC 9113) over one connection, in either role: streams, flow control, header fields."""
