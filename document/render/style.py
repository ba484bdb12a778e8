"""The reader page's stylesheet and the CSP source that allows it."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from typing import Final

STYLE: Final = files("winnow.document.render").joinpath("reader.css").read_text("utf-8").strip()

STYLE_SOURCE: Final = f"'sha256-{b64encode(sha256(STYLE.encode()).digest()).decode()}'"
"""For a Content-Security-Policy's ``style-src`` (CSP level 3, section 6.7.2.3)."""

NO_SCRIPT: Final = "script-src 'none'; object-src 'none'; frame-src 'none'; base-uri 'none'"
"""The policy in every reader page; the proxy's header says more."""
