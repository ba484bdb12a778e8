"""Parameters of methods are named in words of the reader's language; those of others by code."""

from __future__ import annotations

import pytest

from winnow.engine.method_parameters import parameters_of
from winnow.extractors.registry import names
from winnow.features.site.parameter_fields import parameter_fields
from winnow.features.site.parameter_names import NAMES, VALUES, name_of, value_of
from winnow.jobs.results import MethodParameter
from winnow.proxy.own.languages import Language
from winnow.proxy.own.translation import is_translated, speaking

DECLARED = parameters_of(tuple(names()))
OURS = [each for each in DECLARED if each.method not in {"example"}]


@pytest.mark.parametrize("parameter", OURS, ids=lambda one: f"{one.method}.{one.name}")
def test_each_parameter_of_ours_and_each_of_its_values_has_a_name(
    parameter: MethodParameter,
) -> None:
    assert "<code>" not in name_of(parameter)
    assert all(value_of(parameter, value) != value for value in parameter.choices)


@pytest.mark.parametrize("language", Language)
def test_names_are_in_the_reader_s_language(language: Language) -> None:
    with speaking(language):
        assert all(map(is_translated, (*NAMES.values(), *VALUES.values())))


def test_no_name_is_in_vain() -> None:
    known = {key for one in DECLARED for key in (one.name, f"{one.method}.{one.name}")}
    values = {key for one in DECLARED for c in one.choices for key in (c, f"{one.name}.{c}")}
    assert NAMES.keys() <= known
    assert VALUES.keys() <= values


def test_a_method_of_others_keeps_the_names_of_its_specification() -> None:
    theirs = MethodParameter("theirs", "depth<", "one", ("one", "two"), 0, 0, whole=False)
    assert name_of(theirs) == "<code>depth&lt;</code>"
    assert value_of(theirs, "two") == "two"


def test_a_form_says_the_name_and_sends_the_parameter() -> None:
    with speaking(Language.GERMAN):
        shown = parameter_fields(parameters_of(("memory",)))
    assert '<label>Gewichte der Merkmale <select name="memory.w">' in shown
    assert '<option value="nw">Keine Gewichte</option>' in shown
