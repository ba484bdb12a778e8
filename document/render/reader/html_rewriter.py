"""Clean HTML read and written again with other elements.

For profiles: what they change, they change in an article that is clean and sanitised already, and
every text and attribute is escaped again on its way out.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from html.parser import HTMLParser

from winnow.document.parsing import tags

Attributes = dict[str, str]

_VOID = frozenset(tags.NAMES[code] for code in tags.VOID)


class Rewriter(HTMLParser):
    """Writes what it reads; subclasses override ``begin``, ``end`` and ``text``."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.out: list[str] = []

    def rewrite(self, markup: str) -> str:
        """The markup with everything that the subclass changes. O(len(markup))."""
        self.feed(markup)
        self.close()
        return "".join(self.out)

    def begin(self, name: str, attributes: Attributes) -> None:
        """An element begins."""
        self.out.append(start_tag(name, attributes.items()))

    def end(self, name: str) -> None:
        """An element that is not void ends."""
        self.out.append(f"</{name}>")

    def text(self, text: str) -> None:
        """A text, unescaped."""
        self.out.append(escape(text, quote=False))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.begin(tag, {name: value or "" for name, value in attrs})

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID:
            self.end(tag)

    def handle_data(self, data: str) -> None:
        self.text(data)


def start_tag(name: str, attributes: Iterable[tuple[str, str]] = ()) -> str:
    """A start tag with its attributes escaped."""
    pairs = "".join(
        f' {key}="{escape(value, quote=False).replace(chr(34), "&quot;")}"'
        for key, value in attributes
    )
    return f"<{name}{pairs}>"
