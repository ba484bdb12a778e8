"""The one place where a message head becomes bytes (RFC 9112, sections 2 to 5), for both sides.

Pure. Whatever a method, target, reason phrase or field was made from, a head that leaves here has
exactly the lines that it was given: a CR, LF or NUL within one of them is an error, never bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from winnow.proxy.http.headers import Headers
from winnow.proxy.http.proxy_errors import MalformedHeadError

_TOKENS: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]*\Z")
_METHOD_AND_TARGET: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+ [!-~\x80-\xff]+ HTTP/1\.1\Z")


def request_head(method: str, target: str, headers: Headers) -> bytes:
    """Request line, fields and the empty line. Raises MalformedHeadError.

    ``target`` is any form of request target (RFC 9112, section 3.2), as Latin-1 text.
    """
    line = f"{method} {target} HTTP/1.1"
    if not _METHOD_AND_TARGET.match(line):
        raise MalformedHeadError("A request line would have been malformed.")
    return _head(line, headers)


def response_head(status: int, phrase: str, headers: Headers) -> bytes:
    """Status line, fields and the empty line. Raises MalformedHeadError.

    ``phrase`` may be empty.
    """
    if not 100 <= status <= 999:
        raise MalformedHeadError("A status code would have been malformed.")
    return _head(f"HTTP/1.1 {status} {phrase}", headers)


def _head(line: str, headers: Headers) -> bytes:
    """Counting line ends is cheaper than looking at each field: a head has one for each line."""
    fields = headers.fields
    text = "".join([line, "\r\n", *[f"{name}: {value}\r\n" for name, value in fields], "\r\n"])
    lines = len(fields) + 2
    if text.count("\n") != lines or text.count("\r") != lines or "\0" in text:
        raise MalformedHeadError("A header field would have held a line end.")
    if "\n:" in text or not _are_tokens(name for name, _ in fields):
        raise MalformedHeadError("A field name would have been malformed.")
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError as error:
        raise MalformedHeadError("A header field would have held more than bytes.") from error


def _are_tokens(names: Iterable[str]) -> bool:
    return bool(_TOKENS.match("".join(names)))
