"""QR codes (ISO/IEC 18004:2015) of short addresses, as images in a page. Pure.

Byte mode at error correction level L, versions 1 to 5: their codewords are one block. Section
numbers are those of the standard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Final
from urllib.parse import quote

from markupsafe import Markup

_CODEWORDS: Final = ((19, 7), (34, 10), (55, 15), (80, 20), (108, 26))
"""Of data and of error correction, by version (table 9)."""
_MASKS: Final[Sequence[Callable[[int, int], int]]] = (
    lambda y, x: (y + x) % 2,
    lambda y, _x: y % 2,
    lambda _y, x: x % 3,
    lambda y, x: (y + x) % 3,
    lambda y, x: (y // 2 + x // 3) % 2,
    lambda y, x: y * x % 2 + y * x % 3,
    lambda y, x: (y * x % 2 + y * x % 3) % 2,
    lambda y, x: ((y + x) % 2 + y * x % 3) % 2,
)
"""A module is inverted where its mask is 0 (table 10)."""
_QUIET: Final = 4
"""Modules around the symbol (6.3.8)."""
Rows = Sequence[Sequence[bool]]


def qr_code(text: str, label: str) -> Markup:
    """Dark on light in every theme, as readers expect it; ``label`` says what it is."""
    rows = qr_rows(text)
    size = len(rows) + 2 * _QUIET
    path = "".join(
        f"M{x + _QUIET} {y + _QUIET}h1v1h-1z"
        for y, row in enumerate(rows)
        for x, dark in enumerate(row)
        if dark
    )
    image = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" '
        f'shape-rendering="crispEdges"><rect width="{size}" height="{size}" fill="#fff"/>'
        f'<path d="{path}"/></svg>'
    )
    return Markup(
        '<p><img src="data:image/svg+xml,{}" alt="{}" width="222" height="222"></p>'
    ).format(quote(image), label)


def qr_rows(text: str) -> Rows:
    """The modules of the symbol, True where dark. Raises ValueError for more than 106 bytes."""
    data = text.encode()
    fitting = (
        (version, *words)
        for version, words in enumerate(_CODEWORDS, 1)
        if len(data) + 2 <= words[0]
    )
    version, size, checks = next(fitting, (0, 0, 0))
    if not version:
        raise ValueError("The text is too long for a QR code of version 5.")
    words = _padded(data, size)
    bits = [
        bool(word >> at & 1) for word in words + _checks(words, checks) for at in range(7, -1, -1)
    ]
    symbols = [_Symbol(version).filled(bits, mask) for mask in range(len(_MASKS))]
    return min(symbols, key=_penalty)


def _padded(data: bytes, size: int) -> bytes:
    """Mode, length, data and padding (7.4)."""
    bits = int.from_bytes(b"\x04" + bytes([len(data)]) + data) << 4
    written = bits.to_bytes(len(data) + 3)[1:] if len(data) + 3 else b""
    return (written + b"\xec\x11" * size)[:size]


def _checks(words: bytes, count: int) -> bytes:
    """Reed-Solomon codewords over GF(256) with x^8+x^4+x^3+x^2+1 (7.5.2)."""
    generator, root = [1], 1
    for _ in range(count):
        shifted = [*generator, 0]
        for at, each in enumerate(generator):
            shifted[at + 1] ^= _times(each, root)
        generator, root = shifted, _times(root, 2)
    rest = [*words, *[0] * count]
    for at in range(len(words)):
        lead = rest[at]
        for step, each in enumerate(generator):
            rest[at + step] ^= _times(each, lead)
    return bytes(rest[len(words) :])


def _times(one: int, two: int) -> int:
    product = 0
    while two:
        product ^= one if two & 1 else 0
        one = one << 1 ^ (0x11D if one & 0x80 else 0)
        two >>= 1
    return product


@dataclass
class _Symbol:
    """``fixed``: the modules of function patterns and of the format, by row and column."""

    version: int
    fixed: dict[tuple[int, int], bool] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return 17 + 4 * self.version

    def filled(self, bits: Sequence[bool], mask: int) -> Rows:
        """The whole symbol."""
        self._patterns()
        self._format(mask)
        rest = iter(bits)
        rows = [[self.fixed.get((y, x), False) for x in range(self.size)] for y in range(self.size)]
        for y, x in self._zigzag():
            rows[y][x] = next(rest, False) ^ (_MASKS[mask](y, x) == 0)
        return rows

    def _patterns(self) -> None:
        """Finders with separators, timing, alignment and the dark module (6.3)."""
        last = self.size - 1
        for at in range(8, self.size - 8):
            self.fixed[6, at] = self.fixed[at, 6] = at % 2 == 0
        for top, left in ((3, 3), (3, last - 3), (last - 3, 3)):
            self._rings(top, left, 4, (2, 4))
        if self.version > 1:
            self._rings(last - 6, last - 6, 2, (1,))
        self.fixed[last - 7, 8] = True

    def _rings(self, top: int, left: int, reach: int, light: Sequence[int]) -> None:
        """A square around a centre; the rings at the distances in ``light`` are light."""
        for y in range(max(top - reach, 0), min(top + reach + 1, self.size)):
            for x in range(max(left - reach, 0), min(left + reach + 1, self.size)):
                self.fixed[y, x] = max(abs(y - top), abs(x - left)) not in light

    def _format(self, mask: int) -> None:
        """Level L and the mask, with their BCH code, twice (7.9)."""
        data = 0b01 << 3 | mask
        rest = data << 10
        for at in range(14, 9, -1):
            rest ^= 0x537 << at - 10 if rest >> at & 1 else 0
        bits = (data << 10 | rest) ^ 0x5412
        last = self.size - 1
        upright = [*range(6), 7, 8, *range(last - 6, last + 1)]
        across = [*range(last, last - 8, -1), 7, *range(5, -1, -1)]
        for at in range(15):
            dark = bool(bits >> at & 1)
            self.fixed[upright[at], 8] = self.fixed[8, across[at]] = dark

    def _zigzag(self) -> Iterator[tuple[int, int]]:
        """The places of data, in order (7.7.3)."""
        upwards = True
        for right in (*range(self.size - 1, 6, -2), 5, 3, 1):
            rows = range(self.size - 1, -1, -1) if upwards else range(self.size)
            for y in rows:
                yield from ((y, x) for x in (right, right - 1) if (y, x) not in self.fixed)
            upwards = not upwards


def _penalty(rows: Rows) -> int:
    """How hard a mask makes the symbol to read (7.8.3)."""
    columns = list(zip(*rows, strict=True))
    size, dark = len(rows), sum(map(sum, rows))
    runs = sum(
        length - 2
        for line in (*rows, *columns)
        for _, run in groupby(line)
        if (length := len(list(run))) > 4
    )
    squares = sum(
        3
        for one, two in pairwise(rows)
        for pairs in pairwise(zip(one, two, strict=True))
        if len({*pairs[0], *pairs[1]}) == 1
    )
    texts = ("".join("01"[cell] for cell in line) for line in (*rows, *columns))
    finders = sum(
        40
        for text in texts
        for at in range(size - 10)
        if text[at : at + 11] in ("10111010000", "00001011101")
    )
    return runs + squares + finders + 10 * (abs(dark * 100 // size**2 - 50) // 5)
