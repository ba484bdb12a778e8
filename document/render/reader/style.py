"""The reader page's stylesheet, and the policy that stands in the page."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

STYLE: Final = files(__package__).joinpath("reader.css").read_text("utf-8").strip()

NO_SCRIPT: Final = "script-src 'none'; object-src 'none'; frame-src 'none'; base-uri 'none'"
"""The policy in every reader page; the proxy's header says more."""
