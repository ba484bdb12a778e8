"""The text of a page that its own data hold, chosen by the page's title and by how much it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from winnow.document.document import Document
from winnow.document.page_state.rich_text import is_markup, is_prose, letters, markup_of, opened
from winnow.document.page_state.sources import ELEMENTS, sources
from winnow.document.texts.short_texts import key_of

LEAST_LETTERS: Final = 250
"""A shorter text is a teaser or a notice."""
_DEEPEST: Final = 40
_MOST_VALUES: Final = 100_000
_MAIN: Final = 0.6
"""The share of a value's text that one of its parts must have to stand for it."""
_LEAVES: Final = frozenset(("text", "value", "children"))
"""Keys of the short texts that rich text is made of."""
_TITLES: Final = ("title", "headline", "name", "heading", "fancy_title")


class CarriedText(NamedTuple):
    """Markup of a text, its title ("" if none is named), and the place that it was found in."""

    markup: str
    title: str
    source: str


class _Part(NamedTuple):
    """A value of the data that holds text: how much in all, and whether its title is the page's."""

    value: Any
    size: int
    inner: tuple[_Part, ...]
    title: str


def carried_text(document: Document) -> CarriedText | None:
    """The text that a page carries; None where it carries none that could be its article."""
    best = max(_candidates(document), key=lambda found: len(found.markup), default=None)
    return best if best and letters(best.markup) >= LEAST_LETTERS else None


def _candidates(document: Document) -> Iterator[CarriedText]:
    topic = key_of(document.title)
    for node in document.linked_nodes:
        body = node.get("articleBody") or node.get("text")
        if isinstance(body, str) and is_prose(body):
            yield CarriedText(markup_of(body), str(node.get("headline") or ""), "JSON-LD")
    for source in sources(document):
        budget = iter(range(_MOST_VALUES))
        part = _measured(source.value, topic, budget, _DEEPEST)
        if part and part.size >= LEAST_LETTERS:
            topical = _topical(part)
            chosen = _main(topical)
            is_text = is_markup(chosen.value) or source.name == ELEMENTS
            if topical.title or is_text:  # else words of a program
                yield CarriedText(markup_of(chosen.value), topical.title, source.name)


def _measured(value: Any, topic: str, budget: Iterator[int], depth: int) -> _Part | None:
    """A value with the sizes of its parts; None for one without text."""
    value = opened(value)
    if next(budget, None) is None or depth == 0:
        return None
    if isinstance(value, str):
        return _Part(value, letters(value), (), "") if is_prose(value) else None
    if not isinstance(value, (dict, list)):
        return None
    inner = value.items() if isinstance(value, dict) else (("", one) for one in value)
    found = (
        _Part(one, len(one), (), "")
        if name in _LEAVES and isinstance(one, str) and " " in one and not is_prose(one)
        else _measured(one, topic, budget, depth - 1)
        for name, one in inner
    )
    parts = tuple(filter(None, found))
    if not parts:
        return None
    return _Part(value, sum(part.size for part in parts), parts, _title(value, topic))


def _title(value: Any, topic: str) -> str:
    """What an object names as its title, where the page's own title has it."""
    if not isinstance(value, Mapping) or not topic:
        return ""
    for name in _TITLES:
        text = value.get(name)
        key = key_of(text) if isinstance(text, str) else ""
        if len(key) > len("title") and (key in topic or topic in key):
            return re.sub(r"<[^<>]*>", "", str(text))
    return ""


def _topical(part: _Part) -> _Part:
    """The largest value below one whose title is the page's; the value itself if there is none."""
    titled = [each for each in _all(part) if each.title and each.size >= LEAST_LETTERS]
    return max(titled, key=lambda each: each.size, default=part)


def _all(part: _Part) -> Iterator[_Part]:
    yield part
    for inner in part.inner:
        yield from _all(inner)


def _main(part: _Part) -> _Part:
    """The part that has most of a value's text, as far down as one has; texts with neighbours."""
    while part.inner:
        largest = max(part.inner, key=lambda each: each.size)
        if largest.size < _MAIN * part.size:
            return part
        if not largest.inner:
            return _texts_beside(part) if not is_markup(largest.value) else largest
        part = largest._replace(title=largest.title or part.title)
    return part


def _texts_beside(part: _Part) -> _Part:
    """A value's own texts, without what other values within it hold."""
    own = [inner.value for inner in part.inner if not inner.inner]
    return part._replace(value=own)
