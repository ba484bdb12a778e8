"""mss-site: memories are mergeable values without text; unlabelled pages teach borders."""

from dataclasses import replace
from functools import reduce

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extractors.mss.pages import news, text_of
from winnow.document.document import Document
from winnow.extractors.extractor_protocol import SiteExtractor
from winnow.extractors.mss.bootstrap import (
    BootstrapSettings,
    UnlabelledPage,
    agreement,
    bootstrap,
    importance_of,
    most_confident,
)
from winnow.extractors.mss.mss_site import MssSite, unlabelled_pages
from winnow.extractors.mss.site_rows import SiteMemory, SiteTrace, keyed_hashes
from winnow.extractors.registry import make
from winnow.extractors.subsequence import Run, best_run

SITE: SiteExtractor[SiteMemory] = MssSite()
TAIL = "<p>More of the river: the mill was sold, the road is open. Read it on Sunday.</p>" * 2


def memory_of(count: int, site: MssSite | None = None) -> SiteMemory:
    site = site or MssSite()
    memories = [site.observe(page(seed)) for seed in range(count)]
    return reduce(site.merge, memories, SiteMemory())


def page(seed: int) -> Document:
    return Document.from_html(news(seed, behind=TAIL))


TRACES = st.builds(
    lambda token, seen: SiteTrace.of(np.array([token], np.uint64), np.zeros(1, np.float16), seen),
    st.integers(0, 6),
    st.integers(0, 3),
)
MEMORIES = st.lists(TRACES, max_size=6).map(
    lambda traces: reduce(MssSite(pages=3).merge, (SiteMemory((t,)) for t in traces), SiteMemory())
)


@given(MEMORIES, MEMORIES, MEMORIES)
def test_the_order_of_pages_does_not_matter(
    one: SiteMemory, two: SiteMemory, three: SiteMemory
) -> None:
    merge = MssSite(pages=3).merge
    assert merge(one, two) == merge(two, one)
    assert merge(merge(one, two), three) == merge(one, merge(two, three))
    assert merge(one, one) == one
    assert len(merge(one, two)) <= 3


@given(MEMORIES)
def test_a_memory_crosses_processes_as_bytes(memory: SiteMemory) -> None:
    again = SiteMemory.from_bytes(memory.as_bytes())
    assert again == memory
    for one, two in zip(again.traces, memory.traces, strict=True):
        assert np.array_equal(one.tokens, two.tokens)
        assert np.array_equal(one.p, two.p)


def test_other_bytes_are_no_memory() -> None:
    for packed in (b"short", memory_of(1).as_bytes()[:-3]):
        with pytest.raises(ValueError):  # noqa: PT011  # numpy words it in its own way
            SiteMemory.from_bytes(packed)


def test_the_latest_pages_are_stored() -> None:
    site = MssSite(pages=2)
    memories = [site.observe(page(seed), seen=seed) for seed in (3, 1, 2)]
    assert [trace.seen for trace in reduce(site.merge, memories).traces] == [2, 3]


def test_a_memory_holds_hashes_that_only_the_key_makes() -> None:
    hashes = np.array([1, 2, 1], np.uint64)
    first, second = keyed_hashes(hashes, b"one"), keyed_hashes(hashes, b"two")
    assert first[0] == first[2] != first[1]
    assert not set(first.tolist()) & set(second.tolist())
    trace = MssSite(key="secret").observe(page(1)).traces[0]
    assert trace.tokens.dtype == np.uint64
    assert {type(getattr(trace, name)) for name in trace.__slots__} == {bytes, int, np.ndarray}


def test_the_key_is_in_no_name_and_no_fingerprint() -> None:
    site = MssSite(key="secret", pages=20)
    assert site.name == "mss-site:20"
    assert "secret" not in site.fingerprint
    assert site.fingerprint != MssSite(key="other", pages=20).fingerprint


def test_without_a_memory_it_is_mss() -> None:
    document = page(1)
    assert SITE.extract(document).spans == make("mss").extract(document).spans
    few = memory_of(3)
    assert SITE.extract(document, few).spans == make("mss").extract(document).spans


def test_with_a_memory_the_story_is_found() -> None:
    document = page(30)
    extraction = SITE.extract(document, memory_of(10))
    text = "\n".join(document.text[span.start : span.end] for span in extraction.spans)
    assert "Story 30 begins" in text
    assert "Newsletter" not in text


def test_importance_is_one_beside_a_border_and_nothing_far_away() -> None:
    weights = importance_of(200, Run(100, 120, 1.0), 64)
    assert weights[[99, 100, 119, 120]].tolist() == [1, 1, 1, 1]
    assert weights[30] == 0
    assert weights[98] == pytest.approx(62.5 / 63.5)


def test_the_surest_share_is_learned_from() -> None:
    p = [np.full(30, level) for level in (0.6, 0.9, 0.8, 0.7, 0.1)]
    runs = [best_run(each - 0.5) for each in p]
    assert most_confident(p, runs, BootstrapSettings(share=0.6)) == [1, 2, 3]
    assert most_confident(p, runs, BootstrapSettings(share=1.0)) == [1, 2, 3, 0]


def test_borders_are_learned_from_the_surer_pages() -> None:
    """Tokens 1..9 are menu, 10 and 11 the borders, the rest text that differs page by page."""

    def made(seed: int, tail: float) -> UnlabelledPage:
        text = np.arange(1000 * seed, 1000 * seed + 30)
        tokens = np.concatenate([np.arange(1, 10), [10], text, [11], np.arange(20, 40)])
        p = np.concatenate([np.full(9, 0.1), np.full(32, 0.9), np.full(20, tail)])
        return UnlabelledPage(tokens.astype(np.uint64), p)

    pages = [*(made(seed, 0.1) for seed in range(1, 7)), *(made(seed, 0.6) for seed in (7, 8))]
    assert best_run(pages[-1].p - 0.5).end == 61
    model = bootstrap(pages, BootstrapSettings())
    assert model is not None
    assert model.rounds < 10
    _, scores = model.predict(pages[-1])
    assert best_run(scores)[:2] == (9, 41)


def test_runs_agree_by_the_tokens_that_they_share() -> None:
    one, two = Run(0, 10, 1.0), Run(5, 10, 1.0)
    assert agreement([one, one], [one, two]) == pytest.approx((1 + 2 / 3) / 2)
    assert agreement([one], [Run(10, 12, 1.0)]) == 0
    assert agreement([Run(0, 0, 0.0)], [Run(0, 0, 0.0)]) == agreement([], []) == 1


def test_a_site_that_would_teach_itself_something_else_is_not_believed() -> None:
    """On most pages a box beside a short story looks surer than the story."""

    def made(seed: int, sure: float) -> UnlabelledPage:
        story, box = np.arange(1000 * seed, 1000 * seed + 40), np.arange(1, 31)
        tokens = np.concatenate([np.arange(50, 70), story, np.arange(70, 110), box, [199] * 20])
        p = np.concatenate([[0.2] * 20, [0.8] * 40, [0.05] * 40, [sure] * 30, [0.1] * 20])
        return UnlabelledPage(tokens.astype(np.uint64), p)

    pages = [*(made(seed, 0.95) for seed in range(1, 5)), *(made(seed, 0.5) for seed in (5, 6, 7))]
    trusting = bootstrap(pages, BootstrapSettings(agreement=0))
    assert trusting is not None
    _, scores = trusting.predict(pages[-1])
    assert best_run(scores)[:2] == (100, 130)
    assert bootstrap(pages, BootstrapSettings()) is None


def test_pages_without_any_prediction_teach_nothing() -> None:
    nothing = UnlabelledPage(np.arange(5, dtype=np.uint64), np.full(5, 0.1))
    assert bootstrap([nothing] * 6, BootstrapSettings()) is None


def test_mss_site_stands_in_the_catalogue() -> None:
    assert "Story 2 begins" in text_of(make("mss-site"), news(2))


def test_the_published_form_counts_plainly_and_unseen_trigrams_are_neutral() -> None:
    site = MssSite(paper=True)
    memory = memory_of(8, site)
    model = bootstrap(unlabelled_pages(memory.traces), site.settings)
    assert model is not None
    counts = model.trigram_counts.counts
    assert np.array_equal(model.p, counts[0] / np.maximum(counts.sum(axis=0), 1))
    unseen = UnlabelledPage(np.array([1, 2], np.uint64), np.array([0.9, 0.1]))
    p, scores = model.predict(unseen)
    assert p.tolist() == [0.5, 0.5]
    assert scores.tolist() == [0, 0]
    usual = bootstrap(unlabelled_pages(memory.traces), MssSite().settings)
    assert usual is not None
    assert usual.predict(unseen)[0].tolist() == [0.9, 0.1]


def test_the_published_form_believes_a_site_that_disagrees() -> None:
    """With an agreement that nothing reaches ours learns nothing."""
    pages = unlabelled_pages(memory_of(8).traces)
    assert bootstrap(pages, BootstrapSettings(agreement=1.01)) is None
    assert bootstrap(pages, BootstrapSettings(agreement=1.01, paper=True)) is not None


def test_the_published_form_reads_what_a_proxy_stored() -> None:
    site = MssSite(paper=True)
    model = bootstrap(unlabelled_pages(memory_of(8, site).traces), site.settings)
    assert model is not None
    stored = replace(model, neutral=False, p=model.p * 0)
    one, other = (site.site_scores(page(3), each, site._key) for each in (model, stored))
    assert np.array_equal(one[1], other[1])
