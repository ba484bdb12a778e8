"""Sizes as pages for small screens say them."""

import pytest

from winnow.jobs.small_gateway import size_text


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1_000, "1.0 kB"),
        (3_649, "3.6 kB"),
        (9_999, "10.0 kB"),
        (10_000, "10 kB"),
        (999_999, "1000 kB"),
        (1_000_000, "1.0 MB"),
    ],
)
def test_bytes_are_said_as_people_read_them(size: int, said: str) -> None:
    assert size_text(size) == said
