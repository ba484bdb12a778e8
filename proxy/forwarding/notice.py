"""One line at the top of an original page that says why it is not the extracted one; no script."""

from __future__ import annotations

import re
from html import escape

from winnow.proxy.http.reasons import MEANINGS, Reason

_BODY_TAG = re.compile(rb"<body(?:\s[^>]*)?>", re.IGNORECASE)
_STYLE = (
    "all:initial;display:block;padding:.4em 1em;"
    "background:#fff3cd;color:#332701;font:14px/1.4 sans-serif"
)
_SEARCHED = 512 * 1024
_FAILURES = {
    "deadline": "extraction took too long",
    "worker-died": "extraction broke down",
    "extractor-failed": "the extractor failed on this page",
    "too-complex": "the page is nested too deep, or has too many attributes",
    "too-large": "the page is larger than the limit",
    "busy": "too many pages were waiting to be extracted",
}


def sentence(reason: str) -> str:
    """What a reason token means, in plain words."""
    if reason in _FAILURES:
        return _FAILURES[reason]
    try:
        return MEANINGS[Reason(reason)]
    except ValueError:
        return reason.replace("-", " ")


def with_banner(body: bytes, reason: str) -> bytes | None:
    """The page with a banner after its ``<body>`` tag; None where that is not safely found.

    The banner is ASCII, so it is right in every encoding that is ASCII's superset.
    """
    tag = None if b"\x00" in body[:1024] else _BODY_TAG.search(body, 0, _SEARCHED)
    if tag is None:
        return None
    text = f"Winnow shows the original page: {escape(sentence(reason))}."
    banner = f'<div lang="en" dir="ltr" role="note" style="{_STYLE}">{text}</div>'
    return body[: tag.end()] + banner.encode("ascii", "xmlcharrefreplace") + body[tag.end() :]
