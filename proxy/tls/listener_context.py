"""Server-side TLS contexts from certificates and keys in PEM."""

from __future__ import annotations

import os
import ssl
from pathlib import Path


def listener_context(certificate: Path, key: Path | None, *, http2: bool) -> ssl.SSLContext:
    """The context of the proxy's own listener; ``http2``: ALPN offers that before HTTP/1.1.

    Raises OSError (ssl.SSLError is one) if the files cannot be used.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_alpn_protocols(["h2", "http/1.1"] if http2 else ["http/1.1"])
    context.load_cert_chain(certificate, key)
    return context


def server_context(chain: bytes, *, http2: bool = False) -> ssl.SSLContext:
    """A context from key and certificates in memory.

    OpenSSL loads files only: an anonymous one in memory keeps the key off the disk.
    """
    with os.fdopen(os.memfd_create("winnow-leaf", os.MFD_CLOEXEC), "wb") as file:
        file.write(chain)
        file.flush()
        return listener_context(Path(f"/proc/self/fd/{file.fileno()}"), None, http2=http2)
