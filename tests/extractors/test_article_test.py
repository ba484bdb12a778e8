"""The article test (Pasternack & Roth 2009, section 4.1), an option of every method."""

import pytest

from tests.extractors.mss.pages import news
from winnow.document.document import Document
from winnow.document.values import SiteKnowledge
from winnow.engine import site_memory
from winnow.extractors.article_test import ArticleSize, size_of
from winnow.extractors.explanation import explanation
from winnow.extractors.layout.layout_learner import LEARNER
from winnow.extractors.registry import BUILT_IN, make
from winnow.extractors.site_learners import pack

BRIEF = Document.from_html("<div><p>It rained all day.</p><p>Then it stopped.</p></div>")
STORY = Document.from_html(news(3))
IN_PROCESS = sorted(set(BUILT_IN) - {"vips"})
KEY = b"secret"


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("", ArticleSize(0, 0)),
        ("Menu\n\nHome", ArticleSize(0, 0)),
        ("One. Two! Three?", ArticleSize(1, 3)),
        ("He said “No.” Then 3.5 per cent.\n\nShe left...", ArticleSize(2, 3)),
        ("河水上涨。道路被淹没！\n\n真的吗？", ArticleSize(2, 3)),
    ],
)
def test_sentences_and_paragraphs_are_counted(text: str, size: ArticleSize) -> None:
    assert size_of(text) == size


@pytest.mark.parametrize(
    ("paragraphs", "sentences", "is_article"),
    [(2, 8, True), (1, 8, False), (2, 7, False), (9, 9, True)],
)
def test_two_paragraphs_and_eight_sentences_are_an_article(
    paragraphs: int, sentences: int, is_article: bool
) -> None:
    assert ArticleSize(paragraphs, sentences).is_article is is_article


@pytest.mark.parametrize("name", IN_PROCESS)
def test_every_method_refuses_a_brief_and_says_why(name: str) -> None:
    refused = make(f"{name}:article=true").extract(BRIEF)
    assert refused.spans == ()
    assert not make(name).extract(BRIEF).spans or "no article" in refused.reasons[-1]


@pytest.mark.parametrize("name", ["plain", "bte", "simple-mss", "mss", "lqf", "auto"])
def test_an_article_passes(name: str) -> None:
    found = make(f"{name}:article=true").extract(STORY)
    assert found.spans == make(name).extract(STORY).spans != ()


def test_the_reasons_of_a_refused_page_say_so() -> None:
    reasons = explanation(make("bte:article=true"), BRIEF)
    assert not any(each.kept for each in reasons)
    assert {each.rule for each in reasons} == {
        "No article: 2 paragraphs and 2 sentences, where news has 2 and 8."
    }
    assert any(each.kept for each in explanation(make("bte:article=true"), STORY))


def test_what_a_site_taught_is_tested_too() -> None:
    extractor = make("layout:article=true")
    lesson = pack({LEARNER.name: LEARNER.observe(BRIEF, extractor, KEY, 1)})
    knowledge = SiteKnowledge(lesson, KEY)
    assert site_memory.extract(BRIEF, make("layout"), knowledge).spans
    assert site_memory.extract(BRIEF, extractor, knowledge).spans == ()
    assert not any(each.kept for each in site_memory.explain(BRIEF, extractor, knowledge))


def test_without_the_option_the_fingerprint_is_as_before() -> None:
    assert "article" not in make("bte").fingerprint
    assert "article=True" in make("bte:article=true").fingerprint
