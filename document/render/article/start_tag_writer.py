"""Start tags of an article, with the attributes that an element keeps."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from winnow.document.document import Document
from winnow.document.parsing import tags
from winnow.document.render.addresses import Addresses
from winnow.document.render.article import element_roles
from winnow.document.render.article.article_structure import ArticleStructure
from winnow.document.texts.escaping import escape
from winnow.document.texts.page_words import ENGLISH_WORDS, PageWords

_SCOPES: Final = ("row", "col", "rowgroup", "colgroup")
_CODE: Final = frozenset({"pre", "code"})
_LANGUAGE_CLASSES: Final = ("language-", "lang-", "highlight-source-", "brush:")
_PLAIN: Final = {
    name: (f"<{name}>", f"</{name}>")
    for name in element_roles.CONTAINERS
    - element_roles.READ_ATTRIBUTES.keys()
    - {"table", "details", element_roles.RECORD}
}
"""Start and end tag of elements that keep no attributes."""
_ASKED: Final = frozenset({"a", "pre", "table", "details", element_roles.RECORD})
"""Elements whose start tags depend on more than their attributes."""
READS: Final = tuple(
    tuple(sorted(element_roles.READ_ATTRIBUTES.get(name, ())))
    if name in (element_roles.CONTAINERS | element_roles.INLINES) - _ASKED
    else None
    for name in tags.NAMES
)
"""By tag code the attributes without which a start tag is no more than the name."""


@dataclass(slots=True)
class StartTagWriter:
    """``scroll``: tables and code get a place in the order of the keyboard, for they scroll by
    themselves; ``tables`` are counted as they come."""

    document: Document
    structure: ArticleStructure
    addresses: Addresses
    scroll: bool
    words: PageWords = ENGLISH_WORDS
    tables: int = 0
    targets: frozenset[str] = field(init=False)
    """The ids that links of the article may lead to."""

    def __post_init__(self) -> None:
        self.targets = frozenset(self.structure.anchors.values())

    def roots(self) -> tuple[str | None, str | None]:
        """What links write before plain absolute addresses, and before those below the root; None
        where such an address is written in another way.
        """
        if self.addresses.roots is None:
            return None, None
        absolute, below = self.addresses.roots
        return escape(absolute), escape(below) if below else None

    def container(self, element: int, name: str, locale: str) -> tuple[str, str]:
        """What opens a container and what closes it.

        ``locale`` is what transparent elements around it declare.
        """
        if name in _PLAIN and not locale and self._is_plain(element):
            return _PLAIN[name]
        if name == element_roles.RECORD:
            heading = self.structure.records[element]
            opening = self._container(element, name, locale)
            opening = opening if heading else opening.replace("<article", '<article class="card"')
            return f"{opening}{heading}", f"</{name}>"
        before, behind = self._frame(name)
        return f"{before}{self._container(element, name, locale)}", f"</{name}>{behind}"

    def _is_plain(self, element: int) -> bool:
        return element not in self.structure.anchors and element not in self.structure.locales

    def _frame(self, name: str) -> tuple[str, str]:
        if not self.scroll or name != "table":
            return "", ""
        self.tables += 1
        name = self.words.text("Table {number}", number=self.tables)
        return f'<div class="scroll" role="group" tabindex="0" aria-label="{name}">', "</div>"

    def _container(self, element: int, name: str, locale: str) -> str:
        written = self._serialised(name, self._attributes(element, name))
        if anchor := self.structure.anchors.get(element):
            written += f' id="{anchor}"'
        if name == "details":
            written += ' open=""'
        if name == "pre" and self.scroll:
            written += ' tabindex="0"'
        return f"<{name}{written}{self.structure.locales.get(element, locale)}>"

    def inline(self, element: int, name: str) -> str:
        """An inline element's start tag; "" of a link that leads nowhere."""
        locale = self.structure.locales.get(element, "")
        if name not in element_roles.READ_ATTRIBUTES:
            return f"<{name}{locale}>"
        if name == "a":
            return self._link(element, locale)
        return f"<{name}{self._serialised(name, self._attributes(element, name))}{locale}>"

    def _link(self, element: int, locale: str) -> str:
        """A link's start tag, "" if it leads nowhere: three of four elements with attributes."""
        attributes = self.document.attributes_of(element, element_roles.READ_ATTRIBUTES["a"])
        href = self.addresses.link(attributes["href"]) if "href" in attributes else ""
        if not href or (href[0] == "#" and escape(href[1:]) not in self._targets()):
            return ""
        title = f' title="{escape(attributes["title"])}"' if "title" in attributes else ""
        return f'<a{title}{locale} href="{escape(href)}">'

    def _attributes(self, element: int, name: str) -> Mapping[str, str]:
        if name not in element_roles.READ_ATTRIBUTES:
            return {}
        return self.document.attributes_of(element, element_roles.READ_ATTRIBUTES[name])

    def _targets(self) -> Collection[str]:
        return self.targets

    def _serialised(self, name: str, attributes: Mapping[str, str]) -> str:
        if not attributes:
            return ""
        written = ""
        for key in element_roles.ATTRIBUTES.get(name, ()):
            if key in attributes and (key != "scope" or attributes[key] in _SCOPES):
                written += f' {key}="{escape(attributes[key])}"'
        if name in _CODE and (language := language_of(attributes)):
            written += f' class="language-{escape(language)}"'
        return written


def language_of(attributes: Mapping[str, str]) -> str:
    """The programming language that a class names, as the HTML standard and highlighters do."""
    for word in attributes.get("class", "").split():
        for mark in _LANGUAGE_CLASSES:
            language = word.removeprefix(mark)
            if language != word and language.replace("-", "").replace("+", "").isalnum():
                return language
    return ""
