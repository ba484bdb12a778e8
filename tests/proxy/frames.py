"""WebSocket frames and sequences of them, generated: valid, odd and broken (RFC 6455)."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

MIB = 1024 * 1024
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
_CODES = (1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 4999, 999, 1005, 5000)
_BROKEN_UTF8 = (b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"ok\xe2\x82", b"\xc0\xaf")


@dataclass(frozen=True)
class Frame:
    """One frame; ``reserved`` are RSV1-3 as bits 4, 2, 1, ``wide`` writes the length too long."""

    opcode: int
    payload: bytes = b""
    fin: bool = True
    reserved: int = 0
    mask: bytes | None = None
    wide: bool = False

    def encode(self) -> bytes:
        first = self.fin << 7 | self.reserved << 4 | self.opcode
        masked = (self.mask is not None) << 7
        body = self.payload if self.mask is None else _masked(self.payload, self.mask)
        return bytes((first,)) + _length(len(body), masked, self.wide) + (self.mask or b"") + body


def _length(size: int, masked: int, wide: bool) -> bytes:
    if wide or size > 0xFFFF:
        return bytes((masked | 127,)) + size.to_bytes(8, "big")
    if size > 125:
        return bytes((masked | 126,)) + size.to_bytes(2, "big")
    return bytes((masked | size,))


def _masked(payload: bytes, mask: bytes) -> bytes:
    repeated = mask * (len(payload) // 4 + 1)
    size = len(payload)
    mixed = int.from_bytes(payload, "big") ^ int.from_bytes(repeated[:size], "big")
    return mixed.to_bytes(size, "big")


@dataclass(frozen=True)
class Sequence:
    """What each side sends, one after the other; ``kind`` names the class it is of."""

    kind: str
    client: tuple[bytes, ...]
    server: tuple[bytes, ...]


def _plain(draw: random.Random) -> list[Frame]:
    return [
        Frame(
            draw.choice((TEXT, BINARY)), draw.randbytes(draw.choice((0, 1, 125, 126, 65535, 65536)))
        )
        for _ in range(draw.randint(1, 6))
    ]


def _fragments(draw: random.Random) -> list[Frame]:
    """One message in pieces, with control frames between them."""
    size = draw.randint(2, 12)
    pieces = [draw.randbytes(draw.randint(0, 3000)) for _ in range(size)]
    frames: list[Frame] = []
    for number, piece in enumerate(pieces):
        frames.append(Frame(BINARY if number == 0 else 0, piece, fin=number == size - 1))
        if draw.random() < 0.4:
            frames.append(Frame(PING, draw.randbytes(draw.randint(0, 125))))
    return frames


def _control(draw: random.Random) -> list[Frame]:
    kinds = [draw.choice((PING, PONG)) for _ in range(draw.randint(1, 20))]
    return [Frame(kind, draw.randbytes(draw.choice((0, 4, 125)))) for kind in kinds]


def _close(draw: random.Random) -> list[Frame]:
    code, reason = draw.choice(_CODES), draw.choice((b"", b"bye", "Tschüs".encode(), b"\xff"))
    payload = draw.choice((b"", b"\x03", code.to_bytes(2, "big") + reason))
    return [Frame(TEXT, b"last words"), Frame(CLOSE, payload)]


def _invalid_utf8(draw: random.Random) -> list[Frame]:
    broken = draw.choice(_BROKEN_UTF8)
    return [Frame(TEXT, b"fine " + broken), Frame(TEXT, broken, fin=False), Frame(0, b"!")]


def _forbidden(draw: random.Random) -> list[Frame]:
    """What endpoints must refuse, and a relay must not touch."""
    return [
        draw.choice(
            (
                Frame(draw.choice((3, 7, 11, 15)), b"reserved opcode"),
                Frame(TEXT, b"reserved bits", reserved=draw.randint(1, 7)),
                Frame(PING, b"too long a ping" * 20),
                Frame(PING, b"a cut ping", fin=False),
                Frame(0, b"continues nothing"),
                Frame(TEXT, b"length too wide", wide=True),
            )
        )
        for _ in range(draw.randint(1, 4))
    ]


def _huge(draw: random.Random) -> list[Frame]:
    return [Frame(BINARY, draw.randbytes(16 * MIB)), Frame(TEXT, b"after it")]


KINDS: dict[str, tuple[int, Callable[[random.Random], list[Frame]]]] = {
    "plain": (25, _plain),
    "fragments": (25, _fragments),
    "control": (15, _control),
    "close": (15, _close),
    "invalid-utf8": (12, _invalid_utf8),
    "forbidden": (16, _forbidden),
    "huge": (2, _huge),
}
"""How many sequences of each class are generated, and how."""


def sequences(seed: int) -> list[Sequence]:
    """All classes, the same for the same seed; clients mask, servers do not."""
    draw = random.Random(seed)
    return [
        Sequence(kind, _sent(make(draw), draw, masked=True), _sent(make(draw), draw, masked=False))
        for kind, (count, make) in KINDS.items()
        for _ in range(count)
    ]


def _sent(frames: list[Frame], draw: random.Random, *, masked: bool) -> tuple[bytes, ...]:
    """The frames' bytes as they are written: joined, or cut where no frame ends."""
    coded = [
        Frame(
            frame.opcode,
            frame.payload,
            frame.fin,
            frame.reserved,
            draw.randbytes(4) if masked else None,
            frame.wide,
        ).encode()
        for frame in frames
    ]
    if draw.random() < 0.5:
        return tuple(coded)
    whole = b"".join(coded)
    cut = draw.randint(1, max(1, len(whole) - 1))
    return (whole[:cut], whole[cut:])
