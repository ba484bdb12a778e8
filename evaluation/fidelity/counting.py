"""The measure "fidelity": what of a page's structure and facts is still there for a reader.

Inside the main content, as the gold text says; posts, ingredients and the price as the page's own
structured data say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from winnow.document.document import Document
from winnow.document.values import Page
from winnow.evaluation.fidelity.gold_region import GoldRegion
from winnow.evaluation.fidelity.shown_page import ShownPage
from winnow.evaluation.fidelity.structured import structured_things
from winnow.evaluation.fidelity.things import Thing, sections, things
from winnow.evaluation.packages import PackageEntry
from winnow.evaluation.tables import aligned

KINDS: Final = (
    *("heading", "section", "list", "item", "pair", "table", "cell", "code line"),
    *("image", "caption", "link", "formula", "embed", "quoted post"),
    *("post", "thread", "ingredient", "price"),
)
SECTION: Final = "section"
"""A heading whose section's text is there."""


@dataclass(frozen=True, slots=True)
class Survival:
    """How many things of each kind there are, and how many are still shown."""

    there: Counter[str]
    shown: Counter[str]

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
    own_sections = list(sections(document, region))
    return {
        name: survival(found, own_sections, show(entry, document)) for name, show in shows.items()
    }


def survival(
    found: Sequence[Thing], own_sections: Sequence[tuple[str, str]], shown: bytes
) -> Survival:
    """How many of a page's things and sections stand in markup that was made of it."""
    page = ShownPage(Document.parse(Page(shown, None, "utf-8")))
    there, left = Counter(thing.kind for thing in found), Counter[str]()
    left.update(thing.kind for thing in found if page.shows(thing))
    for heading, text in own_sections:
        if page.shows_words("", text):
            there[SECTION] += 1
            left[SECTION] += page.shows_words("heading", heading)
    return Survival(there, left)


def total(found: Iterable[Survival]) -> Survival:
    """The sum over pages."""
    there, shown = Counter[str](), Counter[str]()
    for one in found:
        there.update(one.there)
        shown.update(one.shown)
    return Survival(there, shown)


def fidelity_table(package: str, found: Mapping[str, Survival]) -> str:
    """A line for each kind that a package has, a column for each subject."""
    kinds = [kind for kind in KINDS if any(one.there[kind] for one in found.values())]
    lines = [
        [package, kind, *(_cell(one.shown[kind], one.there[kind]) for one in found.values())]
        for kind in kinds
    ]
    return aligned(["package", "what", *found], lines, 2)


def _cell(shown: int, there: int) -> str:
    return f"{shown} of {there} {100 * shown / there:5.1f} %" if there else "-"
