"""The contract of every extractor (winnow.extractors.contract), for all built-in ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.programs import require_program
from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.document.edits import Edit, Operation
from winnow.document.values import (
    Extraction,
    Label,
    Page,
    Recipe,
    Span,
)
from winnow.engine.worker import answer
from winnow.extractors import contract, registry
from winnow.extractors.baselines.plain import Plain
from winnow.extractors.contract import ContractCheck, ContractError, check_extractor, checks
from winnow.extractors.explanation import ExplainingExtractor, explanation
from winnow.extractors.parameters import lacking
from winnow.extractors.vips.browser_pool import BrowserPool
from winnow.extractors.vips.page_layout import Layouter, PageLayout
from winnow.extractors.vips.vips_extractor import Vips
from winnow.features.compare.jobs import Compared, SideBySideJob, TriedMethod, TryJob
from winnow.features.why.jobs import ExplainJob
from winnow.jobs.codec import pack_job, unpack_result
from winnow.jobs.page_jobs import TransformJob
from winnow.jobs.quality import QualityLimits

SPECIFICATIONS = [
    *registry.names(),
    "lqf:0.25",
    "crunch:1",
    "crunch:12",
    "crunch:modern=true",
    "mss:k=3",
    "memory:igtree",
    "memory:k=7,w=x2",
    "layout:mode=webstemmer",
    "mss-site:paper=true",
    "mss-cleaneval:backoff=false,mrut=true,bias=0.14",
    "bte:article=true",
]
BROWSERLESS = [name for name in SPECIFICATIONS if not name.startswith("vips")]


class CachedLayouts:
    """Lays each page out once; another test compares two layouts of one page."""

    def __init__(self, layouter: Layouter) -> None:
        self.layouter, self.layouts = layouter, dict[str, PageLayout]()

    def __call__(self, document: Document) -> PageLayout:
        if document.markup not in self.layouts:
            self.layouts[document.markup] = self.layouter(document)
        return self.layouts[document.markup]


@pytest.fixture(autouse=True, scope="module")
def laid_out_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch, closing(BrowserPool()) as pages:
        patch.setattr(Vips, "layouter", CachedLayouts(pages))
        yield


@pytest.mark.parametrize("check", checks(*SPECIFICATIONS), ids=str)
def test_every_extractor_keeps_the_contract(check: ContractCheck) -> None:
    if check.specification not in BROWSERLESS:
        require_program("chromium")
    check()


@pytest.mark.parametrize("name", [name for name in BROWSERLESS if not lacking(registry.make(name))])
def test_what_every_method_makes_of_a_page_crosses_processes(name: str) -> None:
    """Rendered, explained and compared, for pages that it finds good and poor."""
    words = "The river rose over its banks in the night, and the village was asleep. "
    menu = "<nav><a href=/>Home</a> <a href=/news>News</a></nav>"
    good, poor = f"<h1>River</h1>{menu}<p>{words * 8}</p>" * 3, f"{menu}<ul><li>{words}<li>One</ul>"
    for page in (good, poor, menu):
        body = Page(f"<title>River</title>{page}".encode(), "https://river.example/story")
        recipe = Recipe(name)
        for job in (
            TransformJob(body, recipe),
            ExplainJob(body, recipe),
        ):
            assert b"extractor-failed" not in answer(pack_job(job), QualityLimits())
        tried = unpack_result(
            answer(pack_job(TryJob(body, name, recipe)), QualityLimits()), TriedMethod
        )
        assert isinstance(tried, TriedMethod)
        assert not tried.trial.failure
        both = answer(pack_job(SideBySideJob(body, (tried, tried), recipe)), QualityLimits())
        compared = unpack_result(both, Compared)
        assert isinstance(compared, Compared)
        assert compared.trials[0].overlaps == (1, 1)


@pytest.mark.parametrize("name", SPECIFICATIONS)
def test_every_built_in_extractor_states_a_rule_for_every_block(name: str) -> None:
    if name not in BROWSERLESS:
        require_program("chromium")
    extractor = registry.make(name)
    assert isinstance(extractor, ExplainingExtractor)
    assert all(reason.rule for reason in extractor.explain(contract.documents()["article"]))


class Headless:
    """A third party's extractor without ``explain``; it keeps the first half of the text."""

    name = fingerprint = "headless"

    def extract(self, document: Document) -> Extraction:
        return Extraction(self.name, (Span(0, len(document.text) // 2, Label.BODY),))


def test_an_extractor_without_explain_is_explained_by_its_spans() -> None:
    document = contract.documents()["article"]
    reasons = explanation(Headless(), document)
    assert {reason.rule for reason in reasons} == {""}
    assert {reason.kept for reason in reasons} == {True, False}
    assert all(reason.end <= len(document.text) // 2 for reason in reasons if reason.kept)


def moved(extraction: Extraction, document: Document) -> Extraction:
    return replace(extraction, spans=(Span(len(document.text), len(document.text) + 1),))


def on_white_space(extraction: Extraction, document: Document) -> Extraction:
    start = document.text.find("\n\n")
    return replace(extraction, spans=(Span(start, start + 1),) if start >= 0 else ())


def random_confidence(extraction: Extraction, document: Document) -> Extraction:
    return replace(extraction, confidence=float(np.random.default_rng().random()))


def changed(extraction: Extraction, document: Document) -> Extraction:
    object.__setattr__(document.pieces, "start", document.pieces.start + 1)
    return extraction


def another_name(extraction: Extraction, document: Document) -> Extraction:
    return replace(extraction, extractor="plane")


def too_confident(extraction: Extraction, document: Document) -> Extraction:
    return replace(extraction, confidence=1.5)


def local(extraction: Extraction, document: Document) -> Extraction:
    return replace(extraction, reasons=(NeverEqual(),))  # type: ignore[arg-type]  # the fault


def edit_beyond(extraction: Extraction, document: Document) -> Extraction:
    return replace(extraction, edits=(Edit(len(document.elements), Operation.REMOVE),))


class NeverEqual:
    """Is not the same after it crossed a process boundary."""


FAULTS: list[tuple[Callable[[Extraction, Document], Extraction], str]] = [
    (moved, "ends beyond the text"),
    (on_white_space, "white space alone"),
    (random_confidence, "differ"),
    (changed, "elements or pieces changed"),
    (another_name, "is not the extractor's name"),
    (too_confident, "outside 0 to 1"),
    (local, "not the same in another process"),
    (edit_beyond, "names no element"),
]


@pytest.mark.parametrize(("fault", "message"), FAULTS)
def test_a_broken_rule_is_found(
    fault: Callable[[Extraction, Document], Extraction],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Broken(Plain):
        def extract(self, document: Document) -> Extraction:
            return fault(super().extract(document), document)

    monkeypatch.setattr(contract, "make", lambda name: Broken())
    contract.documents.cache_clear()
    rule = next(rule for rule, run in contract.RULES.items() if _fails(run, message))
    assert rule
    contract.documents.cache_clear()


def _fails(run: Callable[[str], Any], message: str) -> bool:
    try:
        run("plain")
    except ContractError as error:
        return message in str(error)
    return False


def test_a_module_with_network_imports_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vars(registry), "socket", None)
    monkeypatch.setattr(Plain, "__module__", registry.__name__)
    with pytest.raises(ContractError, match=r"plain: no network .* imports socket"):
        check_extractor("plain")


def test_a_name_that_makes_another_extractor_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Plain, "fingerprint", property(id))
    with pytest.raises(ContractError, match="another fingerprint"):
        check_extractor("plain")


FRAGMENTS = st.sampled_from(
    [
        "<p>",
        "</p>",
        "<div>",
        "</div>",
        "<td>",
        "<table>",
        "<a href=x>",
        "</a>",
        "word. ",
        "<img>",
        "中",
    ]
)


@given(html=st.lists(FRAGMENTS, max_size=40).map("".join), name=st.sampled_from(BROWSERLESS))
def test_nothing_is_raised_for_any_document(html: str, name: str) -> None:
    document = Document.from_html(html)
    extractor = registry.make(name)
    for span in extractor.extract(document).spans:
        assert span.end <= len(document.text)
    assert len(explanation(extractor, document)) == len(blocks_of(document))
