"""What methods say is said in the reader's language, with the same figures."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.pages import golden
from winnow.document.document import Document
from winnow.document.values import Extraction, Page
from winnow.extractors import article_test, registry
from winnow.extractors.article_test import refusal
from winnow.extractors.auto.features import feature_effects
from winnow.extractors.explanation import explanation
from winnow.extractors.layout import layout_extractor, pattern_matching
from winnow.extractors.layout.pattern_matching import MatchingLimits
from winnow.extractors.memory import memory_extractor
from winnow.extractors.vips import vips_extractor
from winnow.features.compare.comparing import curves_of
from winnow.proxy.own.languages import Language
from winnow.proxy.own.templates.method_words import (
    CURVES,
    FEATURES,
    KINDS,
    RULES,
    is_known,
    method_text,
    method_words,
)
from winnow.proxy.own.translation import is_translated, speaking

METHODS = (
    *(name for name in registry.BUILT_IN if name != "vips"),
    *("largest-block:nested=false", "memory:igtree", "layout:mode=webstemmer"),
)
OTHERS = (
    vips_extractor._NOT_VISIBLE,
    vips_extractor._RULE.format(score=0.123, threshold=0.5),
    layout_extractor._STATIC.format(2, 3),
    layout_extractor._RUN.format(score=-4.5),
    layout_extractor._CONTAINER,
    pattern_matching._TITLE,
    pattern_matching._RULE.format(0.5, MatchingLimits()).format(score=1.0, threshold=50.0),
    refusal(Extraction("dsc:article=true", reasons=(article_test._REFUSAL.format(1, 2),))),
)
"""What is said where a browser lays out the page, others of its site are known, or the article test
refuses it."""


def page(name: str) -> Document:
    source = (golden.FOLDER / name / "source.html").read_bytes()
    return Document.parse(Page(source, "https://example.com/"))


def rules(method: str) -> Iterator[str]:
    for name in ("news-article", "nineties"):
        yield from (each.rule for each in explanation(registry.make(method), page(name)))


@pytest.mark.parametrize("method", METHODS)
def test_every_rule_of_every_method_is_known(method: str) -> None:
    found = set(rules(method))
    assert found
    assert [each for each in found if each and not is_known(each)] == []


@pytest.mark.parametrize("rule", OTHERS)
def test_what_needs_a_browser_or_a_site_is_known_too(rule: str) -> None:
    assert is_known(rule)


def test_so_are_the_curves_the_features_and_the_kinds() -> None:
    curves = curves_of(page("news-article"))
    texts = [text for curve in curves for text in (curve.title, curve.caption)]
    assert len(texts) == 8
    assert [text for text in texts if not is_known(text)] == []
    assert set(feature_effects.descriptions()) == set(FEATURES)
    assert memory_extractor._CLASSES == KINDS


@pytest.mark.parametrize("language", Language)
def test_each_has_a_translation(language: Language) -> None:
    with speaking(language):
        assert all(map(is_translated, (*RULES, *KINDS, *FEATURES, *CURVES)))


def test_the_figures_and_what_stands_within_stay() -> None:
    rule = (
        "Content with a chance of 12%; blocks above 40% are kept. Against it speak most: how much "
        "of it is links (links: 0.9), the words in it (text says 3: 1)."
    )
    with speaking(Language.GERMAN):
        assert method_words(rule) == (
            "Mit einer Wahrscheinlichkeit von 12% Inhalt; Blöcke über 40% werden behalten. Am "
            "meisten sprechen dagegen: sein Anteil an Links (links: 0.9), die Wörter darin (text "
            "says 3: 1)."
        )
        assert method_words("The tree takes it for titles.") == "Der Baum hält ihn für: Titel."
    assert method_words(rule) == rule


def test_what_a_method_of_others_says_is_marked_as_english() -> None:
    strange = "It has five <b>vowels</b>."
    with speaking(Language.GERMAN):
        assert method_words(strange) == strange
        assert method_text(strange) == (
            '<span lang="en" dir="ltr">It has five &lt;b&gt;vowels&lt;/b&gt;.</span>'
        )
        assert "<" not in method_text("crunch filters <td> (remove).")
