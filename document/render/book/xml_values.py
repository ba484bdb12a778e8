"""Texts, language tags and addresses as XML files and EPUB's checker accept them."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

from winnow.document.addresses import parts_of

LANGUAGE: Final = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*\Z")
_ILLEGAL: Final = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SCHEMES: Final = frozenset({"http", "https", "mailto", "tel"})
_SAFE: Final = "/:?#@!$&'()*+,;=%~"


def language_tag(language: str) -> str:
    """A language as BCP 47 writes it, "und" for anything else."""
    return language if LANGUAGE.match(language) else "und"


def legal(text: str) -> str:
    """The text without characters that XML 1.0 cannot hold."""
    return _ILLEGAL.sub("", text)


def address(href: str) -> str:
    """An address as a link may hold it (RFC 3986); "" for one that leads nowhere."""
    parts = parts_of(href.strip())
    found = parts.scheme in _SCHEMES and (parts.scheme not in ("http", "https") or parts.hostname)
    if not found:
        return ""
    page, mark, fragment = legal(href.strip()).partition("#")
    return quote(page, safe=_SAFE) + mark + quote(fragment, safe=_SAFE.replace("#", ""))
