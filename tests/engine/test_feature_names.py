"""Every feature by which ``auto`` judges a block is told in words for people."""

from __future__ import annotations

import pytest

from winnow.engine.feature_names import about, phrases
from winnow.extractors.auto.auto_model import PAGE_FEATURES, shipped


def test_every_feature_of_a_block_has_words() -> None:
    names = [name for name in shipped().names if not name.startswith(PAGE_FEATURES)]
    assert [name for name in names if about(name) == name] == []
    assert {about(name) for name in names} == set(phrases())


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
def test_features_are_told_by_what_they_look_at(feature: str, words: str) -> None:
    assert about(feature) == words
