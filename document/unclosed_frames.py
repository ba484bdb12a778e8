"""Closes, at ``</noscript>``, elements of raw text that were left open in a ``<noscript>``.

A parser without scripting reads all that follows ``<noscript><iframe src="..."/></noscript>`` as
the frame's text (HTML standard, 13.2.6.4.7, "iframe"). A browser with scripting, for which the
page was written, ends the ``noscript`` there (13.2.6.2), and so ends what stands in it.
"""

from __future__ import annotations

import re
from typing import Final

_RAW_TEXT: Final = re.compile(
    rb"<(iframe|noembed|noframes|style|textarea|title|xmp)(?=[\s/>])", re.IGNORECASE
)
"""Not ``script``: put into a script that writes such markup, its end tag would end that script."""


def with_frames_closed(utf8: bytes) -> bytes:
    """The page with the missing end tags put in. O(n)."""
    return _closed(_closed(utf8, b"noscript"), b"NOSCRIPT")


def _closed(utf8: bytes, noscript: bytes) -> bytes:
    first, *others = utf8.split(b"<" + noscript)
    if not others:
        return utf8
    parts = [first]
    for other in others:
        inside, end, behind = other.partition(b"</" + noscript)
        left_open = _left_open(inside) if end else b""
        parts.append(b"".join((inside, left_open, end, behind)))
    return (b"<" + noscript).join(parts)


def _left_open(inside: bytes) -> bytes:
    """The end tag that the inside of a ``noscript`` lacks, if it lacks one."""
    at, lowered = 0, inside.lower()
    while found := _RAW_TEXT.search(lowered, at):
        end_tag = b"</" + found[1]
        if (at := lowered.find(end_tag, found.end())) < 0:
            return end_tag + b">"
    return b""
