"""What a request prefers: extractor, format, level, profile, bar.

The same names are ``Winnow-`` fields and query parameters of our own pages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import TypeVar

from winnow.document.values import (
    BodyKind,
    Detail,
    Format,
    MethodOptions,
    Profile,
    Recipe,
    RenderMode,
)
from winnow.jobs.answers import Fallback
from winnow.proxy.decisions.request.device_profiles import for_device
from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.http.accept import preferences
from winnow.proxy.http.headers import Headers, number
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.sentences import says

NAMES = (
    "extractor",
    "format",
    "mode",
    "level",
    "profile",
    "bar",
    "https",
    "records",
    "render",
    "fallback",
    "selector",
    "max_tokens",
    "offset",
    "details",
)
"""Of query parameters."""


def _field(name: str) -> str:
    return f"winnow-{name.replace('_', '-')}"


FIELDS = tuple(map(_field, NAMES))
"""The fields that are not sent to origins."""

_FIELDS = frozenset(FIELDS)

BY_ACCEPT = {form.media_type: form for form in reversed(Format) if form.kind is not BodyKind.PAGE}
"""Of several formats of one media type the first counts."""
_EXTRACTOR = re.compile(r"[A-Za-z0-9_.-]{1,64}(:[A-Za-z0-9_.,:=+-]{0,512})?\Z")
_LEVELS = range(1, 13)
_LONGEST_SELECTOR = 512
_YES = frozenset({"yes", "on"})
BY_LEVEL = "crunch"
"""The method whose ladder levels are."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """The preferences of one request, defaults filled in.

    ``over_https``: a plain address that leads to the same over HTTPS is fetched there.
    ``named_format``, ``named_profile``, ``named_method``: the request names the format, the
    profile; an extractor, a level or a mode, so that it gets what these find. ``max_tokens``,
    ``offset``: which part of a text (winnow.jobs.text_parts); 0 is all.
    """

    recipe: Recipe
    mode: RequestMode = RequestMode.AUTO
    bar: bool = True
    over_https: bool = False
    named_format: bool = False
    named_profile: bool = False
    named_method: bool = False
    fallback: Fallback = Fallback.NONE
    max_tokens: int = 0
    offset: str = ""


Choice = TypeVar("Choice", bound=StrEnum)


def _choice(kind: type[Choice], name: str, value: str, default: Choice) -> Choice:
    if not value:
        return default
    try:
        return kind(value.strip().lower())
    except ValueError as error:
        names = ", ".join(kind)
        message = says(
            "“{value}” is no {name}; choose one of {names}.", value=value, name=name, names=names
        )
        raise ClientFaultError(message, 400, f"bad-{name}") from error


def _options(value: str, default: MethodOptions) -> MethodOptions:
    if not value:
        return default
    level = number(value)
    if level in _LEVELS:
        return replace(default, level=level)
    raise ClientFaultError(
        says("“{value}” is no level; choose 1 to 12.", value=value), 400, "bad-level"
    )


def _selector(value: str) -> str:
    if len(value) > _LONGEST_SELECTOR:
        raise ClientFaultError(says("The selector is too long."), 400, "bad-selector")
    return value.strip()


def _most_tokens(value: str) -> int:
    most = number(value) if value else 0
    if most is None or (value and not most):
        message = says("“{value}” is no number of tokens.", value=value)
        raise ClientFaultError(message, 400, "bad-max-tokens")
    return most


def _details(value: str, default: tuple[Detail, ...]) -> tuple[Detail, ...]:
    named = {
        _choice(Detail, "detail", name, Detail.BLOCKS) for name in value.split(",") if name.strip()
    }
    return tuple(each for each in Detail if each in named) or default


def is_extractor(value: str) -> bool:
    """Whether a text is written as an extractor's name is, with its parameters."""
    return _EXTRACTOR.match(value) is not None


def is_offered(value: str, names: Container[str]) -> bool:
    """Whether a text is so written, and the name is one of these."""
    return is_extractor(value) and value.partition(":")[0] in names


def _extractor(value: str, default: str) -> str:
    if not value:
        return default
    if is_extractor(value):
        return value
    raise ClientFaultError(
        says("“{value}” is no extractor’s name.", value=value), 400, "bad-extractor"
    )


def by_level(recipe: Recipe, *, named_format: bool = False) -> Recipe:
    """A recipe whose level decides: Crunch's ladder, and the page's own look for a browser."""
    keeps_look = recipe.format is Format.HTML and not named_format
    shown = Format.PRUNED if keeps_look else recipe.format
    extractor = recipe.extractor if recipe.ladder_level else BY_LEVEL
    return replace(recipe, extractor=extractor, format=shown)


def _preferences(ask: Callable[[str], str], recipe: Recipe) -> Preferences:
    chosen = replace(
        recipe,
        extractor=_extractor(ask("extractor"), recipe.extractor),
        format=_choice(Format, "format", ask("format"), recipe.format),
        profile=_choice(Profile, "profile", ask("profile"), recipe.profile),
        options=_options(ask("level"), recipe.options),
        render=_choice(RenderMode, "render", ask("render"), recipe.render),
        only=_selector(ask("selector")),
        details=_details(ask("details"), recipe.details),
        records=ask("records").strip().lower() in _YES if ask("records") else recipe.records,
    )
    if ask("level") and not ask("extractor"):
        chosen = by_level(chosen, named_format=bool(ask("format")))
    method = bool(ask("extractor") or ask("level") or ask("selector"))
    explicit = RequestMode.EXTRACT if ask("format") or method else RequestMode.AUTO
    mode = _choice(RequestMode, "mode", ask("mode"), explicit)
    bar, https = ask("bar").strip().lower(), ask("https").strip().lower()
    named = bool(ask("format")), bool(ask("profile")), method or bool(ask("mode"))
    fallback = _choice(Fallback, "fallback", ask("fallback"), Fallback.NONE)
    part = _most_tokens(ask("max_tokens")), ask("offset").strip()
    if any(part) and chosen.format.kind is not BodyKind.TEXT:
        message = says("A part can be asked of text and Markdown alone.")
        raise ClientFaultError(message, 400, "bad-max-tokens")
    return Preferences(chosen, mode, bar != "off", https == "on", *named, fallback, *part)


def from_headers(headers: Headers, recipe: Recipe) -> Preferences:
    """Read the ``Winnow-`` fields, then Accept and User-Agent. Raises ClientFaultError."""
    recipe = for_device(headers, recipe)
    if _FIELDS.isdisjoint(headers.by_name):
        return _from_accept(recipe, format_by_accept(headers))
    wanted = format_by_accept(headers)
    if wanted and "winnow-format" not in headers:
        recipe = replace(recipe, format=wanted)
    return _preferences(lambda name: headers.get(_field(name)), recipe)


@lru_cache(maxsize=64)
def _from_accept(recipe: Recipe, wanted: Format | None) -> Preferences:
    """The preferences of most requests: those of Accept alone."""
    return Preferences(replace(recipe, format=wanted) if wanted else recipe)


def from_query(query: Mapping[str, str], recipe: Recipe) -> Preferences:
    """Read query parameters of the same names. Raises ClientFaultError for a bad value."""
    return _preferences(lambda name: query.get(name, ""), recipe)


def format_by_accept(headers: Headers) -> Format | None:
    """The format that Accept ranks first, when it is one of ours."""
    wanted = preferences(headers.joined("accept"))
    return BY_ACCEPT.get(wanted[0].name) if wanted else None
