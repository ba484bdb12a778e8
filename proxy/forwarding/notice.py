"""Where a line of ours fits into an original page, and whether it may have styles. Pure.

No parser is at hand here: a page of which the bytes leave doubt gets no line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from winnow.proxy.http.headers import Headers, media_type

_END: Final = re.compile(rb"</body\s*>(?:\s|</html\s*>|<!--(?:[^-]|-(?!->))*-->)*", re.IGNORECASE)
_WHOLE: Final = re.compile(rb"<(?:!doctype html|html|body)\b", re.IGNORECASE)
_META: Final = b"content-security-policy"
_TEXTS: Final = (
    *(b"script", b"style", b"textarea", b"title", b"iframe", b"noscript", b"noframes"),
    *(b"noembed", b"xmp", b"template", b"select", b"svg", b"math"),
)
"""Elements within which markup is text, is not shown, or is read in another way."""
_HEAD: Final = 64 * 1024
_TAIL: Final = 64 * 1024
_STYLES: Final = ("style-src-attr", "style-src-elem")
_POLICIES: Final = ("content-security-policy", "content-security-policy-report-only")


def with_line(body: bytes, line: bytes, headers: Headers) -> bytes | None:
    """The page with ``line`` (ASCII) at the end of its body; None where it does not fit."""
    if b"\x00" in body[:1024] or not _WHOLE.search(body, 0, _HEAD):
        return None
    start = body.rfind(b"</body") if b"</body" in body[-_TAIL:] else body.rfind(b"</BODY")
    ended = start >= len(body) - _TAIL and _END.fullmatch(body, max(start, 0))
    if not ended and media_type(headers) != "text/html":
        return None
    place = start if ended else len(body)
    before = body[:place].lower()
    if b"<frameset" in before or b"<plaintext" in before or _is_in_comment(before):
        return None
    if before.rfind(b"<") > before.rfind(b">"):  # within a tag
        return None
    if any(_is_open(before, name) for name in _TEXTS):
        return None
    return body[:place] + line + body[place:]


def _is_in_comment(markup: bytes) -> bool:
    start = markup.rfind(b"<!--")
    return start >= 0 and markup.find(b"-->", start) < 0


def _is_open(markup: bytes, name: bytes) -> bool:
    """Whether the last element of a name is not closed, other than in the text of a script."""
    start = markup.rfind(b"<" + name)
    if start < 0 or markup.find(b"</" + name, start) >= 0:
        return False
    end = markup.find(b"</script", start)
    return end < 0 or markup.find(b"<script", start, end) >= 0


def allows_style(headers: Headers, body: bytes) -> bool:
    """Whether no policy of the page forbids or reports styles in it, as attributes or elements
    (CSP 3, section 6.7.3)."""
    fields = (value for name in _POLICIES for value in headers.every(name))
    policies = (policy for field in fields for policy in field.split(","))
    return all(map(_allows_style, policies)) and _META not in body.lower()


def _allows_style(policy: str) -> bool:
    found: dict[str, list[str]] = {}
    for directive in policy.lower().split(";"):
        name, _, sources = directive.strip().partition(" ")
        found.setdefault(name, sources.split())
    return all(map(_is_inline, (_governing(found, kind) for kind in _STYLES)))


def _governing(found: Mapping[str, list[str]], kind: str) -> list[str] | None:
    """The sources of the directive that counts for a kind of style; None: there is no limit."""
    return next((found[name] for name in (kind, "style-src", "default-src") if name in found), None)


def _is_inline(sources: list[str] | None) -> bool:
    if sources is None:
        return True
    hashed = any(source.startswith(("'nonce-", "'sha")) for source in sources)
    return "'unsafe-inline'" in sources and not hashed
