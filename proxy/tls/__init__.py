"""TLS on the client's side: the local authority, its leaf certificates, what a ClientHello says."""
