"""What a request asks to be done with a page."""

from __future__ import annotations

from enum import StrEnum


class RequestMode(StrEnum):
    """``auto``: decided by the rest of the request; the others are explicit."""

    AUTO = "auto"
    EXTRACT = "extract"
    TIDY = "tidy"
    ORIGINAL = "original"
