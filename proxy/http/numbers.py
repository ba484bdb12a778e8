"""Numbers as clients and origins write them: bounded, so that their digits cannot be endless."""

from __future__ import annotations

import re
from typing import Final

LARGEST: Final = 2**31
"""What any larger number counts as where nothing else is said (RFC 9111, section 1.2.2)."""
_DIGITS: Final = re.compile(r"0*([0-9]+)\Z")


def number(text: str, largest: int = LARGEST) -> int | None:
    """The value of ASCII digits alone; one above ``largest`` counts as ``largest``.

    None for anything else: a sign, a blank, another script's digits, nothing.
    """
    match = _DIGITS.match(text)
    if not match:
        return None
    digits = match[1]
    return min(int(digits), largest) if len(digits) <= len(str(largest)) else largest
