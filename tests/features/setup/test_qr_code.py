"""QR codes: those of another encoder, the standard's own sequence, and what is in them."""

from __future__ import annotations

from hashlib import sha256
from html import unescape
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from winnow.features.setup.devices import qr_code as module
from winnow.features.setup.devices.qr_code import Rows, qr_code, qr_rows

BY_SEGNO = {
    "x" * 17: "714ce3d4a6c70750b8877fe7de584f0071b6eb80e6aac66073fe1fe7210f4703",
    "w" * 78: "80132ba68147aa8680824385c37c37e3c990da842fdd7c6a51ef0bb2d3049539",
}
"""Digests of what segno 1.6.6 makes of the same (texts that fill their version)."""


def read(rows: Rows) -> str:
    """The text of an undamaged symbol, by its own format bits."""
    format_bits = [rows[8][x] for x in (0, 1, 2, 3, 4, 5, 7, 8)]
    mask = sum(bit << at for bit, at in zip(format_bits[2:5], (2, 1, 0), strict=True)) ^ 0b101
    symbol = module._Symbol((len(rows) - 17) // 4)
    symbol.filled([], mask)
    places = symbol._zigzag()
    inverted = module._MASKS[mask]
    bits = "".join("01"[rows[y][x] ^ (inverted(y, x) == 0)] for y, x in places)
    assert bits[:4] == "0100", "byte mode"
    length = int(bits[4:12], 2)
    return int(bits[12 : 12 + 8 * length], 2).to_bytes(length).decode()


@pytest.mark.parametrize("text", BY_SEGNO)
def test_it_is_what_another_encoder_makes(text: str) -> None:
    lines = ["".join("01"[dark] for dark in row) for row in qr_rows(text)]
    assert sha256("\n".join(lines).encode()).hexdigest() == BY_SEGNO[text]


@settings(max_examples=25, deadline=None)
@given(st.text(st.characters(codec="ascii"), min_size=1, max_size=106))
def test_its_text_is_in_it(text: str) -> None:
    assert read(qr_rows(text)) == text


def test_what_is_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="too long"):
        qr_rows("x" * 107)


def test_error_correction_is_that_of_the_standards_example() -> None:
    """ISO/IEC 18004, annex I: "01234567" as version 1-M."""
    data = bytes.fromhex("10200c566180ec11ec11ec11ec11ec11")
    assert module._checks(data, 10).hex() == "a524d4c1ed36c7872c55"


def test_the_image_has_light_around_it_and_says_what_it_is() -> None:
    markup = unescape(str(qr_code("http://192.168.1.5:8080/", "QR code of <it>")))
    assert 'alt="QR code of <it>"' in markup
    assert 'viewBox="0 0 33 33"' in unquote(markup)
