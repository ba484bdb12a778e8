"""What each element becomes in a clean article.

Three kinds: a *container* keeps its tags around what it holds; an *inline* element keeps them
within a paragraph; everything else is transparent: its text stays, its tags go.
"""

from __future__ import annotations

from typing import Final

from winnow.document.parsing import tags

RECORD: Final = "article"
"""A post of a thread, a comment; other elements of this name are transparent."""
CONTAINERS: Final = frozenset(
    "h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption thead tbody tfoot tr td th pre "
    "blockquote figure figcaption details summary article".split()
)
HEADINGS: Final = frozenset("h1 h2 h3 h4 h5 h6".split())
LISTS: Final = frozenset({"ul", "ol"})
HOLDS_TEXT: Final = frozenset("li dt dd td th caption figcaption summary pre".split()) | HEADINGS
"""Text directly in these needs no paragraph of its own."""
TEXT_ONLY: Final = frozenset("pre summary caption dt".split()) | HEADINGS
"""These have no paragraphs at all."""

ITEMS: Final = frozenset({"li", "dt", "dd"})

RENAMED: Final = {
    "menu": "ul", "dir": "ul", "listing": "pre", "xmp": "pre", "plaintext": "pre",
    "strike": "s", "tt": "code", "acronym": "abbr",
}  # fmt: skip
INLINES: Final = frozenset(
    "a abbr b bdi bdo cite code del dfn em i ins kbd mark q rb rp rt rtc ruby s samp small strong "
    "sub sup time u var".split()
)
NAMES: Final = tuple(RENAMED.get(name, name) for name in tags.NAMES)
"""What each tag code is called in an article."""
RULED: Final = frozenset({"", "blockquote", "td", "li", "dd"})
"""Where a rule may stand; "" is the article itself."""
STRUCTURAL: Final = CONTAINERS | INLINES | {"hr"}
"""All that is more than its text."""

PARENTS: Final = {
    "li": LISTS, "dt": frozenset({"dl"}), "dd": frozenset({"dl"}),
    "summary": frozenset({"details"}),
    "figcaption": frozenset({"figure"}), "caption": frozenset({"table"}),
    "thead": frozenset({"table"}), "tbody": frozenset({"table"}), "tfoot": frozenset({"table"}),
    "tr": frozenset({"table", "thead", "tbody", "tfoot"}), "td": frozenset({"tr"}),
    "th": frozenset({"tr"}),
}  # fmt: skip
"""A container that stands in none of these is transparent: clean HTML is valid HTML."""

WRAPPED_IN: Final = {"ul": "li", "ol": "li", "dl": "dd"}
"""What text or another container is wrapped in where only this may stand."""

ATTRIBUTES: Final = {
    "ol": ("start", "type", "reversed"),
    "li": ("value",),
    "td": ("colspan", "rowspan"),
    "th": ("colspan", "rowspan", "scope"),
    "time": ("datetime",),
    "del": ("datetime",),
    "ins": ("datetime",),
    "abbr": ("title",),
    "dfn": ("title",),
    "a": ("title",),
    "q": (),
}
"""What an element keeps of its attributes besides links, languages and referenced ids."""

READ_ATTRIBUTES: Final = {
    "a": frozenset({"href", "title"}),
    "pre": frozenset({"class"}),
    "code": frozenset({"class"}),
} | {name: frozenset(names) for name, names in ATTRIBUTES.items() if names and name != "a"}
"""The attributes worth reading of those elements that have any."""

DEEPEST: Final = 48
"""Deeper containers are transparent: no reader counts so far, and some parsers recurse."""
