"""Fields for the parameters that methods declare, for any form; what is left empty stays as it is.

A field is named ``METHOD.PARAMETER``; ``with_parameters`` reads them. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final

from markupsafe import Markup

from winnow.features.site.parameter_names import name_of, value_of
from winnow.jobs.results import MethodParameter
from winnow.proxy.own.page_templates import page_template

_TEMPLATE: Final = page_template(__package__, "parameter_fields.html")


def parameter_fields(
    parameters: Sequence[MethodParameter], chosen: Sequence[str] = (), *, is_open: bool = False
) -> Markup:
    """A group of fields for each method, folded unless ``is_open``; "" where none has parameters.

    ``parameters``: those of one method together. ``chosen``: methods whose values are filled in.
    """
    given = dict(_given(method) for method in chosen)
    by_method = groupby(parameters, lambda each: each.method)
    return _TEMPLATE(
        groups={name: list(listed) for name, listed in by_method},
        given=given,
        is_open=is_open,
        name_of=name_of,
        value_of=value_of,
    )


def with_parameters(methods: Sequence[str], query: Mapping[str, str]) -> list[str]:
    """The methods with what a form says of each; what is empty has its default."""
    found = []
    for method in methods:
        name = method.partition(":")[0]
        named = {
            key.removeprefix(f"{name}."): value.strip()
            for key, value in query.items()
            if key.startswith(f"{name}.") and value.strip()
        }
        listed = ",".join(f"{key}={value}" for key, value in named.items())
        found.append(f"{name}:{listed}" if listed else method)
    return found


def _given(method: str) -> tuple[str, dict[str, str]]:
    """A specification's name and named parameters."""
    name, _sign, values = method.partition(":")
    pairs = (pair.partition("=") for pair in values.split(",") if "=" in pair)
    return name, {key: value for key, _equals, value in pairs}
