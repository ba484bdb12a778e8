"""What a program needs in its environment to read by Winnow, as lines for a shell."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from pathlib import Path
from shlex import quote
from typing import Final

from winnow.proxy.stores.files import write_private

BUNDLE: Final = "agent-ca.pem"
READABLE: Final = 0o644
_PROXY: Final = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")
_BUNDLES: Final = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO")
"""OpenSSL's (Python, Ruby), requests', curl's and Git's: each replaces the system's authorities."""
_ADDED: Final = "NODE_EXTRA_CA_CERTS"
"""Node's: it adds to those that Node brings."""


def variables(proxy: str, certificate: Path, bundle: Path) -> Mapping[str, str]:
    """The variables by name; ``certificate`` is Winnow's alone, ``bundle`` has the system's too."""
    return {
        **dict.fromkeys(_PROXY, proxy),
        "no_proxy": "localhost,127.0.0.1,::1",
        _ADDED: str(certificate),
        **dict.fromkeys(_BUNDLES, str(bundle)),
    }


def exported(found: Mapping[str, str]) -> str:
    """Lines that set variables in a POSIX shell."""
    return "".join(f"export {name}={quote(value)}\n" for name, value in found.items())


def unset(found: Mapping[str, str]) -> str:
    """The line that takes them back."""
    return f"unset {' '.join(found)}\n"


def write_bundle(bundle: Path, own: bytes) -> None:
    """The system's authorities and our own in one file. Raises OSError."""
    paths = ssl.get_default_verify_paths()
    system = Path(paths.cafile) if paths.cafile else None
    theirs = system.read_bytes() if system is not None and system.is_file() else b""
    write_private(bundle, theirs.rstrip(b"\n") + b"\n" * bool(theirs) + own, READABLE)
