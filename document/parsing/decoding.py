"""Bytes to text, in the order of the HTML standard.

The order (HTML standard, section 13.2.3): byte order mark; the transport's charset; a ``<meta>`` in
the first 1024 bytes; detection. Browsers stop there; a reader cannot, because many stored pages
declare what they are not. So a declaration has to fit the bytes: where it does not, valid UTF-8
wins, then detection, then the declaration after all.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

import chardetng_py
import webencodings

from winnow.document.addresses import host_of
from winnow.document.compiled import loop, optional_module
from winnow.document.errors import UnknownEncodingError
from winnow.document.values import Page

_compiled: Any = optional_module("winnow.document.parsing._utf8")

LATE_PRESCAN_BYTES = 8192
"""How far a declaration is looked for; the standard looks at 1024, real pages put it later."""
SAMPLE_BYTES = 1 << 16
TOLERATED_ERRORS = 0.1
"""Errors per byte beyond ASCII up to which an encoding still fits (a page cut short, say)."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_META = re.compile(rb"<meta[\s/]")
_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([a-zA-Z0-9_:.+-]+)""", re.IGNORECASE)
_XML = re.compile(rb"""^<\?xml[^>]*?encoding\s*=\s*["']([a-zA-Z0-9_:.+-]+)["']""")
_HIGH = bytes(range(0x80, 0x100))
_UTF16 = {"utf-16-le", "utf-16-be"}


class CharsetEvidence(StrEnum):
    """The evidence by which an encoding was chosen."""

    BOM = "byte order mark"
    TRANSPORT = "Content-Type"
    META = "meta"
    UTF8 = "valid UTF-8"
    DETECTED = "detected"


@dataclass(frozen=True, slots=True)
class Decoded:
    """``source``: the body without a byte order mark. ``encoding``: the Python name of its codec.

    ``is_body``: whether the body, byte by byte, is the text in UTF-8.
    """

    source: bytes
    encoding: str
    evidence: CharsetEvidence
    is_body: bool = False

    @property
    def text(self) -> str:
        """The page's text; undecodable bytes are U+FFFD."""
        return self.source.decode(self.encoding, "replace")


def decode(page: Page) -> Decoded:
    """Determine a body's encoding; raises nothing."""
    body = page.body
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return Decoded(body[len(mark) :], encoding, CharsetEvidence.BOM)
    is_utf8 = is_lossless_utf8(body)
    for label, evidence in (
        (page.charset, CharsetEvidence.TRANSPORT),
        (prescan(body), CharsetEvidence.META),
    ):
        declared = codec_of(label) if label else None
        if declared == "utf-8" and is_utf8:
            return Decoded(body, declared, evidence, is_body=True)
        if declared and can_be(body, declared):
            return Decoded(body, declared, evidence)
    if is_utf8:
        return Decoded(body, "utf-8", CharsetEvidence.UTF8, is_body=True)
    return _detect(page)


def is_lossless_utf8_in_python(body: bytes) -> bool:
    """Whether bytes are UTF-8 (RFC 3629) without U+FFFD, the sign of an earlier loss. O(n)."""
    try:
        return "\ufffd" not in body.decode("utf-8")
    except UnicodeDecodeError:
        return False


is_lossless_utf8 = loop(_compiled and _compiled.is_whole, is_lossless_utf8_in_python)


@lru_cache(maxsize=256)
def codec_of(label: str, *, strict: bool = False) -> str | None:
    """The Python codec for a WHATWG label, its superset where browsers use one; None if unknown.

    Raises UnknownEncodingError instead of returning None when ``strict``.
    """
    encoding = webencodings.lookup(label)
    if encoding is None or encoding.name in {"replacement", "x-user-defined"}:
        if strict:
            raise UnknownEncodingError(f"{label!r} names no encoding that browsers know")
        return None
    return {"gbk": "gb18030", "iso-8859-8-i": "iso-8859-8"}.get(
        encoding.name, encoding.codec_info.name
    )


def prescan(body: bytes) -> str | None:
    """The label that a ``<meta>`` (or an XML declaration) among the first bytes declares."""
    head = _without_comments(body[:LATE_PRESCAN_BYTES])
    if xml := _XML.match(head):
        return xml[1].decode("ascii")
    lowered, at = head.lower(), -1
    while (at := lowered.find(b"charset", at + 1)) >= 0:
        found = _CHARSET.match(head, at)
        if found and _META.search(lowered, lowered.rfind(b">", 0, at) + 1, at):
            label = found[1].decode("ascii")
            # A declaration that ASCII can read is not UTF-16 (HTML standard, 13.2.3.2).
            return "utf-8" if codec_of(label) in _UTF16 else label
    return None


def _without_comments(head: bytes) -> bytes:
    """The same bytes without comments that end."""
    parts, at = [], 0
    while (start := head.find(b"<!--", at)) >= 0 and (end := head.find(b"-->", start + 4)) >= 0:
        parts.append(head[at:start])
        at = end + 3
    return b"".join((*parts, head[at:])) if at else head


def can_be(body: bytes, encoding: str) -> bool:
    """Whether ``encoding`` can be true of these bytes, or they contradict it."""
    if encoding in _UTF16:
        return b"\0" in body[:SAMPLE_BYTES]
    if encoding != "utf-8" and _is_utf8(body):
        return False
    try:
        body.decode(encoding)
    except UnicodeDecodeError:
        text = body.decode(encoding, "replace")
        return _errors(text, body) <= TOLERATED_ERRORS * _high_bytes(body)
    return True


def _is_utf8(body: bytes) -> bool:
    """Whether the bytes are UTF-8 beyond ASCII: chance makes this of no other encoding's prose."""
    if body.isascii():
        return False
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        cut_in_a_character = error.start > len(body) - 4
        return cut_in_a_character and not body[: error.start].isascii()
    return True


def _errors(text: str, body: bytes) -> int:
    """How many replacement characters decoding put in (those of the page itself not counted)."""
    return text.count("\ufffd") - body.count(b"\xef\xbf\xbd")


def _high_bytes(body: bytes) -> int:
    return len(body) - len(body.translate(None, _HIGH))


def _detect(page: Page) -> Decoded:
    if can_be(page.body, "utf-8"):
        return Decoded(page.body, "utf-8", CharsetEvidence.UTF8)
    name = chardetng_py.detect(_sample(page.body), allow_utf8=False, tld=_tld(page.url))
    encoding = codec_of(name) or "cp1252"
    return Decoded(page.body, encoding, CharsetEvidence.DETECTED)


def _sample(body: bytes) -> bytes:
    """The part of the page that detection reads: it starts where the text leaves ASCII."""
    first = re.search(rb"[\x80-\xff]", body)
    start = max(first.start() - 256, 0) if first else 0
    return body[start : start + SAMPLE_BYTES]


def _tld(url: str | None) -> bytes | None:
    """The top-level domain in the form that chardetng wants (lower-case ASCII, no dot)."""
    host = host_of(url) if url else ""
    tld = host.rpartition(".")[2]
    return tld.encode() if tld.isascii() and tld.isalpha() else None
