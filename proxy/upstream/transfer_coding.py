"""Removes transfer codings other than a final chunked from a response (RFC 9112, section 7).

Nobody asks for them; some origins apply them all the same, as curl's tests know. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from winnow.proxy.http.content_coding import BodyDecoder, DecodingBounds
from winnow.proxy.http.proxy_errors import BodyTooLargeError, CodingError, MalformedResponseError
from winnow.proxy.upstream.response_parser import BodyReader, Framing

_BOUNDS: Final = DecodingBounds(bytes=10**18)
"""Pieces are forwarded as they come: their ratio is bounded, their sum is not."""


class TransferDecoder:
    """Of one body, from which a final chunked has been removed already."""

    def __init__(self, codings: tuple[str, ...]) -> None:
        """``codings`` in the order in which they were applied: chunked may be the first."""
        self._chunks = BodyReader(Framing.CHUNKED) if codings[0] == "chunked" else None
        coded = codings[1:] if self._chunks else codings
        self._decoder = BodyDecoder(coded, _BOUNDS)

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """The decoded bytes, never more than 256 KiB at a time. Raises MalformedResponseError."""
        try:
            for piece in self._decoder.pieces(data):
                found = self._chunks.feed(piece) if self._chunks else piece
                if found:
                    yield found
        except (CodingError, BodyTooLargeError) as error:
            raise MalformedResponseError(f"The origin's transfer coding: {error}") from error

    def end(self) -> None:
        """Raises MalformedResponseError if the body was cut short."""
        if not self._decoder.finished or (self._chunks and not self._chunks.done):
            raise MalformedResponseError("The body ends before its transfer coding does.")
