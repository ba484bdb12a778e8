"""Contexts of TLS servers from certificates at hand; makes no certificate."""

from __future__ import annotations

import os
import ssl
from pathlib import Path


def listener_context(certificate: Path, key: Path | None) -> ssl.SSLContext:
    """What the proxy itself shows where it listens with TLS.

    Raises OSError (of which ssl.SSLError is one) if the files cannot be used.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_alpn_protocols(["http/1.1"])
    context.load_cert_chain(certificate, key)
    return context


def server_context(chain: bytes) -> ssl.SSLContext:
    """A server's context from key and certificates in PEM; ALPN offers http/1.1 only.

    OpenSSL loads files only: this one is in memory, so that no key is on a disk, full or not.
    """
    with os.fdopen(os.memfd_create("winnow-leaf", os.MFD_CLOEXEC), "wb") as file:
        file.write(chain)
        file.flush()
        return listener_context(Path(f"/proc/self/fd/{file.fileno()}"), None)
