"""Raw text that a ``<noscript>`` leaves open: it would swallow the rest of the page."""

from __future__ import annotations

import re
from typing import Any, Final

from winnow.document.compiled import loop, optional_module

_compiled: Any = optional_module("winnow.document.parsing._unclosed_frames")

_RAW_TEXT: Final = re.compile(
    rb"<(iframe|noembed|noframes|style|textarea|title|xmp)(?=[\s/>])", re.IGNORECASE
)
"""Not ``script``: put into a script that writes such markup, its end tag would end that script."""


def with_frames_closed(utf8: bytes) -> bytes:
    """The page with the end tags that elements of raw text in a ``<noscript>`` lack. O(n).

    A parser without scripting reads all that follows ``<noscript><iframe src="..."/></noscript>``
    as the frame's text (HTML standard, 13.2.6.4.7, "iframe"). A browser with scripting, for which
    the page was written, ends the ``noscript`` there (13.2.6.2), and so ends what stands in it.
    """
    return frames_closed(utf8) if are_there(utf8) else utf8


def are_there_in_python(utf8: bytes) -> bool:
    """Whether there is anything to close: the definition."""
    return frames_closed(utf8) != utf8


are_there = loop(_compiled and _compiled.are_there, are_there_in_python)


def frames_closed(utf8: bytes) -> bytes:
    """What ``with_frames_closed`` says, without looking first whether there is anything to do."""
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
