"""Document slope curve: windows, plateaus, areas."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.document.document import Document
from winnow.extractors.baselines.dsc import DocumentSlopeCurve, plateaus
from winnow.extractors.errors import ParameterError
from winnow.extractors.registry import make


@pytest.mark.parametrize(
    ("low", "found"),
    [
        ("...", []),
        ("##.", []),
        ("###", [(0, 2)]),
        (".###.", [(1, 3)]),
        ("###..#...", [(0, 5)]),
        ("###...###", [(0, 2), (6, 8)]),
        ("###..", [(0, 2)]),
        ("##.###...##", [(3, 5)]),
    ],
)
def test_three_low_windows_open_and_three_others_close(
    low: str, found: list[tuple[int, int]]
) -> None:
    assert plateaus([sign == "#" for sign in low], 3) == found


def slope(bits: list[bool], start: int, end: int) -> float:
    return sum(bits[start:end]) / max(end - start, 1)


@given(st.lists(st.booleans(), max_size=60), st.sampled_from([2, 4, 7]))
def test_windows_overlap_by_half_and_are_low_below_half_the_slope(
    bits: list[bool], window: int
) -> None:
    areas = DocumentSlopeCurve(window=window, patience=1).areas(np.array(bits, dtype=bool))
    step = window // 2
    low = {
        start
        for start in range(0, max(len(bits) - step, 1), step)
        if slope(bits, start, min(start + window, len(bits))) < slope(bits, 0, len(bits)) / 2
    }
    covered = {index for first, last in areas for index in range(first, last)}
    assert covered == {i for start in low for i in range(start, min(start + window, len(bits)))}


def test_several_plateaus_are_kept_and_what_lies_between_goes() -> None:
    menu = "<li><a href=x>go</a></li>" * 40
    prose = "<p>" + "plain words without any markup in between them " * 20 + "</p>"
    document = Document.from_html(menu + prose + menu + prose + menu)
    kept = DocumentSlopeCurve().extract(document).spans
    text = " ".join(document.plain(span.start, span.end) for span in kept)
    assert text.split().count("plain") >= 38
    assert text.split().count("go") < 20


@pytest.mark.parametrize("parameters", ["window=1", "patience=0"])
def test_parameters_without_sense_are_refused(parameters: str) -> None:
    with pytest.raises(ParameterError, match="is a number from"):
        make(f"dsc:{parameters}")
