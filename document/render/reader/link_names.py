"""Accessible names for links whose text is only "more" or the like, in clean HTML.

A screen reader lists links by their text alone (WCAG 2.2, 2.4.9). The name begins with the visible
text, for users of speech input (2.5.3).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from html import escape, unescape
from typing import Final

from winnow.document.texts.short_texts import key_of

SAYS_NOTHING: Final = frozenset(
    "more here this link readmore clickhere seemore learnmore continuereading readon fullstory "
    "details weiterlesen mehr mehrlesen mehrerfahren hier liresuite lirelasuite ensavoirplus "
    "leermas leerm\u00e1s vermas verm\u00e1s saibamais leiamais leggitutto continua "
    "\u0447\u0438\u0442\u0430\u0442\u044c\u0434\u0430\u043b\u0435\u0435 "
    "\u043f\u043e\u0434\u0440\u043e\u0431\u043d\u0435\u0435".split()
)
_MOST: Final = 40
"""Characters of a link's words that are looked at."""
_BEGINNINGS: Final = "|".join(sorted({key[:3] for key in SAYS_NOTHING}))
_MAY_BE_EMPTY: Final = re.compile(
    rf">((?:(?i:{_BEGINNINGS})|(?![^\W_]{{3}}))[^<>]{{0,{_MOST}}})</a>"
)
"""The words at the end of a link that may say nothing: few do, by their first letters."""
_LINK: Final = re.compile(rf"<a ([^<>]*)>([^<]{{2,{_MOST}}})</a>")
_ANY_LINK: Final = re.compile(r"<a ([^<>]*)>(.*?)</a>", re.DOTALL)
_HEADING: Final = re.compile(r"<h([2-6])\b[^<>]*>(.*?)</h\1>", re.DOTALL)
_TAG: Final = re.compile(r"<[^<>]*>")
_ATTRIBUTE: Final = re.compile(r'(title|href)="([^"]*)"')
_LONGEST: Final = 120


def name_links(content: str) -> str:
    """The same clean HTML; a link's name is its title, else what other links to its target say,
    else the heading above it. O(length)."""
    links = []
    if any(says_nothing(words) for words in _MAY_BE_EMPTY.findall(content)):
        links = [link for link in _LINK.finditer(content) if _is_empty(link)]
    if not links:
        return content
    texts, headings = (
        _texts_by_target(content, {_target(link) for link in links}),
        list(_HEADING.finditer(content)),
    )
    parts, end, above = list[str](), 0, 0
    for link in links:
        while above < len(headings) and headings[above].end() <= link.start():
            above += 1
        heading = _words(headings[above - 1][2]) if above else ""
        attributes = dict(_ATTRIBUTE.findall(link[1]))
        title = unescape(attributes.get("title", ""))
        if name := title or texts.get(attributes.get("href", ""), "") or heading:
            label = escape(f"{_words(link[2])}: {name[:_LONGEST]}")
            parts += (content[end : link.start()], f'<a {link[1]} aria-label="{label}">')
            end = link.start(2)
    return "".join((*parts, content[end:]))


def _is_empty(link: re.Match[str]) -> bool:
    return says_nothing(link[2]) and "aria-label=" not in link[1]


def says_nothing(words: str) -> bool:
    """Whether a link's words, as they are written, are such as many links have."""
    return key_of(unescape(words)) in SAYS_NOTHING


def _target(link: re.Match[str]) -> str:
    attributes: dict[str, str] = dict(_ATTRIBUTE.findall(link[1]))
    return attributes.get("href", "")


def _texts_by_target(content: str, targets: Collection[str]) -> Mapping[str, str]:
    """The text of the first link to each target whose text means something."""
    found: dict[str, str] = {}
    for link in _ANY_LINK.finditer(content):
        if (target := _target(link)) not in targets:
            continue
        words = _words(link[2])
        if len(words) > 2 and key_of(words) not in SAYS_NOTHING:  # "1", "↩"
            found.setdefault(target, words)
    return found


def _words(markup: str) -> str:
    return " ".join(unescape(_TAG.sub(" ", markup)).split())
