"""Links that say only "more" get a name that means something. Knows clean HTML; no document.

Who hears a page's links one after the other hears their words alone (WCAG 2.2, 2.4.9). The name
begins with what is seen, so that it can be said to a program too (2.5.3).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape, unescape
from typing import Final

from document.metadata import key_of

SAYS_NOTHING: Final = frozenset(
    "more here this link readmore clickhere seemore learnmore continuereading readon fullstory "
    "details weiterlesen mehr mehrlesen mehrerfahren hier liresuite lirelasuite ensavoirplus "
    "leermas leerm\u00e1s vermas verm\u00e1s saibamais leiamais leggitutto continua "
    "\u0447\u0438\u0442\u0430\u0442\u044c\u0434\u0430\u043b\u0435\u0435 "
    "\u043f\u043e\u0434\u0440\u043e\u0431\u043d\u0435\u0435".split()
)
_LINK: Final = re.compile(r"<a ([^<>]*)>([^<]{2,40})</a>")
_ANY_LINK: Final = re.compile(r"<a ([^<>]*)>(.*?)</a>", re.DOTALL)
_HEADING: Final = re.compile(r"<h([2-6])\b[^<>]*>(.*?)</h\1>", re.DOTALL)
_TAG: Final = re.compile(r"<[^<>]*>")
_ATTRIBUTE: Final = re.compile(r'(title|href)="([^"]*)"')
_LONGEST: Final = 120


def named(content: str) -> str:
    """The same clean HTML; a link's name is its title, else what other links to its target say,
    else the heading above it. O(length)."""
    links = [link for link in _LINK.finditer(content) if _is_empty(link)]
    if not links:
        return content
    told, headings = _told(content), list(_HEADING.finditer(content))
    parts, end, above = list[str](), 0, 0
    for link in links:
        while above < len(headings) and headings[above].end() <= link.start():
            above += 1
        heading = _words(headings[above - 1][2]) if above else ""
        attributes = dict(_ATTRIBUTE.findall(link[1]))
        title = unescape(attributes.get("title", ""))
        if name := title or told.get(attributes.get("href", ""), "") or heading:
            label = escape(f"{_words(link[2])}: {name[:_LONGEST]}")
            parts += (content[end : link.start()], f'<a {link[1]} aria-label="{label}">')
            end = link.start(2)
    return "".join((*parts, content[end:]))


def _is_empty(link: re.Match[str]) -> bool:
    return key_of(unescape(link[2])) in SAYS_NOTHING and "aria-label=" not in link[1]


def _told(content: str) -> Mapping[str, str]:
    """What links say of their targets where they say something; the first that does."""
    found: dict[str, str] = {}
    for link in _ANY_LINK.finditer(content):
        target, words = dict(_ATTRIBUTE.findall(link[1])).get("href", ""), _words(link[2])
        if len(words) > 2 and key_of(words) not in SAYS_NOTHING:  # "1", "↩"
            found.setdefault(target, words)
    return found


def _words(markup: str) -> str:
    return " ".join(unescape(_TAG.sub(" ", markup)).split())
