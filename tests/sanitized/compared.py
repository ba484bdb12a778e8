"""Every compiled loop at every call that a page leads to, and its definition beside it.

Knows what a loop and its definition are (winnow.document.compiled); refuses to know what any of
them does.
"""

from __future__ import annotations

import functools
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from importlib.machinery import ExtensionFileLoader
from inspect import isbuiltin, isclass
from types import ModuleType
from typing import Any, Final

import numpy as np

from tests.document.render.article.test_article_writer import both
from tests.document.walking import Seen, scanned, walked, walked_tree
from winnow.document import compiled
from winnow.document.document import Document
from winnow.document.errors import TooComplexError
from winnow.document.parsing import start_tags
from winnow.document.parsing.parse import Tree
from winnow.document.parsing.parse import parse_html as parse
from winnow.document.render.article.article_writer import write_in_python
from winnow.document.render.renderers import renderer_for
from winnow.document.render.selection import select
from winnow.document.values import Extraction, Format, MethodOptions, Page, Profile, Recipe, Span
from winnow.extractors.auto.trees import staged_sums_in_python, sums_of_in_python
from winnow.extractors.memory.nearest import InstanceBase
from winnow.extractors.registry import make

METHODS: Final = {name: make(name) for name in ("auto", "mss", "crunch", "layout", "memory")}
TURNS: Final = ("mss", "crunch", "layout") * 3 + ("memory",)
"""Besides ``auto``, page by page; ``memory`` takes as long as all others together."""
RECIPES: Final = (
    *(Recipe(format=each) for each in Format),
    *(Recipe(profile=each) for each in Profile if each is not Recipe().profile),
    Recipe("crunch", Format.PRUNED, options=MethodOptions(level=12), live=True),
)
SLOW: Final = {
    staged_sums_in_python: 20,
    sums_of_in_python: 20,
    InstanceBase.nearest_in_numpy: 20,
}
"""Definitions that are asked at one call of so many only: they take a hundred times as long."""
SET_UP: Final = {
    "winnow.document.parsing._tree_writer.bind",
    "winnow.extractors.auto._trees.forest",
    *(f"winnow.document._calls.{name}" for name in ("loop", "needs", "once")),
}
"""What is called once, at an import or at a model's first page, and is held against no definition
here."""
_CALL: Final = type(compiled.loop(print, print))
URL: Final = "http://site.example/a"


class DifferentError(BaseException):
    """A compiled loop raised, or found something else than its definition: nothing catches it."""


class Compared:
    """Stands in for the loops of ``document.compiled.loop``: asks both, unless ``off``.

    ``calls``, ``compared``: how often each compiled loop was called, and how often with what it
    found compared with its definition; by their names in C.
    """

    def __init__(self) -> None:
        self.calls = dict.fromkeys(map(_name, loops()), 0)
        self.compared = dict(self.calls)
        self.off = False
        self._turns: Counter[Callable[..., Any]] = Counter()
        self._beside = self._writes = False
        self._walked = Seen([], [])

    def counted(self, loop: Callable[..., Any]) -> Callable[..., Any]:
        """A loop whose calls are counted."""
        name = _name(loop)

        @functools.wraps(loop)
        def call(*args: Any) -> Any:
            self.calls[name] += 1
            self.compared[name] += self._beside or self._writes
            return loop(*args)

        return call

    def either(
        self,
        loop: Callable[..., Any],
        definition: Callable[..., Any],
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        # The writer asks for media, which count what they show: ``read`` compares it by itself.
        is_alone = self.off or definition is write_in_python or not self._is_turn(definition)
        outer, self._beside = self._beside, self._beside or not is_alone
        try:
            found = loop(*args, **kwargs)
        except Exception as error:
            raise DifferentError(f"{definition.__qualname__}: {error!r}") from error
        self._beside = outer
        if is_alone:
            return found
        if not same(found, definition(*args, **kwargs)):
            raise DifferentError(
                f"{definition.__qualname__} finds something else than the compiled loop"
            )
        return found

    def _is_turn(self, definition: Callable[..., Any]) -> bool:
        plain = getattr(definition, "__func__", definition)
        self._turns[plain] += 1
        return self._turns[plain] % SLOW.get(plain, 1) == 0

    def parse_html(self, html: str | bytes) -> Tree:
        """What is parsed, its tree walked before it is used."""
        tree = parse(html)
        self._walked = walked_tree(tree)
        return tree

    def read(self, body: bytes) -> None:
        """Read a page by every method and show it. Raises DifferentError, or what any raises."""
        html = body.decode("utf-8", "replace")
        try:
            document = Document.from_html(html)
        except TooComplexError:
            return
        _must_be_the_tree(document, walked(html))
        Document.parse(Page(body, URL))
        _read_start_tags(document)
        found = [method.extract(document) for method in METHODS.values()]
        for renderer in RENDERERS:
            renderer.render(document, found[0])
        whole = Extraction("all", (Span(0, len(document.text)),) if document.text else ())
        self._writes = not self.off
        written, defined = both(document, select(document, whole), scroll=True)
        self._writes = False
        if written != defined:
            raise DifferentError("write_in_python writes something else than the compiled loop")

    def run(self, body: bytes, number: int) -> None:
        """Read a page by ``auto``; by turns show it in one form or read it by a second method.

        Nothing is compared but the scan with lexbor's tree: for the sanitizers alone.
        """
        html = body.decode("utf-8", "replace")
        try:
            document = Document.from_html(html, URL)
        except TooComplexError:
            return
        _must_be_the_tree(document, self._walked)
        _read_start_tags(document)
        found = METHODS["auto"].extract(document)
        turn, shows = divmod(number, 2)
        if shows:
            RENDERERS[turn % len(RENDERERS)].render(document, found)
        else:
            METHODS[TURNS[turn % len(TURNS)]].extract(document)


RENDERERS: Final = tuple(map(renderer_for, RECIPES))


def loops() -> list[Callable[..., Any]]:
    """Every compiled loop that is imported."""
    found = [each for module in _modules() for each in vars(module).values() if isbuiltin(each)]
    return [each for each in found if _name(each) not in SET_UP]


def _modules() -> list[ModuleType]:
    return [
        module
        for name, module in sorted(sys.modules.items())
        if name.startswith("winnow.")
        and isinstance(getattr(module.__spec__, "loader", None), ExtensionFileLoader)
    ]


def _name(loop: Any) -> str:
    loop = getattr(loop, "func", loop)
    return f"{loop.__module__}.{loop.__name__}"


def _read_start_tags(document: Document) -> None:
    """What records and style sheets are found by, which not every page has."""
    elements = document.elements
    start_tags.values(document.markup, elements.open_start, elements.open_end, ("class", "href"))
    start_tags.hiding(document.markup, 0, len(document.markup), 30)


def _must_be_the_tree(document: Document, tree: Seen) -> None:
    if scanned(document) != tree:
        raise DifferentError("the scan is not the tree")


@contextmanager
def comparing() -> Iterator[Compared]:
    """While this lasts, all loops are counted and compared."""
    compared = Compared()
    replaced = [
        (module, name, compared.parse_html)
        for module in list(sys.modules.values())
        for name, value in vars(module).items()
        if value is parse and name == parse.__name__  # not the one that is asked here
    ] + [
        (module, name, compared.counted(loop))
        for module in _modules()
        for name, loop in list(vars(module).items())
        if isbuiltin(loop) and _name(loop) not in SET_UP
    ]
    old = [(module, name, vars(module)[name]) for module, name, _ in replaced]
    calls = [(call, call.step) for call in _calls()]
    try:
        for module, name, value in replaced:
            setattr(module, name, value)
        for call, loop in calls:
            counted = compared.counted(loop) if _is_compiled(loop) else loop
            call.step = functools.partial(compared.either, counted, call.other)
        yield compared
    finally:
        for module, name, value in old:
            setattr(module, name, value)
        for call, loop in calls:
            call.step = loop


def _calls() -> list[Any]:
    """What ``document.compiled.loop`` made of each compiled loop and its definition."""
    spaces: list[Mapping[str, Any]] = [
        vars(module) for name, module in [*sys.modules.items()] if name.startswith("winnow.")
    ]
    spaces += [vars(each) for space in spaces for each in space.values() if isclass(each)]
    found: set[Any] = {each for space in spaces for each in space.values() if type(each) is _CALL}
    found |= {each.__wrapped__ for each in found if type(each.__wrapped__) is _CALL}
    return [each for each in found if callable(each.other)]


def _is_compiled(loop: Any) -> bool:
    return isbuiltin(loop) or isbuiltin(getattr(loop, "func", None))


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
