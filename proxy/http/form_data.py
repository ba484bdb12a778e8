"""Text fields of a ``multipart/form-data`` body (RFC 7578). Pure."""

from __future__ import annotations

import re
from typing import Final

from winnow.proxy.http.headers import parameter
from winnow.proxy.http.proxy_errors import ClientFaultError

MOST_PARTS: Final = 16
_NAME: Final = re.compile(rb'[;\s]name="([^"\r\n]{1,64})"', re.IGNORECASE)
_LONGEST_BOUNDARY: Final = 70
"""RFC 2046, section 5.1.1."""


def form_data(body: bytes, content_type: str) -> dict[str, str]:
    """The fields by name, line ends as LF: browsers send each as CRLF (HTML, 4.10.21.8).

    Raises ClientFaultError 415 for another media type.
    """
    boundary = (parameter(content_type, "boundary") or "").encode("utf-8", "replace")
    kind = content_type.partition(";")[0].strip().lower()
    if kind != "multipart/form-data" or not 0 < len(boundary) <= _LONGEST_BOUNDARY:
        raise ClientFaultError("Send a form as multipart/form-data.", 415, "bad-form")
    parts = (b"\r\n" + body).split(b"\r\n--" + boundary, MOST_PARTS)[1:]
    return dict(field for field in map(_field, parts) if field)


def _field(part: bytes) -> tuple[str, str] | None:
    """Name and text of a part; None for the end, and for a part without a name."""
    head, found, content = part.partition(b"\r\n\r\n")
    name = _NAME.search(head)
    if not found or name is None:
        return None
    text = content.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return name[1].decode("utf-8", "replace"), text.replace("\0", "\ufffd")
