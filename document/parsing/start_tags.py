"""Start tags of serialised markup: attributes, fragments of links, hidden elements, escapes.

The functions in Python are the definitions; ``_start_tags.c``, where it could be built,
does the same and is tested equal.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Container, Iterator
from functools import partial
from html import unescape
from typing import Any, Final

from winnow.document.arrays import HIDES, MAY_HIDE, Ints
from winnow.document.compiled import loop, optional_module

_compiled: Any = optional_module("winnow.document.parsing._start_tags")

ATTRIBUTE: Final = re.compile(r' ([^ \t\n\f\r>][^ \t\n\f\r=>]*)="([^"]*)"')
"""As the serialiser writes one; a name may begin with ``=`` (HTML standard, 13.2.5.32).

It matches at each attribute of a tag, so that none is looked for inside another's value.
"""
_DECLARED: Final = frozenset({"id", "name", "lang", "dir", "xml:lang"})
_HIDING_STYLE: Final = re.compile(r"display: ?none|visibility: ?hidden")
_HIDING: Final = (
    ("display", "none"), ("visibility", "hidden|collapse"), ("opacity", "0|.0"),
    ("font-size", "0|1px|.0"), ("indent", "-999"), ("left", "-999"), ("right", "-999"),
    ("top", "-999"), ("height", "0|1px"), ("width", "0|1px"), ("clip", "rect"),
    ("clip-path", "inset|circle|poly"), ("transform", "scale|translate"),
    ("color", "#fff|white|transparent"),
)  # fmt: skip
"""The ends of properties' names, and how values begin that may hide; 9 is any digit."""
_HIDING_VALUE: Final = re.compile(
    "|".join(
        rf"{name}\s*:\s*(?={values.replace('.', '[.]').replace('9', '[0-9]')})"
        for name, values in _HIDING
    ),
    re.IGNORECASE | re.ASCII,
)
_MAY_HIDE: Final = re.compile(
    r"opacity: ?[0.]|font-size: ?(?:0|1px|\.)|indent:|clip|color:|collapse|scale\(|overflow"
    r"|-[0-9]{3}"
)
_FRAGMENT: Final = re.compile(r' href="[^"#]*#([^"]+)"')


def unescaped(value: str) -> str:
    """What ``html.unescape`` says; where nothing but ``&`` is escaped, ten times as fast."""
    if value.count("&") == value.count("&amp;"):
        return value.replace("&amp;", "&")
    return unescape(value)


def attributes_in_python(
    markup: str, start: int, end: int, among: Container[str] | None = None
) -> dict[str, str]:
    """The attributes of a start tag, unescaped; of a repeated name the first counts.

    ``among``: none but these, which spares unescaping whole scripts that others hold.
    """
    found: dict[str, str] = {}
    for name, value in ATTRIBUTE.findall(markup, start, end):
        key = name.lower()
        if key not in found and (among is None or key in among):
            found[key] = unescape(value)
    return found


attributes = loop(_compiled and partial(_compiled.attributes, unescaped), attributes_in_python)


def declared_in_python(markup: str, starts: Ints, ends: Ints) -> list[tuple[int, str, str]]:
    """Ids, languages and directions in start tags: the tag's index, name, value as it stands.

    ``starts``, ``ends``: where the tags begin and end, of one shape.
    """
    bounds = zip(starts.tolist(), ends.tolist(), strict=True)
    return [
        (index, name, value)
        for index, (start, end) in enumerate(bounds)
        for name, value in ATTRIBUTE.findall(markup, start, end)
        if name in _DECLARED
    ]


declared = loop(_compiled and _compiled.declared, declared_in_python)


def values_in_python(
    markup: str, starts: Ints, ends: Ints, names: tuple[str, ...]
) -> list[list[tuple[int, str]]]:
    """For each of some attributes, named in ASCII, the start tags that have it, and its value.

    ``starts``, ``ends``: where the tags begin and end, of one shape. A value is as it is escaped.
    """
    found: dict[str, list[tuple[int, str]]] = {name: [] for name in names}
    for index, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        for name, value in ATTRIBUTE.findall(markup, start, end):
            if name in found:
                found[name].append((index, value))
    return [found[name] for name in names]


values = loop(_compiled and _compiled.values, values_in_python)


def with_word_in_python(markup: str, starts: Ints, ends: Ints, words: frozenset[str]) -> list[int]:
    """Which stretches of the markup, values of attributes, have one of the words as it stands.

    ``starts``, ``ends``: where they begin and end, of one shape. The result are indices of it.
    """
    bounds = zip(starts.tolist(), ends.tolist(), strict=True)
    return [
        index
        for index, (start, end) in enumerate(bounds)
        if not words.isdisjoint(markup[max(start, 0) : max(end, 0)].split())
    ]


with_word = loop(_compiled and _compiled.with_word, with_word_in_python)


def holding_in_python(markup: str, starts: Ints, ends: Ints, words: tuple[str, ...]) -> list[int]:
    """Which stretches of the markup hold one of some words of ASCII, also as a part of another.

    ``starts``, ``ends``: where they begin and end, of one shape. The result are indices of it.
    """
    bounds = zip(starts.tolist(), ends.tolist(), strict=True)
    return [
        index
        for index, (start, end) in enumerate(bounds)
        if any(markup.find(word, start, end) >= 0 for word in words)
    ]


holding = loop(_compiled and _compiled.holding, holding_in_python)


def fragments_in_python(markup: str) -> list[str]:
    """What stands behind the first ``#`` of each link's address, as it is escaped, if anything.

    What looks like a link in a script is found too.
    """
    return _FRAGMENT.findall(markup)


fragments = loop(_compiled and _compiled.fragments, fragments_in_python)


def standing_in_python(
    markup: str, word: str, _rare: int = 0, start: int = 0, end: int = sys.maxsize
) -> list[int]:
    """Where a word of ASCII stands, all of it from ``start`` up to ``end``.

    ``rare`` is the index of its letter that is rarest in markup: to look for one letter is what
    machines do fastest.
    """
    found, offset = [], markup.find(word, start, end)
    while offset >= 0:
        found.append(offset)
        offset = markup.find(word, offset + 1, end)
    return found


standing = loop(_compiled and _compiled.standing, standing_in_python)


def standing_of_in_python(markup: str, words: tuple[str, ...]) -> list[int]:
    """Where one of some words of ASCII stands, in order, at most 32 words; each is looked for at
    once."""
    return sorted(at for word in words for at in standing_in_python(markup, word))


standing_of = loop(_compiled and _compiled.standing_of, standing_of_in_python)


def hiding_in_python(css: str, start: int, end: int, longest: int) -> list[int]:
    """Where the value of a declaration in a style sheet begins that may hide; ``longest``:
    characters from the end of the property's name to the value.
    """
    return [
        found.end()
        for found in _HIDING_VALUE.finditer(css, start, end)
        if found.end() - found.start() <= longest
    ]


hiding = loop(_compiled and _compiled.hiding, hiding_in_python)


def values_in(tag: str) -> Iterator[tuple[str, int, int]]:
    """The name of each attribute in a start tag, and where its value begins and ends."""
    for found in ATTRIBUTE.finditer(tag):
        yield found[1], found.start(2), found.end(2)


def hides(tag: str) -> int:
    """Whether a start tag's attributes hide its element (HTML standard, 6.1; inline styles): HIDES,
    and MAY_HIDE where its style has something else by which it may.

    Not what React streams as ``<div hidden id="S:0">``: a script moves it into the page later.
    """
    if "hid" not in tag and "style" not in tag:
        return 0
    attributes = dict(ATTRIBUTE.findall(tag))
    if attributes.get("id", "").startswith("S:"):
        return 0
    style = attributes.get("style", "")
    is_hidden = not attributes.get("hidden", "until-found").startswith("until-found")
    is_hidden |= _HIDING_STYLE.search(style) is not None
    return HIDES * is_hidden | MAY_HIDE * (_MAY_HIDE.search(style) is not None)


def unescape_text(text: str) -> str:
    """Undo the serialiser's escapes of a text node (HTML standard, 13.3, "escaping a string")."""
    if "&" not in text:
        return text
    text = text.replace("&nbsp;", "\u00a0").replace("&lt;", "<").replace("&gt;", ">")
    return text.replace("&amp;", "&")
