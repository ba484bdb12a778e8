"""The MSS family's runs, cut at rules, several at once, and how sure they are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extractors.mss.pages import news, text_of
from winnow.document.document import Document
from winnow.document.tokens import TAG
from winnow.extractors.mss.mss_extractors import Mss, MssCleanEval, MssRule, best_runs, confidence
from winnow.extractors.mss.mss_model import TokenEvidence, load_model
from winnow.extractors.registry import make
from winnow.extractors.subsequence import (
    Run,
    best_run,
    maximal_runs,
    maximal_subsequences,
    maximum_subsequence,
)

SCORES = st.lists(st.integers(-3, 3).map(float), max_size=25)


@given(SCORES)
def test_by_array_the_best_run_has_the_same_value(scores: list[float]) -> None:
    run, expected = best_run(np.array(scores)), maximum_subsequence(scores)
    assert run.total == expected.total == sum(scores[run.start : run.end])
    assert not run.end or min(scores[run.start], scores[run.end - 1]) > 0


@given(SCORES)
def test_by_array_the_maximal_runs_are_the_same(scores: list[float]) -> None:
    assert maximal_runs(np.array(scores)) == maximal_subsequences(scores)


@given(SCORES, st.integers(2, 4))
def test_k_runs_are_apart_in_order_and_the_best_is_among_them(scores: list[float], k: int) -> None:
    runs = best_runs(np.array(scores), k)
    edges = [edge for run in runs for edge in run[:2]]
    assert edges == sorted(edges)
    assert len(runs) <= k
    best = maximum_subsequence(scores)
    assert max((run.total for run in runs), default=0.0) == best.total


def test_the_shipped_model_finds_the_story() -> None:
    found = text_of(Mss(), news(3))
    assert "Story 3 begins" in found
    assert "and so it ended" in found
    assert "Newsletter" not in found


COMMENTS = "<hr><p>I was there that night, and what they say of the river is not true.</p>" * 2


def test_a_rule_ends_the_article() -> None:
    html = news(3, behind=COMMENTS)
    assert "I was there" in text_of(Mss(), html)
    assert "I was there" not in text_of(MssRule(), html)
    assert "and so it ended." in text_of(MssRule(), html)


def test_several_runs_keep_fragments_apart() -> None:
    html = news(1) + news(2)
    assert "Story 1 begins" in text_of(Mss(k=2), html)
    assert "Story 2 begins" in text_of(Mss(k=2), html)


def test_a_run_of_tags_alone_is_no_text() -> None:
    document = Document.from_html("<p>one</p><p><b></b></p><p>two</p>")
    scores = np.where(document.tokens.kind == TAG, 1.0, -9.0)
    for k in (1, 3):
        assert Mss(k=k).extraction(document, scores, scores).spans == ()


def test_unigrams_and_a_bias_keep_more() -> None:
    html = news(4)
    published = MssCleanEval(backoff=False, mrut=True, bias=0.14)
    assert len(text_of(published, html)) >= len(text_of(Mss(), html))


def test_an_unseen_token_is_represented_by_its_neighbours() -> None:
    model = load_model()
    seen = model.features(Document.from_html("<p>the qxzqxz said</p>"))
    odds, is_known = model.unigrams.look_up(seen.unigrams)
    at = int(np.flatnonzero(~is_known)[0])
    smoothed = model.log_odds(seen, TokenEvidence(unigram=True, mrut=False))[at] - np.float32(
        model.prior
    )
    assert smoothed == pytest.approx(odds[at - 1] + odds[at + 1])


def test_names_and_fingerprints_tell_parameters_and_model() -> None:
    assert make("mss:k=3").name == "mss:3"
    assert make("mss-hr").name == "mss-hr"
    assert make("mss").fingerprint.endswith(load_model().digest)
    assert len({make(name).fingerprint for name in ("mss", "mss-hr", "mss:3")}) == 3


def test_k_is_at_least_one() -> None:
    with pytest.raises(ValueError, match="k is a number from 1 to 1000, not 0"):
        Mss(k=0)


def test_confidence_is_of_the_borders_alone() -> None:
    p = np.full(100, 0.5)
    p[20:30] = p[70:80] = 0.9
    p[10:20] = p[80:90] = 0.1
    assert confidence(p, Run(20, 80, 1.0)) == pytest.approx(0.9)


def test_confidence_at_a_page_s_edge_uses_the_factors_there_are() -> None:
    assert confidence(np.full(4, 0.8), Run(0, 4, 1.2)) == pytest.approx(0.8)
    assert confidence(np.ones(4), Run(0, 0, 0.0)) == 0


def test_shapes_know_a_language_that_no_page_was_in() -> None:
    words = "zuvo pirta mokel sanda furit belo kanta".split()
    story = "".join(
        f"<p>{' '.join(words[i:] + words[:i])}, {' '.join(words * 3)}.</p>" for i in range(6)
    )
    html = "<ul>" + "<li><a href=/x>Zuvo pirta</a>" * 9 + f"</ul><div>{story}</div>"
    model = load_model()
    seen = model.features(Document.from_html(html))
    without, with_shapes = (
        model.log_odds(seen, TokenEvidence(mrut=False, shapes=shapes)) for shapes in (False, True)
    )
    assert with_shapes[seen.words].mean() > without[seen.words].mean()


def test_cleanevals_variant_is_the_published_one_where_words_are_unknown() -> None:
    """No word of a language that the training did not have says anything: the tags must."""
    usual, always = MssCleanEval(), MssCleanEval(known=0)
    published = MssCleanEval(backoff=False, mrut=True, bias=0.14)
    page = Document.from_html("<nav><a>Zqxj</a></nav><p>" + "Wvkq jzxq. " * 60)
    scores = [each.scored(page)[1] for each in (usual, published, always)]
    assert np.array_equal(scores[0], scores[1])
    assert not np.array_equal(scores[0], scores[2])
    english = Document.from_html(news(3))
    scores = [each.scored(english)[1] for each in (usual, published, always)]
    assert np.array_equal(scores[0], scores[2])
    assert not np.array_equal(scores[0], scores[1])
