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
from winnow.document.document import Document
from winnow.extractors import registry
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
    for span in registry.make(name).extract(document).spans:
        assert span.end <= len(document.text)
