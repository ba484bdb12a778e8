"""Plots of the explanations, as SVG."""

from __future__ import annotations

import re

import pytest

from winnow.features.compare.templates.plots import strip


@pytest.mark.parametrize(
    ("shares", "drawn"),
    [
        ("", []),
        ("000", []),
        ("0099", [("2", "2", "1.00")]),
        ("9903", [("0", "2", "1.00"), ("3", "1", "0.33")]),
        ("3399", [("0", "2", "0.33"), ("2", "2", "1.00")]),
    ],
)
def test_a_strip_has_one_rectangle_for_each_run_of_equal_shares(
    shares: str, drawn: list[tuple[str, str, str]]
) -> None:
    made = strip(shares, "kept")
    assert (
        re.findall(r'x="(\d+)" y="0" width="(\d+)" height="10" opacity="([\d.]+)"', made) == drawn
    )
    assert f'viewBox="0 0 {max(len(shares), 1)} 10"' in made
