"""What a recipe says of itself."""

from __future__ import annotations

import pytest

from winnow.document.values import MethodOptions, Recipe


@pytest.mark.parametrize(
    ("extractor", "level"),
    [
        ("crunch", 5),
        ("crunch:min_text=3", 5),
        ("crunch:2", None),
        ("crunch:level=2", None),
        ("crunch:min_text=3, preset=news", None),
        ("bte", None),
    ],
)
def test_crunch_works_at_the_readers_level_unless_its_parameters_name_one(
    extractor: str, level: int | None
) -> None:
    assert Recipe(extractor, options=MethodOptions(5)).ladder_level == level
