"""Every compiled loop beside its definition, at every call that a page leads to.

Knows what a loop and its definition are (winnow.document.compiled); refuses to know what any of
them does.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from typing import Any, Final

import numpy as np

from tests.document.render.test_article_writer import both
from tests.document.walking import scanned, walked
from winnow.document import compiled, start_tags
from winnow.document.document import Document
from winnow.document.errors import TooComplexError
from winnow.document.render.article_writer import write_in_python
from winnow.document.render.renderers import renderer_for
from winnow.document.render.selection import select
from winnow.document.values import Extraction, Page, Recipe, Span
from winnow.extractors.registry import make

FAST: Final = ("auto", "mss", "crunch", "layout")
"""``memory`` takes twenty times as long as these together; it runs where loops are compared."""
METHODS: Final = ("auto", "mss", "crunch", "layout", "memory")
SLOW: Final = {"Forest.sum_in_python": 40, "Base.nearest_in_numpy": 40}
"""Definitions that are asked at one call of so many only: they take a hundred times as long."""
_STATEFUL: Final = write_in_python.__qualname__
"""It asks for media, which count what they show: ``read`` compares it, with counters of its own."""


class DifferentError(AssertionError):
    """A compiled loop raised, or found something else than its definition."""


class Compared:
    """Stands in for ``document.compiled.either``: asks both. ``calls``: how often each was."""

    def __init__(self) -> None:
        self.calls: dict[str, int] = {}
        self.off = False

    def either(
        self,
        loop: Callable[..., Any],
        definition: Callable[..., Any],
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        if self.off:
            return loop(*args, **kwargs)
        name = definition.__qualname__
        number = self.calls[name] = self.calls.get(name, 0) + 1
        if number % SLOW.get(name, 1) or name == _STATEFUL:
            return loop(*args, **kwargs)
        found = loop(*args, **kwargs)
        if not same(found, definition(*args, **kwargs)):
            raise DifferentError(f"{name} finds something else than the compiled loop")
        return found

    def attributes(self, markup: str, start: int, end: int, among: Any = None) -> dict[str, str]:
        """For ``openings.attributes``, which does not go by ``either``."""
        if start_tags._compiled is None:
            return start_tags.attributes_in_python(markup, start, end, among)
        loop, definition = start_tags._compiled.attributes, start_tags.attributes_in_python
        if self.off:
            return dict(loop(markup, start, end, among, start_tags.unescaped))
        self.calls["attributes_in_python"] = self.calls.get("attributes_in_python", 0) + 1
        found: dict[str, str] = loop(markup, start, end, among, start_tags.unescaped)
        if not same(found, definition(markup, start, end, among)):
            raise DifferentError("attributes_in_python finds something else")
        return found


@contextmanager
def comparing() -> Iterator[Compared]:
    """While this lasts, all loops are compared."""
    compared, before = Compared(), (compiled.either, start_tags.attributes)
    holders = [one for one in sys.modules.values() if getattr(one, "either", None) is before[0]]
    for holder in holders:
        holder.either = compared.either  # type: ignore[attr-defined]  # a module's name
    start_tags.attributes = compared.attributes
    try:
        yield compared
    finally:
        start_tags.attributes = before[1]
        for holder in holders:
            holder.either = before[0]  # type: ignore[attr-defined]  # as above


def read(body: bytes) -> None:
    """Read a page by every method and show it. Raises DifferentError, or what any of it raises."""
    html = body.decode("utf-8", "replace")
    try:
        document = Document.from_html(html)
    except TooComplexError:
        return
    if scanned(document) != walked(html):
        raise DifferentError("the scan is not the tree")
    Document.parse(Page(body, "http://site.example/a"))
    for method in METHODS:
        make(method).extract(document)
    whole = Extraction("all", (Span(0, len(document.text)),) if document.text else ())
    written, defined = both(document, select(document, whole), scroll=True)
    if written != defined:
        raise DifferentError("write_in_python writes something else than the compiled loop")


def run(body: bytes) -> None:
    """Read a page by every method and show it, and compare nothing: for the sanitizers alone."""
    try:
        document = Document.parse(Page(body, "http://site.example/a"))
    except TooComplexError:
        return
    for method in FAST:
        renderer_for(Recipe()).render(document, make(method).extract(document))


def same(found: Any, defined: Any) -> bool:
    """Whether two answers are equal, arrays included."""
    if isinstance(found, np.ndarray):
        is_float = found.dtype.kind == "f"
        return np.array_equal(found, defined, equal_nan=is_float)
    if is_dataclass(found):
        pairs = ((getattr(found, f.name), getattr(defined, f.name)) for f in fields(found))
        return type(found) is type(defined) and all(same(*pair) for pair in pairs)
    if isinstance(found, tuple):
        return len(found) == len(defined) and all(map(same, found, defined))
    return bool(found == defined)
