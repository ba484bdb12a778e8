"""The machine that finds ill-formed articles (figure 6.9)."""

from __future__ import annotations

import pytest

from winnow.extractors.memory.article_structure import Fault, described, faults
from winnow.extractors.memory.labelled_instances import LETTERS


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        ("tbbhb", []),
        ("gtgbghgbg", []),
        ("bbb", [Fault.NO_TITLE]),
        ("", [Fault.NO_TITLE]),
        ("tbtb", [Fault.TITLES]),
        ("thhb", [Fault.HEADINGS]),
        ("thghb", [Fault.HEADINGS]),
        ("hhb", [Fault.NO_TITLE, Fault.HEADINGS]),
        ("tthh", [Fault.TITLES, Fault.HEADINGS]),
        ("thbh", []),
    ],
)
def test_faults_of_a_sequence(labels: str, found: list[Fault]) -> None:
    assert list(faults(map(LETTERS.index, labels))) == found


def test_faults_are_described_in_words() -> None:
    assert described((Fault.NO_TITLE,)) == ("E1: no title",)
