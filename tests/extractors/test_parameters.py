"""Every built-in says which values its parameters permit, and no other gets through."""

from __future__ import annotations

from dataclasses import fields

import pytest

from winnow.extractors import registry
from winnow.extractors.errors import ParameterError
from winnow.extractors.parameters import (
    DeclaredParameter,
    OneOf,
    Range,
    declared,
    defaults,
    permitted,
)

NUMBERS = [
    (name, key)
    for name in registry.BUILT_IN
    for key, default in (defaults(registry.factory(name)) or {}).items()
    if isinstance(default, int | float) and not isinstance(default, bool)
]
FLOATS = [
    (name, key)
    for name, key in NUMBERS
    if isinstance((defaults(registry.factory(name)) or {})[key], float)
]


def ranges(name: str) -> dict[str, Range]:
    kind = registry.factory(name)
    assert isinstance(kind, type)
    return {key: found for key, found in permitted(kind).items() if isinstance(found, Range)}


@pytest.mark.parametrize(("name", "key"), NUMBERS)
def test_a_number_has_a_range_that_holds_its_default(name: str, key: str) -> None:
    default = (defaults(registry.factory(name)) or {})[key]
    assert default in ranges(name)[key]


@pytest.mark.parametrize(("name", "key"), NUMBERS)
def test_what_is_outside_its_range_is_refused(name: str, key: str) -> None:
    found = ranges(name)[key]
    for value in (int(found.least) - 1, int(found.most) + 1):
        with pytest.raises(ParameterError, match=f"{key} is a number from .* to .*, not {value}"):
            registry.make(f"{name}:{key}={value}")


@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
@pytest.mark.parametrize(("name", "key"), FLOATS)
def test_what_is_no_finite_number_is_refused(name: str, key: str, value: str) -> None:
    with pytest.raises(ParameterError, match=f"{key} is a number from"):
        registry.make(f"{name}:{key}={value}")


def test_a_parameter_that_permits_names_says_which() -> None:
    kind = registry.factory("vips")
    assert isinstance(kind, type)
    assert permitted(kind)["score"] == OneOf(("words", "auto"))
    assert {field.name for field in fields(kind)} == {"granularity", "score", "article", "filters"}


def test_a_form_learns_what_a_method_declares() -> None:
    kind = registry.factory("vips")
    assert declared(kind) == (
        DeclaredParameter("granularity", "8", least=1, most=10, whole=True),
        DeclaredParameter("score", "auto", choices=("words", "auto")),
        DeclaredParameter("article", "false", choices=("false", "true")),
    )
    assert declared(lambda: registry.make("bte")) == ()
