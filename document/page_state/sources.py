"""The JSON values that a page carries for its scripts, each with the name of its place.

Scripts of a JSON type (``__NEXT_DATA__``, ``__NUXT_DATA__``, ``ng-state``), assignments
(``window.__APOLLO_STATE__ = {...}``, ``JSON.parse("...")``), streams that are pushed in parts
(``self.__next_f.push``, Remix's ``streamController.enqueue``) and attributes (``data-page``,
``data-preloaded``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final, NamedTuple

from winnow.document.document import Document

MOST_SOURCES: Final = 64
"""Values read of one page."""
ELEMENTS: Final = "__next_f"
"""React's rows: elements, that is, what would be drawn."""
LEAST: Final = 200
"""Characters: less data hold no article."""
_ASSIGNED: Final = re.compile(
    r"""(?:\b(?:window|self|globalThis)\s*(?:\.\s*(?P<name>[\w$]+)|\[\s*["'](?P<quoted>[^"']+)["']\s*\])
    |\b(?:var|let|const)\s+(?P<variable>[\w$]+))\s*=\s*(?P<parse>JSON\.parse\(\s*)?(?=[{\["'])""",
    re.VERBOSE,
)
_PUSHED: Final = re.compile(
    r"(?P<name>__next_f\.push|streamController\.enqueue)\(\s*(?=[\[\"])", re.VERBOSE
)
_STREAM_ROW: Final = re.compile(r"^[0-9a-f]*:[A-Z]{0,2}(?=[\[{\"])", re.MULTILINE)
_DECODER: Final = json.JSONDecoder(strict=False)
_HOLDS_JSON: Final = re.compile(r"""\s(?P<name>data-[\w-]+)=["']\s*[{\[]""")


class Source(NamedTuple):
    """A value and where it was found: ``__NEXT_DATA__``, ``window.__STATE__``, ``data-page``."""

    name: str
    value: Any


def sources(document: Document) -> Iterator[Source]:
    """The values of a page, in document order, attributes last."""
    pushed: list[str] = []
    for script in document.elements_named("script"):
        start, end = int(document.elements.open_end[script]), document.elements.close_start[script]
        text = document.markup[start:end]
        pushed.extend(_parts(text))
        if len(text) < LEAST:
            continue
        attributes = document.attributes_of(script, {"type", "id"})
        kind = attributes.get("type", "").strip().lower()
        if "json" in kind:
            if "ld+json" not in kind:
                yield from _whole(attributes.get("id") or "script of type " + kind, text)
        elif not kind or "javascript" in kind or kind == "module":
            yield from _assigned(text)
    if pushed:
        yield from _streamed("".join(pushed))
    yield from _attributes(document)


def _whole(name: str, text: str) -> Iterator[Source]:
    value = read(text.strip())
    if value is not None:
        yield Source(name, value)


def _assigned(text: str) -> Iterator[Source]:
    """The objects that a script assigns; what is no JSON is passed over."""
    at = 0
    for _ in range(MOST_SOURCES):
        found = _ASSIGNED.search(text, at)
        if found is None:
            return
        value, at = _value_at(text, found.end())
        if found["parse"] and isinstance(value, str):
            value = read(value)
        if isinstance(value, (dict, list)):
            yield Source(str(found["name"] or found["quoted"] or found["variable"]), value)


def _value_at(text: str, at: int) -> tuple[Any, int]:
    """The JSON value that begins at ``at`` and its end; None where there is none."""
    if text[at] == "'":  # JSON.parse('...'): a JavaScript string
        end = text.find("')", at)
        if end <= 0:
            return None, at + 1
        return text[at + 1 : end].replace("\\'", "'").replace("\\\\", "\\"), end
    try:
        return _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None, at + 1


def _parts(text: str) -> Iterator[str]:
    """The parts of a stream that a script pushes."""
    for found in _PUSHED.finditer(text):
        value, _ = _value_at(text, found.end())
        part = value[-1] if isinstance(value, list) and value else value
        if isinstance(part, str):
            yield part


def _streamed(text: str) -> Iterator[Source]:
    """A stream's rows; one without rows is a single value."""
    rows = [value for found in _STREAM_ROW.finditer(text) if (value := _row(text, found.end()))]
    if rows:
        yield Source(ELEMENTS, rows)
    elif (value := read(text)) is not None:
        yield Source("streamController", value)


def _row(text: str, at: int) -> Any:
    value, _ = _value_at(text, at)
    return value


def _attributes(document: Document) -> Iterator[Source]:
    """The values of ``data-`` attributes that hold JSON: Inertia, Discourse, islands."""
    for found in islice(_HOLDS_JSON.finditer(document.markup), MOST_SOURCES):
        element = int(document.elements.open_start.searchsorted(found.start(), side="right")) - 1
        if element < 0 or found.start() >= document.elements.open_end[element]:
            continue
        name = found["name"]
        value = document.attributes_of(element, {name}).get(name, "")
        if len(value) >= LEAST:
            yield from _whole(name, value)


def read(text: str) -> Any:
    """A JSON value, None for a text that is none."""
    try:
        return json.loads(text.removesuffix(";"), strict=False)
    except (ValueError, RecursionError):
        return None
