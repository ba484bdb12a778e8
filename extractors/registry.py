"""Which extractors there are and how a specification makes one.

The grammar (docs/formats.md): ``NAME``, ``NAME:VALUE``, ``NAME:KEY=VALUE,KEY=VALUE``. Third parties
add theirs by the entry-point group ``winnow.extractors``: each entry point is a factory like those
below, a callable that takes parameters by name and returns an extractor.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import Final

from winnow.extractors.errors import ParameterError, UnknownExtractorError
from winnow.extractors.extractor_protocol import Extractor
from winnow.extractors.parameters import given

ENTRY_POINTS: Final = "winnow.extractors"
DEFAULT: Final = "auto"

BUILT_IN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "plain": "winnow.extractors.baselines.plain:Plain",
        "largest-block": "winnow.extractors.baselines.largest_block:LargestBlock",
        "simple-mss": "winnow.extractors.baselines.simple_mss:SimpleMss",
        "bte": "winnow.extractors.baselines.bte:BodyTextExtraction",
        "dsc": "winnow.extractors.baselines.dsc:DocumentSlopeCurve",
        "lqf": "winnow.extractors.baselines.lqf:LinkQuotaFilter",
        "mss": "winnow.extractors.mss.mss_extractors:Mss",
        "mss-hr": "winnow.extractors.mss.mss_extractors:MssRule",
        "mss-site": "winnow.extractors.mss.mss_site:MssSite",
        "mss-cleaneval": "winnow.extractors.mss.mss_extractors:MssCleanEval",
        "layout": "winnow.extractors.layout.layout_extractor:LayoutExtractor",
        "crunch": "winnow.extractors.crunch.crunch_extractor:Crunch",
        "memory": "winnow.extractors.memory.memory_extractor:Memory",
        "crf": "winnow.extractors.crf.crf_extractor:Crf",
        "vips": "winnow.extractors.vips.vips_extractor:Vips",
        "auto": "winnow.extractors.auto.auto_extractor:Auto",
    }
)
"""The factory of each built-in; imported when it is first made."""


USUAL: Final = ("auto", "mss", "bte", "dsc", "lqf", "simple-mss", "largest-block", "crunch")
"""Those that readers compare and choose first."""


def names() -> list[str]:
    """The names of all extractors, built-in and installed, sorted."""
    return sorted({*BUILT_IN, *(point.name for point in entry_points(group=ENTRY_POINTS))})


def factory(name: str) -> Callable[..., Extractor]:
    """The factory of an extractor. Raises UnknownExtractorError."""
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
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
