"""Which extractors there are and how a specification makes one.

The grammar (docs/formats.md): ``NAME``, ``NAME:VALUE``, ``NAME:KEY=VALUE,KEY=VALUE``. Third parties
add theirs by the entry-point group ``winnow.extractors``: each entry point is a factory like those
below, a callable that takes parameters by name and returns an extractor.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import Any, Final

from winnow.extractors.errors import ParameterError, UnknownExtractorError
from winnow.extractors.extractor_protocol import Extractor
from winnow.extractors.parameters import given

ENTRY_POINTS: Final = "winnow.extractors"
DEFAULT: Final = "auto"

METHODS: Final = ("auto", "baselines", "crf", "crunch", "layout", "memory", "mss", "vips")
"""Folders, each of which is a feature (winnow.feature_list)."""


def folder_of(method: str) -> Any:
    """The package of a method: EXTRACTORS, "module:factory" by name; TRAINER where it learns."""
    return import_module(f"winnow.extractors.{method}")


BUILT_IN: Final[Mapping[str, str]] = MappingProxyType(
    {k: v for each in METHODS for k, v in folder_of(each).EXTRACTORS.items()}
)
_in_use: dict[str, str] = {**BUILT_IN}


def use(extractors: Mapping[str, str]) -> None:
    """From now on this process has these in place of BUILT_IN: what its features bring."""
    _in_use.clear()
    _in_use.update(extractors)


USUAL: Final = ("auto", "mss", "bte", "dsc", "lqf", "simple-mss", "largest-block", "crunch")
"""Those that readers compare and choose first."""


def names(brought: Iterable[str] | None = None) -> list[str]:
    """The names of all extractors, sorted: those that features bring (None: those in use here) and
    those of entry points."""
    return sorted(
        {
            *(_in_use if brought is None else brought),
            *(point.name for point in entry_points(group=ENTRY_POINTS)),
        }
    )


def factory(name: str) -> Callable[..., Extractor]:
    """The factory of an extractor. Raises UnknownExtractorError."""
    if name in _in_use:
        module, _, attribute = _in_use[name].partition(":")
        made: Callable[..., Extractor] = getattr(import_module(module), attribute)
        return made
    for point in entry_points(group=ENTRY_POINTS, name=name):
        loaded: Callable[..., Extractor] = point.load()
        return loaded
    nearest = difflib.get_close_matches(name, names(), 1)
    hint = f"did you mean {nearest[0]!r}?" if nearest else f"there are {', '.join(names())}."
    raise UnknownExtractorError(f"There is no extractor {name!r}: {hint}")


def make(specification: str) -> Extractor:
    """The extractor that a specification names.

    Raises UnknownExtractorError for its name, ParameterError for its parameters.
    """
    name, _, values = specification.strip().partition(":")
    maker = factory(name)
    arguments = given(name, maker, values) if values else {}
    try:
        return maker(**arguments)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"{specification!r} does not work: {error}.") from error
