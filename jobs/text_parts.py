"""A text for a program with a budget: an estimate of its tokens, and parts that end at a block.

The estimate is a quarter of the bytes in UTF-8: near what tokenisers of language models make of
English, and above it for most other scripts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

BYTES_A_TOKEN: Final = 4
METHOD: Final = "utf-8-bytes/4"
_FENCES: Final = (b"```", b"~~~")


class PartError(ValueError):
    """``changed``: the text is no longer the one that the offset belongs to."""

    def __init__(self, message: str, *, changed: bool = False) -> None:
        super().__init__(message)
        self.changed = changed


@dataclass(frozen=True, slots=True)
class TextPart:
    """``following``: the offset of the next part, "" behind the last."""

    body: bytes
    following: str = ""


def tokens(body: bytes) -> int:
    """How many tokens a text has, roughly."""
    return -(-len(body) // BYTES_A_TOKEN)


def part_of(body: bytes, offset: str = "", most: int = 0) -> TextPart:
    """The text from an offset on, at most ``most`` tokens of whole blocks, one at the least.

    An offset is a number of bytes and a digest of the whole text. ``most``: 0 is all. Raises
    PartError for an offset that is none of this text.
    """
    start, ends = _start(body, offset), [*_ends(body)]
    if start and start not in ends:
        raise PartError(f"{offset!r} is no offset of this text.")
    if not most or len(body) - start <= most * BYTES_A_TOKEN:
        return TextPart(body[start:])
    behind = [end for end in ends if end > start]
    fitting = [end for end in behind if end - start <= most * BYTES_A_TOKEN]
    end = fitting[-1] if fitting else (behind or [len(body)])[0]
    return TextPart(body[start:end], f"{end}-{_digest(body)}" if end < len(body) else "")


def _start(body: bytes, offset: str) -> int:
    if not offset:
        return 0
    number, _, digest = offset.partition("-")
    if not (number.isascii() and number.isdigit() and len(number) <= len(str(len(body)))):
        raise PartError(f"{offset!r} is no offset of this text.", changed=number.isdigit())
    if digest != _digest(body):
        raise PartError("The page has changed since this offset was given.", changed=True)
    return int(number)


def _digest(body: bytes) -> str:
    return blake2b(body, digest_size=6).hexdigest()


def _ends(body: bytes) -> Iterator[int]:
    """Where blocks end: behind each blank line that stands in no fenced code."""
    at, fence = 0, b""
    for line in body.splitlines(keepends=True):
        at += len(line)
        words = line.strip()
        if fence:
            fence = b"" if words.startswith(fence) and not words.strip(fence[:1]) else fence
        elif words.startswith(_FENCES):
            fence = words[: len(words) - len(words.lstrip(words[:1]))]
        elif not words:
            yield at
