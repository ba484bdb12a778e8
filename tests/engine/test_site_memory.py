"""Extraction with what is known of a site; the lesson of a page; failures that cost no page."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from tests.engine.fingerprints import fingerprint
from tests.extractors import test_site_learners
from tests.extractors.test_site_learners import Words
from winnow.document.document import Document
from winnow.document.values import Page, Recipe, SiteKnowledge
from winnow.engine import site_memory
from winnow.engine.pipeline import transform
from winnow.extractors import site_learners
from winnow.extractors.registry import make

BUILT_IN = site_learners.BUILT_IN
PAGE = Page(b"<p>one two</p>", "https://example.com/")
MEMORY = site_learners.pack({"words": b"seen before"})


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    table = {"words": f"{test_site_learners.__name__}:WORDS"}
    monkeypatch.setattr(site_learners, "BUILT_IN", MappingProxyType(table))


def test_what_is_known_reaches_the_learner() -> None:
    found = site_memory.extract(Document.parse(PAGE), make("plain"), SiteKnowledge(MEMORY))
    assert found.reasons == ("seen before",)


@pytest.mark.parametrize("memory", [b"", b"nonsense", site_learners.pack({"words": b"?"})])
def test_without_a_memory_that_can_be_read_the_method_speaks_alone(memory: bytes) -> None:
    document, plain = Document.parse(PAGE), make("plain")
    assert site_memory.extract(document, plain, SiteKnowledge(memory)) == plain.extract(document)


def test_a_page_teaches_where_that_is_wanted() -> None:
    taught = transform(PAGE, Recipe("plain", knowledge=SiteKnowledge(learn=True)))
    assert site_learners.unpack(taught.lesson) == {"words": b"one two"}
    assert transform(PAGE, Recipe("plain")).lesson == b""
    assert transform(PAGE, Recipe("bte", knowledge=SiteKnowledge(learn=True))).lesson == b""


def test_a_lesson_that_fails_costs_no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> bytes:
        raise RuntimeError("a learner's mistake")

    monkeypatch.setattr(Words, "observe", fail)
    shown = transform(PAGE, Recipe("plain", knowledge=SiteKnowledge(learn=True)))
    assert b"one two" in shown.body
    assert shown.lesson == b""


def test_a_rendering_is_as_old_as_what_was_known() -> None:
    bare, wanted = Recipe("plain"), Recipe("plain", knowledge=SiteKnowledge(learn=True))
    knows = Recipe("plain", knowledge=SiteKnowledge(MEMORY))
    knows_more = Recipe("plain", knowledge=SiteKnowledge(MEMORY + MEMORY))
    assert fingerprint(bare) == fingerprint(wanted)
    assert len({fingerprint(recipe) for recipe in (bare, knows, knows_more)}) == 3
    other = SiteKnowledge(MEMORY)
    assert fingerprint(Recipe("bte")) == fingerprint(Recipe("bte", knowledge=other))


@pytest.mark.usefixtures("own")
def test_a_row_is_given_where_it_is_wanted() -> None:
    site = Recipe("mss-site", knowledge=SiteKnowledge(key=b"secret", learn=True, rows=True))
    taught = transform(PAGE, site)
    assert list(site_learners.unpack(taught.row)) == ["mss-site"]
    assert taught.lesson == b""
    for unwanted in (
        Recipe("mss-site", knowledge=SiteKnowledge(learn=True)),
        Recipe("mss-site", knowledge=SiteKnowledge(rows=True)),
        Recipe("plain", knowledge=SiteKnowledge(learn=True, rows=True)),
    ):
        assert transform(PAGE, unwanted).row == b""
    assert fingerprint(site) == fingerprint(Recipe("mss-site"))


@pytest.fixture
def own(known: None, monkeypatch: pytest.MonkeyPatch) -> None:
    table = {"words": f"{test_site_learners.__name__}:WORDS", "mss-site": BUILT_IN["mss-site"]}
    monkeypatch.setattr(site_learners, "BUILT_IN", MappingProxyType(table))
