"""Fields for the parameters that methods declare, for any form; what is left empty stays as it is.

A field is named ``METHOD.PARAMETER``; ``with_parameters`` reads them. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from markupsafe import Markup

from winnow.jobs.results import MethodParameter
from winnow.proxy.own.templates.settings.parameter_names import name_of, value_of
from winnow.proxy.own.translation import _


def parameter_fields(
    parameters: Sequence[MethodParameter], chosen: Sequence[str] = (), *, is_open: bool = False
) -> Markup:
    """A group of fields for each method, folded unless ``is_open``; "" where none has parameters.

    ``parameters``: those of one method together. ``chosen``: methods whose values are filled in.
    """
    given = dict(_given(method) for method in chosen)
    groups = (
        Markup("<fieldset><legend>{}</legend>\n{}\n</fieldset>").format(
            _("Parameters of {name}").format(name=name),
            Markup("\n").join(_field(one, given.get(name, {})) for one in listed),
        )
        for name, listed in groupby(parameters, lambda each: each.method)
    )
    body = Markup("\n").join(groups)
    if not body:
        return body
    return Markup("<details{}><summary>{}</summary>\n{}\n</details>").format(
        Markup(" open") if is_open else "", _("Parameters"), body
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


def _field(parameter: MethodParameter, given: Mapping[str, str]) -> Markup:
    name, value = f"{parameter.method}.{parameter.name}", given.get(parameter.name, "")
    if not parameter.choices:
        step = "1" if parameter.whole else "any"
        return Markup(
            '<label>{} <input type="number" name="{}" min="{:g}" max="{:g}" step="{}" '
            'placeholder="{}" value="{}"></label>'
        ).format(
            *(name_of(parameter), name, parameter.least, parameter.most, step),
            *(parameter.default, value),
        )
    options = Markup("").join(
        Markup('<option value="{}"{}>{}</option>').format(
            "" if choice == parameter.default else choice,
            Markup(" selected") if choice == (value or parameter.default) else Markup(""),
            value_of(parameter, choice),
        )
        for choice in parameter.choices
    )
    return Markup('<label>{} <select name="{}">{}</select></label>').format(
        name_of(parameter), name, options
    )
