"""Text to well-formed markup: one lexbor parse, serialised. Knows selectolax; nothing else does."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser


def serialise(html: str | bytes) -> str:
    """Parse HTML, text or UTF-8, as browsers do and write the tree out again.

    The result is well-formed: every element closed, ``<``, ``>`` and ``&`` escaped in texts and
    attribute values, except in raw-text elements. ``noscript`` is parsed as markup, as where
    scripting is off. An empty text gives an empty document's markup. O(n); deep nesting costs the
    parser O(depth^2), which the caller's deadline bounds.
    """
    utf8 = html if isinstance(html, bytes) else html.encode("utf-8", "replace")
    markup = LexborHTMLParser(utf8).html
    return markup or "<html><head></head><body></body></html>"
