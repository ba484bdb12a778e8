"""Only the methods of the family take a model of their own."""

from __future__ import annotations

import pytest

from winnow.evaluation.mss.folds import with_model


@pytest.mark.parametrize(
    ("name", "folder", "expected"),
    [
        ("mss", "m", "mss:model=m"),
        ("mss-site:pages=6", "m", "mss-site:pages=6,model=m"),
        ("mss", "", "mss"),
        ("bte", "m", "bte"),
    ],
)
def test_a_specification_names_the_model_of_its_fold(name: str, folder: str, expected: str) -> None:
    assert with_model(name, folder) == expected
