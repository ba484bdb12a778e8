"""Server-side TLS contexts from certificates and keys in PEM."""

from __future__ import annotations

import os
import ssl
from pathlib import Path


def listener_context(certificate: Path, key: Path | None) -> ssl.SSLContext:
    """The context of the proxy's own listener; ALPN offers http/1.1 only.

    Raises OSError (ssl.SSLError is one) if the files cannot be used.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_alpn_protocols(["http/1.1"])
    context.load_cert_chain(certificate, key)
    return context


def server_context(chain: bytes) -> ssl.SSLContext:
    """A context from key and certificates in memory.

    OpenSSL loads files only: an anonymous one in memory keeps the key off the disk.
    """
    with os.fdopen(os.memfd_create("winnow-leaf", os.MFD_CLOEXEC), "wb") as file:
        file.write(chain)
        file.flush()
        return listener_context(Path(f"/proc/self/fd/{file.fileno()}"), None)
