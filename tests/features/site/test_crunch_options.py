"""The form of Crunch's filters: what is stored is read again, and is what Crunch does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.document.values import MethodOptions, Recipe
from winnow.engine.named_extractor import extractor_of
from winnow.extractors.crunch.crunch_extractor import Crunch
from winnow.extractors.crunch.crunch_options import filters_of
from winnow.features.site.crunch_options import (
    ALTS,
    CrunchSettings,
    read_form,
    read_specification,
)
from winnow.features.site.filter_picture import FILTERS, crunch_ladder
from winnow.proxy.decisions.request.preferences import is_extractor
from winnow.proxy.http.proxy_errors import ClientFaultError

LADDER = crunch_ladder()
SETTINGS = st.builds(
    CrunchSettings,
    level=st.integers(1, 12),
    filters=st.frozensets(st.sampled_from(LADDER.filters)),
    ratio=st.sampled_from([0.001, 0.25, 0.5, 0.75, 3.5, 1000.0]),
    substance=st.integers(0, 100_000),
    alts=st.sampled_from(ALTS),
    modern=st.booleans(),
    check=st.booleans(),
    retain=st.booleans(),
    font=st.integers(25, 400),
    fixed=st.integers(10, 400),
)


@given(settings=SETTINGS)
def test_what_is_stored_is_read_again_and_is_what_crunch_does(settings: CrunchSettings) -> None:
    specification = settings.specification(LADDER)
    assert is_extractor(specification)
    assert read_specification(specification, settings.level, LADDER) == settings
    made = extractor_of(Recipe(specification, options=MethodOptions(settings.level)))
    assert isinstance(made, Crunch)
    assert made.level == settings.level
    assert filters_of(made.level, made.take, made.keep) == settings.filters
    assert (made.ratio or LADDER.at(made.level).ratio) == settings.ratio
    assert (made.modern, made.check, made.retain) == (
        settings.modern,
        settings.check,
        settings.retain,
    )
    sizes = (made.substance, made.alts, made.font, made.fixed)
    assert sizes == (settings.substance, settings.alts, settings.font, settings.fixed)


def test_a_level_as_the_slider_sets_it_differs_by_nothing() -> None:
    assert CrunchSettings.at(5, LADDER).specification(LADDER) == "crunch:modern=true"


@pytest.mark.parametrize(
    "wrong",
    [
        {"level": "13"},
        {"level": ""},
        {"ratio": "nan"},
        {"ratio": "0"},
        {"substance": "-1"},
        {"font": "4000"},
        {"fixed": "inf"},
        {"alts": "all"},
    ],
)
def test_what_no_form_of_ours_sends_is_refused(wrong: dict[str, str]) -> None:
    right = {"level": "5", "ratio": ".25", "substance": "12", "font": "100", "fixed": "100"}
    read_form(right, LADDER)
    with pytest.raises(ClientFaultError, match=r"number from|one of"):
        read_form({**right, **wrong}, LADDER)


def test_every_filter_has_a_name_for_readers() -> None:
    assert FILTERS.keys() == set(LADDER.filters)
