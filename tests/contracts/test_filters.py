"""The contract of every filter of Crunch, built in or from a plug-in."""

import pickle
from importlib.metadata import EntryPoint

import numpy as np
import pytest

from winnow.document.document import Document
from winnow.extractors import registry
from winnow.extractors.contract import documents
from winnow.extractors.crunch import filter_protocol
from winnow.extractors.crunch.ad_matching import ad_list
from winnow.extractors.crunch.crunch_extractor import Crunch
from winnow.extractors.crunch.filter_protocol import PageFilter
from winnow.extractors.crunch.filter_state import Filtered
from winnow.extractors.crunch.filters import OwnFilter
from winnow.extractors.crunch.page_links import PageLinks
from winnow.extractors.crunch.relax_levels import Filter
from winnow.extractors.errors import ParameterError

DOCUMENTS = documents()


class NoFooters:
    """A stranger's filter: no page has a footer, unless hardly anything else was left of it."""

    name = "no-footers"
    fingerprint = "no-footers/1"

    def process(self, original: Document, previous: Filtered, current: Filtered) -> Filtered:
        if current.removed_elements.sum() > len(original.elements) / 2:
            return previous
        return current.without(original, original.elements_named("footer"))


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("no-footers", f"{__name__}:NoFooters", filter_protocol.ENTRY_POINTS)
    monkeypatch.setattr(EntryPoint, "load", lambda _: NoFooters)
    monkeypatch.setattr(
        filter_protocol,
        "entry_points",
        lambda group, name=point.name: [point] * (name == point.name),
    )


@pytest.fixture(params=[*Filter, "no-footers"])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def filter_named(name: str, document: Document) -> PageFilter:
    if name == "no-footers":
        return filter_protocol.installed(name)
    options = Crunch(1, take=name).options_at(1)
    return OwnFilter(Filter(name), PageLinks(document), options, ad_list("ads.example.com"))


@pytest.mark.parametrize("page", DOCUMENTS)
def test_a_filter_takes_more_and_gives_nothing_back(name: str, page: str) -> None:
    document = DOCUMENTS[page]
    before = Filtered.nothing(document)
    after = filter_named(name, document).process(document, before, before)
    assert after.removed_elements.shape == before.removed_elements.shape
    assert after.removed_pieces.shape == before.removed_pieces.shape
    assert set(before.edits) <= set(after.edits)
    assert all(0 <= edit.element < len(document.elements) for edit in after.edits)


@pytest.mark.parametrize("page", DOCUMENTS)
def test_a_filter_writes_to_no_state_and_answers_the_same_twice(name: str, page: str) -> None:
    document = DOCUMENTS[page]
    before = Filtered.nothing(document)
    first, second = (
        filter_named(name, document).process(document, before, before) for _ in range(2)
    )
    assert not before.removed_elements.any()
    assert not before.removed_pieces.any()
    assert np.array_equal(first.removed_pieces, second.removed_pieces)
    assert np.array_equal(first.removed_elements, second.removed_elements)
    assert first.edits == second.edits


def test_a_filter_that_runs_twice_changes_no_more(name: str) -> None:
    for document in DOCUMENTS.values():
        before = Filtered.nothing(document)
        each = filter_named(name, document)
        once = each.process(document, before, before)
        assert np.array_equal(
            each.process(document, before, once).removed_pieces, once.removed_pieces
        )


def test_a_filter_has_a_name_and_a_fingerprint_that_cross_processes(name: str) -> None:
    each = filter_named(name, DOCUMENTS["article"])
    assert pickle.loads(pickle.dumps((each.name, each.fingerprint)))[0] == name


def test_a_strangers_filter_works_behind_crunchs_own_and_is_checked_like_them() -> None:
    document = Document.from_html(
        "<p>words</p><footer>one of those long footers that no page needs at its very end</footer>"
    )
    method = registry.make("crunch:level=12,filters=no-footers")
    assert [document.text[s.start : s.end] for s in method.extract(document).spans] == ["words"]
    assert "no-footers/1" in method.fingerprint
    undone = registry.make("crunch:level=12,filters=no-footers,check=true,drastic=0.5").extract(
        document
    )
    assert undone.reasons == ("the filter no-footers was undone: it would take 93% of the words",)


def test_a_filter_sees_the_page_as_it_came_before_the_last_filter_and_now(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[tuple[int, int, int]] = []

    def process(
        _: NoFooters, original: Document, previous: Filtered, current: Filtered
    ) -> Filtered:
        seen.append(
            (
                len(original.elements),
                int(previous.removed_pieces.sum()),
                int(current.removed_pieces.sum()),
            )
        )
        return current

    monkeypatch.setattr(NoFooters, "process", process)
    document = Document.from_html("<p>words <noscript>more words</noscript></p>")
    registry.make("crunch:level=12,filters=no-footers+no-footers").extract(document)
    assert seen == [(len(document.elements), 0, 1), (len(document.elements), 1, 1)]


def test_a_filter_that_is_not_installed_is_reported_at_once() -> None:
    with pytest.raises(ParameterError, match="no filter 'no-headers' is installed"):
        registry.make("crunch:filters=no-headers")
