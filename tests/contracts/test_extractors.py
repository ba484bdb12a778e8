"""The contract of every extractor, built-in or a stranger's (extractors.extractor_protocol)."""

import pickle
import sys
from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contracts.documents import documents
from tests.programs import require_program
from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.document.values import Extraction, Label, Span
from winnow.extractors import registry
from winnow.extractors.explanation import ExplainingExtractor, covered_blocks, explanation
from winnow.extractors.extractor_protocol import Extractor
from winnow.extractors.vips.browser_pool import BrowserPool
from winnow.extractors.vips.page_layout import Layouter, PageLayout
from winnow.extractors.vips.vips_extractor import Vips

SPECIFICATIONS = [
    *registry.names(),
    "lqf:0.25",
    "crunch:1",
    "crunch:12",
    "crunch:modern=true",
    "mss:k=3",
    "memory:igtree",
    "memory:k=7,w=x2",
]
DOCUMENTS = documents()
BROWSERLESS = [name for name in SPECIFICATIONS if not name.startswith("vips")]


class Remembering:
    """Lays each page out once: that a browser does it alike twice is tested beside it."""

    def __init__(self, layouter: Layouter) -> None:
        self.layouter, self.known = layouter, dict[str, PageLayout]()

    def __call__(self, document: Document) -> PageLayout:
        if document.markup not in self.known:
            self.known[document.markup] = self.layouter(document)
        return self.known[document.markup]


@pytest.fixture(autouse=True, scope="module")
def laid_out_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch, closing(BrowserPool()) as pages:
        patch.setattr(Vips, "layouter", Remembering(pages))
        yield


@pytest.fixture(params=SPECIFICATIONS)
def extractor(request: pytest.FixtureRequest) -> Extractor:
    if request.param not in BROWSERLESS:
        require_program("chromium")
    return registry.make(request.param)


@pytest.mark.parametrize("page", DOCUMENTS)
def test_spans_stand_inside_the_text_sorted_and_disjoint(extractor: Extractor, page: str) -> None:
    document = DOCUMENTS[page]
    spans = extractor.extract(document).spans
    edges = [edge for span in spans for edge in (span.start, span.end)]
    assert edges == sorted(edges)
    assert all(0 <= edge <= len(document.text) for edge in edges)
    assert all(document.text[span.start : span.end].strip() for span in spans)


@pytest.mark.parametrize("page", DOCUMENTS)
def test_the_same_document_gives_the_same_extraction(extractor: Extractor, page: str) -> None:
    again = registry.make(extractor.name)
    assert extractor.extract(DOCUMENTS[page]) == again.extract(DOCUMENTS[page])


def test_a_document_is_not_changed(extractor: Extractor) -> None:
    document = documents()["article"]
    before = (document.markup, document.text, [column.copy() for column in columns(document)])
    extractor.extract(document)
    assert (document.markup, document.text) == before[:2]
    assert all(np.array_equal(a, b) for a, b in zip(columns(document), before[2], strict=True))


def columns(document: Document) -> list[np.ndarray[tuple[int, ...], np.dtype[np.int32]]]:
    parts = (document.elements, document.pieces)
    return [getattr(part, name) for part in parts for name in part.__slots__]


def test_an_extraction_names_its_extractor_and_is_confident_within_bounds(
    extractor: Extractor,
) -> None:
    for document in DOCUMENTS.values():
        extraction = extractor.extract(document)
        assert extraction.extractor == extractor.name
        assert 0 <= extraction.confidence <= 1


def test_a_name_makes_the_extractor_again(extractor: Extractor) -> None:
    again = registry.make(extractor.name)
    assert (again.name, again.fingerprint) == (extractor.name, extractor.fingerprint)


def test_an_extraction_crosses_processes(extractor: Extractor) -> None:
    extraction = extractor.extract(DOCUMENTS["article"])
    assert pickle.loads(pickle.dumps(extraction)) == extraction


def test_edits_name_elements_of_the_document(extractor: Extractor) -> None:
    for document in DOCUMENTS.values():
        edits = extractor.extract(document).edits
        assert all(0 <= edit.element < len(document.elements) for edit in edits)


@pytest.mark.parametrize("page", DOCUMENTS)
def test_an_explanation_covers_the_blocks_and_agrees_with_the_spans(
    extractor: Extractor, page: str
) -> None:
    document = DOCUMENTS[page]
    blocks, spans = blocks_of(document), extractor.extract(document).spans
    reasons = explanation(extractor, document)
    assert [(reason.start, reason.end) for reason in reasons] == [
        *zip(blocks.start.tolist(), blocks.end.tolist(), strict=True)
    ]
    assert [reason.kept for reason in reasons] == covered_blocks(document, spans).tolist()
    assert pickle.loads(pickle.dumps(reasons)) == reasons


@pytest.mark.parametrize("page", DOCUMENTS)
def test_the_same_document_gives_the_same_explanation(extractor: Extractor, page: str) -> None:
    again = registry.make(extractor.name)
    assert explanation(extractor, DOCUMENTS[page]) == explanation(again, DOCUMENTS[page])


def test_every_built_in_extractor_states_a_rule_for_every_block(extractor: Extractor) -> None:
    assert isinstance(extractor, ExplainingExtractor)
    assert all(reason.rule for reason in extractor.explain(DOCUMENTS["article"]))


class Headless:
    """A third party's extractor without ``explain``; it keeps the first half of the text."""

    name = fingerprint = "headless"

    def extract(self, document: Document) -> Extraction:
        return Extraction(self.name, (Span(0, len(document.text) // 2, Label.BODY),))


def test_an_extractor_without_explain_is_explained_by_its_spans() -> None:
    document = DOCUMENTS["article"]
    reasons = explanation(Headless(), document)
    assert {reason.rule for reason in reasons} == {""}
    assert {reason.kept for reason in reasons} == {True, False}
    assert all(reason.end <= len(document.text) // 2 for reason in reasons if reason.kept)


def test_no_extractor_knows_http(extractor: Extractor) -> None:
    module = sys.modules[type(extractor).__module__]
    assert not {"aiohttp", "http", "socket"} & set(vars(module))


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
