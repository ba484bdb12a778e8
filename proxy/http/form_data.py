"""Fields and files of a ``multipart/form-data`` body (RFC 7578). Pure."""

from __future__ import annotations

import re
from mmap import mmap
from typing import Final

from winnow.proxy.http.headers import parameter
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.sentences import says

MOST_PARTS: Final = 16
_NAME: Final = re.compile(rb'[;\s]name="([^"\r\n]{1,64})"', re.IGNORECASE)
_LONGEST_PART_HEAD: Final = 8 * 1024
_LONGEST_BOUNDARY: Final = 70
"""RFC 2046, section 5.1.1."""


def form_data(body: bytes, content_type: str) -> dict[str, str]:
    """The fields by name, line ends as LF: browsers send each as CRLF (HTML, 4.10.21.8).

    Raises ClientFaultError 415 for another media type.
    """
    return {name: _text(content) for name, content in form_parts(body, content_type).items()}


def form_parts(body: bytes, content_type: str) -> dict[str, bytes]:
    """The fields and files by name, as they were sent. Raises ClientFaultError 415."""
    spans = form_spans(body, content_type)
    return {name: body[start:end] for name, (start, end) in spans.items()}


def form_spans(body: bytes | mmap, content_type: str) -> dict[str, tuple[int, int]]:
    """Where the fields and files begin and end, by name. Raises ClientFaultError 415.

    Of a body in a file, too, which need not be in memory then.
    """
    boundary = (parameter(content_type, "boundary") or "").encode("utf-8", "replace")
    kind = content_type.partition(";")[0].strip().lower()
    if kind != "multipart/form-data" or not 0 < len(boundary) <= _LONGEST_BOUNDARY:
        raise ClientFaultError(says("Send a form as multipart/form-data."), 415, "bad-form")
    mark = b"--" + boundary
    starts = [0] if body[: len(mark)] == mark else []
    at = body.find(b"\r\n" + mark)
    while at >= 0 and len(starts) < MOST_PARTS:
        starts.append(at + 2)
        at = body.find(b"\r\n" + mark, at + 2)
    ends = [*(start - 2 for start in starts[1:]), at if at >= 0 else len(body)]
    parts = ((start + len(mark), end) for start, end in zip(starts, ends, strict=False))
    return dict(field for start, end in parts if (field := _field(body, start, end)))


def _field(body: bytes | mmap, start: int, end: int) -> tuple[str, tuple[int, int]] | None:
    """Name and content of a part; None for the end, and for a part without a name."""
    behind = body.find(b"\r\n\r\n", start, min(end, start + _LONGEST_PART_HEAD))
    name = _NAME.search(body[start:behind]) if behind >= 0 else None
    return (name[1].decode("utf-8", "replace"), (behind + 4, end)) if name else None


def _text(content: bytes) -> str:
    text = content.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\0", "\ufffd")
