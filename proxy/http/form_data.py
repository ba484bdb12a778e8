"""Fields and files of a ``multipart/form-data`` body (RFC 7578). Pure."""

from __future__ import annotations

import re
from typing import Final

from winnow.proxy.http.headers import parameter
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.sentences import says

MOST_PARTS: Final = 16
_NAME: Final = re.compile(rb'[;\s]name="([^"\r\n]{1,64})"', re.IGNORECASE)
_LONGEST_BOUNDARY: Final = 70
"""RFC 2046, section 5.1.1."""


def form_data(body: bytes, content_type: str) -> dict[str, str]:
    """The fields by name, line ends as LF: browsers send each as CRLF (HTML, 4.10.21.8).

    Raises ClientFaultError 415 for another media type.
    """
    return {name: _text(content) for name, content in form_parts(body, content_type).items()}


def form_parts(body: bytes, content_type: str) -> dict[str, bytes]:
    """The fields and files by name, as they were sent. Raises ClientFaultError 415."""
    boundary = (parameter(content_type, "boundary") or "").encode("utf-8", "replace")
    kind = content_type.partition(";")[0].strip().lower()
    if kind != "multipart/form-data" or not 0 < len(boundary) <= _LONGEST_BOUNDARY:
        raise ClientFaultError(says("Send a form as multipart/form-data."), 415, "bad-form")
    parts = (b"\r\n" + body).split(b"\r\n--" + boundary, MOST_PARTS)[1:]
    return dict(field for field in map(_field, parts) if field)


def _field(part: bytes) -> tuple[str, bytes] | None:
    """Name and content of a part; None for the end, and for a part without a name."""
    head, found, content = part.partition(b"\r\n\r\n")
    name = _NAME.search(head)
    if not found or name is None:
        return None
    return name[1].decode("utf-8", "replace"), content


def _text(content: bytes) -> str:
    text = content.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\0", "\ufffd")
