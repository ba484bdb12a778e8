"""The parameters of an extractor: which values each may have, and how a specification sets them.

A built-in declares them with its fields: ``threshold: float = parameter(0.5, Range(0, 1))``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from typing import Any, Final, TypeVar

from winnow.extractors.errors import ParameterError
from winnow.extractors.extractor_protocol import Extractor


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from ``least`` to ``most``, both included."""

    least: float
    most: float

    def __contains__(self, value: float) -> bool:
        return self.least <= value <= self.most

    def __str__(self) -> str:
        return f"a number from {self.least:g} to {self.most:g}"


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of these names."""

    names: tuple[str, ...]

    def __contains__(self, value: str) -> bool:
        return value in self.names

    def __str__(self) -> str:
        return "one of " + ", ".join(self.names)


Permitted = Range | OneOf
T = TypeVar("T")
_PERMITTED: Final = "permitted"
_OFFERED: Final = "offered"
_SWITCH: Final = OneOf(("false", "true"))


def parameter(default: T, values: Permitted) -> T:
    """A field of an extractor's dataclass that permits these values."""
    made: T = field(default=default, metadata={_PERMITTED: values})
    return made


def unoffered(default: T) -> T:
    """A field that no form offers: what the proxy sets itself, and former names."""
    made: T = field(default=default, metadata={_OFFERED: False})
    return made


def permitted(kind: type[Any]) -> Mapping[str, Permitted]:
    """The values that a class of extractors permits, by parameter; the others take any."""
    return {
        each.name: each.metadata[_PERMITTED] for each in fields(kind) if _PERMITTED in each.metadata
    }


def needs_of(kind: object) -> Mapping[str, tuple[str, str]]:
    """What choices of a method need, such as ``mode=webstemmer``: a parameter that names a file,
    and how that is made."""
    found: Mapping[str, tuple[str, str]] = getattr(kind, "needs", {})
    return found


def lacking(extractor: Extractor) -> str:
    """What an extractor cannot work without, as a sentence; "" for nothing."""
    for choice, (needed, how) in needs_of(extractor).items():
        name, _, value = choice.partition("=")
        if str(getattr(extractor, name)).lower() == value and not getattr(extractor, needed):
            return f"{extractor.name!r} does not work: {choice} needs {needed}=FILE; {how}."
    return ""


@dataclass(frozen=True, slots=True)
class DeclaredParameter:
    """A parameter that a form can offer: its default as a specification writes it, and either the
    names that it permits or the range of its numbers; ``whole``: whole numbers alone."""

    name: str
    default: str
    choices: tuple[str, ...] = ()
    least: float = 0.0
    most: float = 0.0
    whole: bool = False


def declared(kind: Callable[..., Any]) -> tuple[DeclaredParameter, ...]:
    """The parameters whose permitted values a class of extractors declares, switches among them,
    in its order; those of all methods last. Choices that need a file are left out."""
    if not (isinstance(kind, type) and is_dataclass(kind)):
        return ()
    switches: dict[str, Permitted] = {
        each.name: _SWITCH
        for each in fields(kind)
        if isinstance(each.default, bool) and each.metadata.get(_OFFERED, True)
    }
    values = {**switches, **permitted(kind)}
    own_first = sorted(fields(kind), key=lambda each: each.kw_only is True)
    needs = needs_of(kind)
    found = (_declared(each, values[each.name], needs) for each in own_first if each.name in values)
    return tuple(each for each in found if len(each.choices) != 1)


def _declared(each: Field[Any], values: Permitted, needs: Iterable[str]) -> DeclaredParameter:
    default = str(each.default).lower() if values is _SWITCH else str(each.default)
    if isinstance(values, OneOf):
        choices = tuple(name for name in values.names if f"{each.name}={name}" not in needs)
        return DeclaredParameter(each.name, default, choices=choices)
    whole = isinstance(each.default, int)
    return DeclaredParameter(each.name, default, least=values.least, most=values.most, whole=whole)


def check(extractor: Any) -> None:
    """Raises ValueError for a parameter with a value that is not permitted."""
    for name, values in permitted(type(extractor)).items():
        value = getattr(extractor, name)
        if value not in values:  # nan is in no range
            raise ValueError(f"{name} is {values}, not {value}")


def defaults(maker: Callable[..., Any]) -> dict[str, Any] | None:
    """The parameters of a class of extractors and their defaults; None where they are not known."""
    if not (isinstance(maker, type) and is_dataclass(maker)):
        return None
    own_first = sorted(fields(maker), key=lambda each: each.kw_only is True)
    found = {each.name: each.default for each in own_first}
    return None if MISSING in found.values() else found


def given(name: str, maker: Callable[..., Any], values: str) -> dict[str, Any]:
    """The arguments that ``KEY=VALUE,KEY=VALUE`` or ``VALUE`` names. Raises ParameterError."""
    listed, found = defaults(maker), dict[str, Any]()
    plugged: dict[str, dict[str, str]] = {}
    for key, value in _pairs(values, str(getattr(maker, "main_parameter", ""))):
        if listed is not None and key not in listed:
            if "filters" in listed and (plug_in := _filter_named(key.partition(".")[0])):
                plugged.setdefault(plug_in, {})[key.partition(".")[2]] = value
                continue
            names_of = ", ".join(listed) or "none"
            raise ParameterError(f"{name!r} has no parameter {key or value!r}; it has: {names_of}.")
        if key in found:
            raise ParameterError(f"{name}:{key} has two values.")
        found[key] = _convert(f"{name}:{key}", value, (listed or {}).get(key))
    written = [_as_filter(*each) for each in plugged.items() if each[1].pop("", "") == "true"]
    if written:
        found["filters"] = "+".join((*filter(None, [found.get("filters")]), *written))
    return found


def _filter_named(key: str) -> str:
    """The third party's filter that a key stands for, "" for none."""
    from winnow.extractors.crunch.filter_protocol import names  # noqa: PLC0415 - stands on this

    return next((name for name in names() if name.replace("-", "_") == key), "")


def _as_filter(name: str, values: Mapping[str, str]) -> str:
    return ":".join((name, *(word for pair in values.items() for word in pair)))


def _pairs(values: str, main: str) -> Iterable[tuple[str, str]]:
    for item in values.split(","):
        key, equals, value = item.partition("=")
        pair = (key, value) if equals else (main, item)
        yield pair[0].strip().replace("-", "_"), pair[1].strip()


def _convert(path: str, value: str, default: Any) -> Any:
    """The value in the type of the parameter's default."""
    if isinstance(default, bool):
        if value.lower() not in {"true", "false"}:
            raise ParameterError(f"{path} takes true or false, not {value!r}.")
        return value.lower() == "true"
    kind = type(default) if isinstance(default, int | float) else str
    try:
        return kind(value)
    except ValueError as error:
        whole = "whole " if kind is int else ""
        raise ParameterError(f"{path} takes a {whole}number, not {value!r}.") from error
