"""The table of hostile pages: exponents, the size at a bound, pages that are left as they are."""

from __future__ import annotations

import subprocess
import sys

import pytest

from benchmarks.hostile_growth import Timed, line_of
from benchmarks.hostile_shapes import SHAPES


def test_a_line_has_exponents_and_where_the_bounds_were_met() -> None:
    linear = [Timed(10**at, 10.0**at / 1e9, 50) for at in (4, 5, 6, 7)]
    squared = [Timed(10**at, 100.0**at / 1e9, 70) for at in (4, 5)]
    refused = [Timed(10**4, 0, 20, "too-complex")]
    line = line_of("links", [linear, squared, refused])
    assert line == "| links | 1.00 | 2.00 | too-complex | 1 | 100,000 (0.1 MB) | 0 (0.01 MB) | 70 |"
    assert "none within the bounds" in line_of("links", [[], [], []])


@pytest.mark.parametrize("shape", SHAPES)
def test_a_shape_has_the_size_that_is_asked_for(shape: str) -> None:
    assert 15_000 < len(SHAPES[shape](20_000)) < 25_000 or shape == "nested to the limit"


@pytest.mark.release
def test_what_needs_too_much_is_ended() -> None:
    command = [sys.executable, "-m", "benchmarks.hostile_growth", "--shape", "siblings"]
    sizes = ["--size=10000", "--size=9000000", "--seconds=2"]
    done = subprocess.run([*command, *sizes], capture_output=True, text=True, check=True)
    assert "(0.01 MB)" in done.stdout.splitlines()[-1]
