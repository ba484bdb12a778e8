"""Every block is told with its odds and at most three features that moved them."""

from __future__ import annotations

import pytest

from tests.extractors.auto.pages import article
from winnow.document.document import Document
from winnow.extractors.auto.auto_extractor import Auto, judge, scores
from winnow.extractors.auto.auto_model import shipped
from winnow.extractors.auto.explanation import TOLD, explain


def test_every_block_has_a_verdict_that_agrees_with_the_extraction() -> None:
    document = Document.from_html(article())
    spans = Auto().extract(document).spans

    found = explain(document)

    assert [verdict.kept for verdict in found] == [
        any(span.start <= verdict.start < span.end for span in spans) for verdict in found
    ]


def test_at_most_three_features_are_named_the_strongest_first() -> None:
    for verdict in explain(Document.from_html(article(3))):
        strengths = [abs(reason.moved) for reason in verdict.reasons]
        assert len(strengths) <= TOLD
        assert strengths == sorted(strengths, reverse=True)
        assert all(reason.feature in shipped().names for reason in verdict.reasons)


def test_what_a_feature_moved_is_what_the_score_loses_without_it() -> None:
    document, model = Document.from_html(article(3)), shipped()
    found = judge(document, model)
    assert found is not None

    reason = explain(document)[0].reasons[0]
    column = model.names.index(reason.feature)
    usual = found.rows.copy()
    usual[:, column] = model.typical[column]

    assert reason.value == found.rows[0, column]
    assert reason.moved == pytest.approx(found.score[0] - scores(usual, model)[0], rel=1e-4)


def test_a_page_without_text_needs_no_reasons() -> None:
    assert explain(Document.from_html("")) == ()
