"""Every feature of ``auto`` has a description in words."""

from __future__ import annotations

import pytest

from winnow.extractors.auto.auto_model import PAGE_FEATURES, shipped
from winnow.extractors.auto.features.feature_effects import description, descriptions


def test_every_feature_of_a_block_has_a_description() -> None:
    names = [name for name in shipped().names if not name.startswith(PAGE_FEATURES)]
    assert [name for name in names if description(name) == name] == []
    assert {description(name) for name in names} == set(descriptions())


@pytest.mark.parametrize(
    ("feature", "words"),
    [
        ("worst name", "the classes and ids around it"),
        ("name around 2", "the classes and ids around it"),
        ("names say, 2 after", "the blocks next to it"),
        ("alike: links", "blocks marked up like it"),
        ("links around 1", "what stands in the same boxes"),
        ("in nav", "the kinds of elements it stands in"),
        ("words since title", "where it stands to the title"),
        ("words before", "where on the page it stands"),
        ("word length", "how its text is written"),
        ("a feature of another model", "a feature of another model"),
    ],
)
def test_a_feature_is_described_by_what_it_measures(feature: str, words: str) -> None:
    assert description(feature) == words
