"""What a reader sets of Crunch's filters, and the specification that means it. Pure.

The ladder of levels is given, for this package knows no extractor.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.sentences import says

METHOD: Final = "crunch"
LEAST_TEXT: Final = 12
"""Crunch's own shortest text of a table that is not empty, in characters."""
ALTS: Final = ("", "none", "images", "links", "both")


@dataclass(frozen=True, slots=True)
class LadderLevel:
    """One level: which filters work, the most links per word, whether ALT texts are shown."""

    filters: frozenset[str]
    ratio: float


@dataclass(frozen=True, slots=True)
class CrunchLadder:
    """``filters`` in the order in which they work; ``levels``: the first is 1."""

    filters: tuple[str, ...]
    levels: tuple[LadderLevel, ...]
    presets: Mapping[str, int]

    def at(self, number: int) -> LadderLevel:
        """The level of a number. Raises ClientFaultError."""
        if not 1 <= number <= len(self.levels):
            message = says("“{value}” is no level; choose 1 to 12.", value=number)
            raise ClientFaultError(message, 400, "bad-level")
        return self.levels[number - 1]

    def last_level(self, name: str) -> int:
        """The last level at which a filter works."""
        return sum(name in level.filters for level in self.levels)


@dataclass(frozen=True, slots=True)
class CrunchSettings:
    """The filters that work and how; ``font`` and ``fixed`` are per cent."""

    level: int
    filters: frozenset[str]
    ratio: float
    substance: int = LEAST_TEXT
    alts: str = ""
    modern: bool = True
    check: bool = True
    retain: bool = False
    font: int = 100
    fixed: int = 100

    @classmethod
    def at(cls, level: int, ladder: CrunchLadder) -> CrunchSettings:
        """A level as the slider sets it. Raises ClientFaultError."""
        found = ladder.at(level)
        return cls(level, found.filters, found.ratio)

    def specification(self, ladder: CrunchLadder) -> str:
        """Crunch with all that differs from the level, which is stored beside it."""
        usual = ladder.at(self.level)
        order = ladder.filters
        values = {
            "modern": _word(self.modern),
            "check": "" if self.check else "false",
            "take": "+".join(name for name in order if name in self.filters - usual.filters),
            "keep": "+".join(name for name in order if name in usual.filters - self.filters),
            "ratio": "" if self.ratio == usual.ratio else f"{self.ratio:g}",
            "substance": "" if self.substance == LEAST_TEXT else str(self.substance),
            "alts": self.alts,
            "retain": "true" if self.retain else "",
            "font": "" if self.font == 100 else str(self.font),
            "fixed": "" if self.fixed == 100 else str(self.fixed),
        }
        return f"{METHOD}:" + ",".join(f"{key}={value}" for key, value in values.items() if value)


def is_filtered(method: str) -> bool:
    """Whether a method names Crunch's filters."""
    return method.startswith(f"{METHOD}:")


def _word(value: bool) -> str:
    return "true" if value else "false"


def read_form(fields: Mapping[str, str], ladder: CrunchLadder) -> CrunchSettings:
    """The settings of a form; a box that is not ticked is absent. Raises ClientFaultError."""
    return CrunchSettings(
        level=int(_number(fields, "level", 1, len(ladder.levels))),
        filters=frozenset(name for name in ladder.filters if f"filter.{name}" in fields),
        ratio=_number(fields, "ratio", 0.001, 1000),
        substance=int(_number(fields, "substance", 0, 100_000)),
        alts=_one_of(fields, "alts"),
        modern="modern" in fields,
        check="check" in fields,
        retain="retain" in fields,
        font=int(_number(fields, "font", 25, 400)),
        fixed=int(_number(fields, "fixed", 10, 400)),
    )


def read_specification(text: str, level: int, ladder: CrunchLadder) -> CrunchSettings:
    """The settings that a stored specification means at a level. Raises ClientFaultError."""
    pairs = (pair.partition("=") for pair in text.partition(":")[2].split(",") if "=" in pair)
    given = {key: value for key, _, value in pairs}
    usual = CrunchSettings.at(level, ladder)
    taken, kept = (frozenset(given.get(key, "").split("+")) for key in ("take", "keep"))
    fields = {
        "level": str(level),
        "ratio": given.get("ratio", str(usual.ratio)),
        "substance": given.get("substance", str(LEAST_TEXT)),
        "alts": given.get("alts", ""),
        "font": given.get("font", "100"),
        "fixed": given.get("fixed", "100"),
    }
    works = (usual.filters | taken) - kept
    ticked = {f"filter.{name}": "on" for name in works}
    ticked |= {"modern": "on"} if given.get("modern", _word(not given)) == "true" else {}
    ticked |= {"check": "on"} if given.get("check", "true") == "true" else {}
    ticked |= {"retain": "on"} if given.get("retain") == "true" else {}
    return read_form({**fields, **ticked}, ladder)


def _number(fields: Mapping[str, str], name: str, least: float, most: float) -> float:
    try:
        value = float(fields.get(name, ""))
    except ValueError:
        value = float("nan")
    if least <= value <= most:  # nan is in no range
        return value
    message = says(
        "{name} is a number from {least} to {most}.",
        name=name,
        least=f"{least:g}",
        most=f"{most:g}",
    )
    raise ClientFaultError(message, 400, "bad-form")


def _one_of(fields: Mapping[str, str], name: str) -> str:
    value = fields.get(name, "")
    if value in ALTS:
        return value
    raise ClientFaultError(
        says("{name} is one of {names}.", name=name, names=", ".join(ALTS[1:])), 400, "bad-form"
    )
