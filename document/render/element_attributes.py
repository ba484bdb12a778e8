"""Opening tags of an article: which attributes an element keeps. Knows the plan; no nesting."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from html import escape
from typing import Final

from winnow.document.document import Document
from winnow.document.render import element_roles
from winnow.document.render.addresses import Addresses
from winnow.document.render.structure_plan import StructurePlan

_SCOPES: Final = ("row", "col", "rowgroup", "colgroup")
_CODE: Final = frozenset({"pre", "code"})
_LANGUAGE_CLASSES: Final = ("language-", "lang-", "highlight-source-", "brush:")
_PLAIN: Final = {
    name: (f"<{name}>", f"</{name}>")
    for name in element_roles.CONTAINERS - element_roles.TOLD.keys() - {"table", "details"}
}
"""What opens and closes those of which nothing is asked."""


@dataclass(slots=True)
class ElementAttributes:
    """``scroll``: tables and code get a place in the order of the keyboard, for they scroll by
    themselves; ``tables`` are counted as they come."""

    document: Document
    plan: StructurePlan
    addresses: Addresses
    scroll: bool
    tables: int = 0

    def container(self, element: int, name: str, locale: str) -> tuple[str, str]:
        """What opens a container and what closes it.

        ``locale`` is what transparent elements around it declare.
        """
        if name in _PLAIN and not locale and self._is_plain(element):
            return _PLAIN[name]
        before, behind = self._frame(name)
        return f"{before}{self._container(element, name, locale)}", f"</{name}>{behind}"

    def _is_plain(self, element: int) -> bool:
        return element not in self.plan.anchors and element not in self.plan.locales

    def _frame(self, name: str) -> tuple[str, str]:
        if not self.scroll or name != "table":
            return "", ""
        self.tables += 1
        label = f'role="group" tabindex="0" aria-label="Table {self.tables}"'
        return f'<div class="scroll" {label}>', "</div>"

    def _container(self, element: int, name: str, locale: str) -> str:
        written = self._kept(name, self._told(element, name))
        if anchor := self.plan.anchors.get(element):
            written += f' id="{anchor}"'
        if name == "details":
            written += ' open=""'
        if name == "pre" and self.scroll:
            written += ' tabindex="0"'
        return f"<{name}{written}{self.plan.locales.get(element, locale)}>"

    def inline(self, element: int, name: str) -> str:
        """An inline element's opening tag; "" of a link that leads nowhere."""
        locale = self.plan.locales.get(element, "")
        if name not in element_roles.TOLD:
            return f"<{name}{locale}>"
        told = self._told(element, name)
        written = self._kept(name, told) + locale
        if name == "a":
            href = self.addresses.link(told["href"]) if "href" in told else ""
            if not href or (href[0] == "#" and escape(href[1:]) not in self._targets()):
                return ""
            written += f' href="{escape(href)}"'
        return f"<{name}{written}>"

    def _told(self, element: int, name: str) -> Mapping[str, str]:
        if name not in element_roles.TOLD:
            return {}
        return self.document.attributes_of(element, element_roles.TOLD[name])

    def _targets(self) -> Collection[str]:
        return self.plan.anchors.values()

    def _kept(self, name: str, told: Mapping[str, str]) -> str:
        if not told:
            return ""
        written = ""
        for key in element_roles.ATTRIBUTES.get(name, ()):
            if key in told and (key != "scope" or told[key] in _SCOPES):
                written += f' {key}="{escape(told[key])}"'
        if name in _CODE and (language := language_of(told)):
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
