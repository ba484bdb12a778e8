"""The measures "fidelity" and "kept": what of a page's structure and facts is still there.

Inside the main content, as the gold text says; posts, ingredients and the price as the page's own
structured data say. "kept" counts beside it what is shown of the same kinds from the rest of the
page (chaff), and of words that no browser shows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Final

from winnow.document.document import Document
from winnow.document.values import Page
from winnow.evaluation.fidelity.gold_region import GoldRegion
from winnow.evaluation.fidelity.shown_page import ShownPage
from winnow.evaluation.fidelity.structured import structured_things
from winnow.evaluation.fidelity.things import Thing, next_pages, sections, things, unseen
from winnow.evaluation.gold.packages import PackageEntry
from winnow.evaluation.reporting.tables import aligned

KINDS: Final = (
    *("heading", "section", "list", "item", "pair", "table", "cell", "code line"),
    *("image", "caption", "link", "formula", "embed", "quoted post"),
    *("post", "thread", "ingredient", "price"),
)
KEPT_KINDS: Final = (
    *("code line", "table", "figure", "caption", "heading", "item", "link", "quoted post"),
    *("image", "formula", "form", "embed", "price", "speaker", "next page", "unseen words"),
)
FIDELITY: Final = "fidelity"
SECTION: Final = "section"
"""A heading whose section's text is there."""


@dataclass(frozen=True, slots=True)
class Survival:
    """How many things of each kind there are, and how many are still shown; and of the things of
    the same kinds that are chaff."""

    there: Counter[str] = field(default_factory=Counter)
    shown: Counter[str] = field(default_factory=Counter)
    chaff: Counter[str] = field(default_factory=Counter)
    chaff_shown: Counter[str] = field(default_factory=Counter)

    def share(self, kind: str) -> float:
        """The share still shown; 1 where there is nothing to lose."""
        return self.shown[kind] / self.there[kind] if self.there[kind] else 1.0


Show = Callable[[PackageEntry, Document], bytes]
"""Clean HTML of what a subject shows of a page, UTF-8; it raises nothing."""


def survivals(entry: PackageEntry, shows: Mapping[str, Show]) -> dict[str, Survival]:
    """Count what a page holds, and what each subject still shows; without gold its facts alone."""
    document = Document.parse(Page(entry.body, entry.url))
    region = GoldRegion.of(document, entry.gold) if entry.gold else None
    found = [*structured_things(document), *(things(region) if region else ())]
    found += next_pages(document)
    chaff = list(unseen(document))
    if region:
        own = {(thing.kind, thing.traces) for thing in found}
        chaff += (thing for thing in things(region.rest()) if (thing.kind, thing.traces) not in own)
    own_sections = list(sections(document, region))
    return {
        name: survival(found, own_sections, show(entry, document), chaff)
        for name, show in shows.items()
    }


def survival(
    found: Sequence[Thing],
    own_sections: Sequence[tuple[str, str]],
    shown: bytes,
    chaff: Sequence[Thing] = (),
) -> Survival:
    """How many of a page's things and sections stand in markup that was made of it."""
    page = ShownPage(Document.parse(Page(shown, None, "utf-8")))
    counted = Survival()
    for those, there, left in (
        (found, counted.there, counted.shown),
        (chaff, counted.chaff, counted.chaff_shown),
    ):
        there.update(thing.kind for thing in those)
        left.update(thing.kind for thing in those if page.shows(thing))
    for heading, text in own_sections:
        if page.shows_words("", text):
            counted.there[SECTION] += 1
            counted.shown[SECTION] += page.shows_words("heading", heading)
    return counted


def total(found: Iterable[Survival]) -> Survival:
    """The sum over pages."""
    summed = Survival()
    for one in found:
        for column in fields(Survival):
            getattr(summed, column.name).update(getattr(one, column.name))
    return summed


def fidelity_table(package: str, found: Mapping[str, Survival]) -> str:
    """A line for each kind that a package has, a column for each subject."""
    kinds = [kind for kind in KINDS if any(one.there[kind] for one in found.values())]
    lines = [
        [package, kind, *(_cell(one.shown[kind], one.there[kind]) for one in found.values())]
        for kind in kinds
    ]
    return aligned(["package", "what", *found], lines, 2)


def kept_table(package: str, found: Mapping[str, Survival]) -> str:
    """A line for each kind: what is kept of the main content, what is lost, what of the rest of the
    page (chaff) is kept, for each subject."""
    lines = [
        [package, kind, *(cell for one in found.values() for cell in _kept_cells(one, kind))]
        for kind in KEPT_KINDS
        if any(one.there[kind] + one.chaff[kind] for one in found.values())
    ]
    heads = (f"{name}{column}" for name in found for column in ("", " lost", " chaff kept"))
    return aligned(["package", "what", *heads], lines, 2)


def _kept_cells(one: Survival, kind: str) -> tuple[str, str, str]:
    there, shown = one.there[kind], one.shown[kind]
    lost = str(there - shown) if there else "-"
    return _cell(shown, there), lost, _cell(one.chaff_shown[kind], one.chaff[kind])


def _cell(shown: int, there: int) -> str:
    return f"{shown} of {there} {100 * shown / there:5.1f} %" if there else "-"


TABLES: Final = {FIDELITY: fidelity_table, "kept": kept_table}
"""The tables by the measure's name."""
