"""Cases of a sweep: some in ``make test``, all in ``make test-release``."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Any, TypeVar

import pytest

T = TypeVar("T")


def rest_in_release(cases: Iterable[T], at_once: Container[T]) -> list[Any]:
    """Parameters of a test: those that are not ``at_once`` are marked ``release``."""
    return [
        case if case in at_once else pytest.param(case, marks=pytest.mark.release) for case in cases
    ]


def every_nth_and_all(cases: Sequence[T], step: int, start: int = 0) -> list[Any]:
    """Parameters of a test that takes several cases: one in ``step``, and for release all."""
    return [
        pytest.param(cases[start::step], id=f"one in {step}"),
        pytest.param(cases, id="all", marks=pytest.mark.release),
    ]
