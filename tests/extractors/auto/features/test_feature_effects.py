"""A dropped block is explained by at most three features that lower its log-odds most."""

from __future__ import annotations

import pytest

from tests.extractors.auto.pages import article
from winnow.document.document import Document
from winnow.extractors.auto.auto_extractor import Auto
from winnow.extractors.auto.auto_model import PAGE_FEATURES, shipped
from winnow.extractors.auto.features.feature_effects import FEATURES, strongest_effects
from winnow.extractors.auto.prediction import log_odds, predict


def test_at_most_three_features_are_named_the_strongest_first() -> None:
    reasons = Auto().explain(Document.from_html(article(3)))
    assert any(reason.features for reason in reasons)
    for reason in reasons:
        effects = [each.effect for each in reason.features]
        assert len(effects) <= FEATURES
        assert effects == sorted(effects, reverse=True)
        assert all(each.name in shipped().names for each in reason.features)
        assert not any(each.name.startswith(PAGE_FEATURES) for each in reason.features)


def test_the_effect_of_a_feature_is_what_the_log_odds_gain_without_it() -> None:
    document, model = Document.from_html(article(3)), shipped()
    found = predict(document, model)
    assert found is not None
    block, effects = next((i, e) for i, e in strongest_effects(found, model).items() if e)
    column = model.names.index(effects[0].name)
    typical = found.rows.copy()
    typical[:, column] = model.typical[column]

    assert effects[0].value == found.rows[block, column]
    gain = log_odds(typical, model)[block] - found.log_odds[block]
    assert effects[0].effect == pytest.approx(gain, rel=1e-4)


def test_a_page_without_text_has_no_reasons() -> None:
    assert Auto().explain(Document.from_html("")) == ()
