"""Language tags that mean a language."""

import pytest

from winnow.document.metadata.language import is_language_tag


@pytest.mark.parametrize("tag", ["en", "EN-gb", "zh-Hant-TW", "yue", "de-1996", "sr-Latn"])
def test_tags_of_languages(tag: str) -> None:
    assert is_language_tag(tag)


@pytest.mark.parametrize(
    "tag", ["", "zz", "utf-8", "eur", "english", "en_US", "e", "en-", "x-klingon"]
)
def test_what_is_none(tag: str) -> None:
    assert not is_language_tag(tag)
