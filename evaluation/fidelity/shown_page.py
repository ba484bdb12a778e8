"""Where the traces of things are looked for in a page that a reader gets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import unescape
from typing import Final

import numpy as np

from winnow.document.document import Document
from winnow.document.metadata.fact_values import shows_amount
from winnow.document.parsing import tags
from winnow.document.render.article.fact_places import plain_words
from winnow.document.render.embedded.formulas import formula_text
from winnow.evaluation.fidelity.files import all_files, file_of
from winnow.evaluation.fidelity.gold_region import words_of
from winnow.evaluation.fidelity.shown_posts import ShownPosts
from winnow.evaluation.fidelity.things import (
    Thing,
    embed_trace,
    field_names,
    formula_trace,
    lines_of_code,
    link_trace,
)
from winnow.evaluation.measuring.tasks import shown_text

_HOLDERS: Final = {
    "heading": "h1 h2 h3 h4 h5 h6",
    "list": "ul ol",
    "item": "li",
    "table": "table",
    "cell": "td th",
    "caption": "figure figcaption",
}
_ADDRESS: Final = re.compile(r' (?:src|href)="([^"]+)"')


@dataclass(frozen=True, eq=False)
class ShownPage:
    """A page that was made for a reader, as clean HTML; each view of it is made on demand."""

    document: Document
    _texts: dict[str, str] = field(default_factory=dict, init=False)

    def shows(self, thing: Thing) -> bool:
        """Whether enough of a thing's traces are there."""
        if thing.kind == "post":
            return self._posts.has(*thing.traces)
        if thing.kind == "speaker":
            text, author, _ = thing.traces
            return self._posts.has(text, author, "")
        if thing.kind == "thread":
            return self._posts.are_apart(thing.traces)
        holds = self._finders.get(thing.kind)
        if holds is None:
            return sum(f" {trace} " in self._text(thing.kind) for trace in thing.traces) >= (
                thing.least
            )
        return any(map(holds, thing.traces))

    def shows_words(self, kind: str, trace: str) -> bool:
        """Whether words stand in a row in the places of a kind, or anywhere for any other."""
        return f" {trace} " in self._text(kind)

    @cached_property
    def _finders(self) -> Mapping[str, Callable[[str], bool]]:
        return {
            "pair": lambda trace: trace in self._letters,
            "code line": lambda trace: trace in self._code,
            "link": lambda trace: trace in self._links,
            "formula": lambda trace: trace in self._formulas,
            "embed": lambda trace: trace in self._addresses,
            "image": lambda trace: f" {trace} " in f" {self._files} ",
            "figure": lambda trace: f" {trace} " in f" {self._files} ",
            "form": lambda trace: trace in self._fields,
            "next page": lambda trace: trace in self._targets,
            "ingredient": self._has_ingredient,
            "price": lambda trace: shows_amount(trace, shown_text(self.document)),
        }

    def _text(self, kind: str) -> str:
        """The words in the places of a kind, in one row."""
        names = _HOLDERS.get(kind, "")
        if names not in self._texts:
            document = self.document
            inside = document.inside_tags(names) if names else np.ones(len(document.pieces), bool)
            found = words_of(document, np.flatnonzero(inside & ~document.hidden).tolist())
            self._texts[names] = f" {' '.join(found)} "
        return self._texts[names]

    @cached_property
    def _letters(self) -> str:
        """All words without blanks."""
        return self._text("").replace(" ", "")

    @cached_property
    def _posts(self) -> ShownPosts:
        return ShownPosts(self.document)

    @cached_property
    def _files(self) -> str:
        return all_files(self.document)

    @cached_property
    def _code(self) -> frozenset[str]:
        blocks = self.document.elements_named("pre")
        return frozenset(line for block in blocks for line in lines_of_code(self.document, block))

    @cached_property
    def _links(self) -> frozenset[str]:
        document, elements = self.document, self.document.elements
        first, last = elements.first_piece, elements.last_piece
        return frozenset(
            link_trace(words_of(document, range(int(first[link]), int(last[link]))), target)
            for link in document.elements_named("a")
            if (target := document.attributes_of(link, {"href"}).get("href", ""))
        )

    @cached_property
    def _fields(self) -> frozenset[str]:
        forms = self.document.elements_named("form")
        return frozenset(name for form in forms for name in field_names(self.document, form))

    @cached_property
    def _targets(self) -> frozenset[str]:
        document = self.document
        links = (document.attributes_of(link, {"href"}) for link in document.elements_named("a"))
        return frozenset(file_of(link.get("href", "")) for link in links)

    @cached_property
    def _formulas(self) -> frozenset[str]:
        found = [e for name in ("math", "img") for e in self.document.elements_named(name)]
        return frozenset(formula_trace(formula_text(self.document, element)) for element in found)

    @cached_property
    def _addresses(self) -> frozenset[str]:
        found = map(unescape, _ADDRESS.findall(self.document.markup))
        return frozenset(embed_trace(address) for address in found)

    @cached_property
    def _lines(self) -> list[Counter[str]]:
        """The words of each line; a cell's edge parts no line."""
        gap, text = self.document.pieces.gap, self.document.text
        starts, ends = self.document.pieces.start.tolist(), self.document.pieces.end.tolist()
        lines = [Counter[str]()]
        for piece, (start, end) in enumerate(zip(starts, ends, strict=True)):
            if gap[piece] >= tags.LINE and gap[piece] != tags.CELL:
                lines.append(Counter())
            lines[-1].update(plain_words(text[start:end]))
        return lines

    def _has_ingredient(self, trace: str) -> bool:
        wanted = Counter(trace.split())
        return any(wanted <= line for line in self._lines)
