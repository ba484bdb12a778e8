"""What the serialiser's writing says: which attributes hide an element, what its escapes stand for.

Knows one tag or one text at a time; no tree.
"""

from __future__ import annotations

import re
from typing import Final

_ATTRIBUTE: Final = re.compile(r' ([^\s=>]+)="([^"]*)"')
_HIDING_STYLE: Final = re.compile(r"display: ?none|visibility: ?hidden")


def hides(tag: str) -> bool:
    """Whether an opening tag's attributes hide its element (HTML standard, 6.1; inline styles).

    Not what React streams as ``<div hidden id="S:0">``: a script moves it into the page later.
    """
    if "hid" not in tag and "none" not in tag:
        return False
    attributes = dict(_ATTRIBUTE.findall(tag))
    if attributes.get("id", "").startswith("S:"):
        return False
    if not attributes.get("hidden", "until-found").startswith("until-found"):
        return True
    return _HIDING_STYLE.search(attributes.get("style", "")) is not None


def unescape(text: str) -> str:
    """Undo the serialiser's escapes of a text node (HTML standard, 13.3, "escaping a string")."""
    if "&" not in text:
        return text
    text = text.replace("&nbsp;", "\u00a0").replace("&lt;", "<").replace("&gt;", ">")
    return text.replace("&amp;", "&")
