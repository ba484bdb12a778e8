"""Text in the charset of a device: UTF-8, Latin-1, or ASCII."""

from __future__ import annotations

from typing import Final

from anyascii import anyascii
from markupsafe import escape

CHARSETS: Final = ("utf-8", "iso-8859-1", "us-ascii")
"""By the ``text`` of Options."""


def encoded(text: str, level: int) -> bytes:
    """The text, transliterated where the charset lacks a letter: "Größe" becomes "Grosse"."""
    if level == 0:
        return text.encode("utf-8", "replace")
    charset = CHARSETS[level]
    try:
        return text.encode(charset)
    except UnicodeEncodeError:
        return "".join(_letter(sign, charset) for sign in text).encode(charset, "replace")


def _letter(sign: str, charset: str) -> str:
    """A sign in the charset; transliterated signs of markup are harmless entities."""
    try:
        sign.encode(charset)
    except UnicodeEncodeError:
        return str(escape(anyascii(sign)))
    return sign


def level_for(accept_charset: str) -> int:
    """The richest text that an Accept-Charset field takes (RFC 2616, section 14.2)."""
    names = {part.partition(";")[0].strip().lower() for part in accept_charset.split(",")} - {""}
    if not names or names & {"utf-8", "*"}:
        return 0
    return 1 if names & {"iso-8859-1", "iso8859-1", "windows-1252", "latin1"} else 2
