"""An article as XHTML that reading systems take: strict content models, no remote resources.

EPUB 3.3's content documents (section 6.1) as far as an article needs them. Media that would have to
be fetched become links.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from lxml import etree
from selectolax.lexbor import LexborHTMLParser, LexborNode

from winnow.document.render.book.xml_values import LANGUAGE, address, legal
from winnow.document.texts.page_words import ENGLISH_WORDS, PageWords

XHTML: Final = "http://www.w3.org/1999/xhtml"
MATHML: Final = "http://www.w3.org/1998/Math/MathML"
_MAX_DEPTH: Final = 60
_INLINE: Final = frozenset(
    "a abbr b bdi bdo cite code del dfn em i ins kbd mark q s samp small span strong sub sup time "
    "u var".split()
)
_BLOCK: Final = frozenset("p h2 h3 h4 h5 h6 pre blockquote div ul ol table figure dl".split())
_PHRASING_ONLY: Final = frozenset("p h2 h3 h4 h5 h6 pre".split()) | (_INLINE - {"a", "ins", "del"})
_KINDS: Final = {"img": "Image", "video": "Video", "audio": "Sound"}
_VOID: Final = frozenset({"br", "hr", "wbr"})
_ALLOWED_PARENTS: Final[Mapping[str, frozenset[str]]] = {
    "li": frozenset({"ul", "ol"}),
    "caption": frozenset({"table"}),
    "thead": frozenset({"table"}),
    "tbody": frozenset({"table"}),
    "tfoot": frozenset({"table"}),
    "tr": frozenset({"table", "thead", "tbody", "tfoot"}),
    "td": frozenset({"tr"}),
    "th": frozenset({"tr"}),
}
"""Elements that stand in these alone; elsewhere they are divisions."""
_ALLOWED_CHILDREN: Final[Mapping[str, frozenset[str]]] = {
    "ul": frozenset({"li"}),
    "ol": frozenset({"li"}),
    "table": frozenset({"caption", "thead", "tbody", "tfoot", "tr"}),
    "thead": frozenset({"tr"}),
    "tbody": frozenset({"tr"}),
    "tfoot": frozenset({"tr"}),
    "tr": frozenset({"td", "th"}),
}
"""Elements that hold these alone; anything else between them is left out if blank, else wrapped."""
_MATH: Final = frozenset(
    "math mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle mpadded mphantom mfenced menclose "
    "msub msup msubsup munder mover munderover mtable mtr mtd".split()
)


@dataclass
class Xhtml:
    """``body`` holds the article; ``has_math`` and ``anchors`` describe its content."""

    body: etree._Element
    has_math: bool = False
    anchors: dict[str, str] = field(default_factory=dict)


def xhtml_of(article: str, images: Callable[[str], str], words: PageWords = ENGLISH_WORDS) -> Xhtml:
    """An article's HTML as XHTML. ``images``: where in the book an address is, "" if nowhere."""
    writer = _Writer(images, words)
    parsed = LexborHTMLParser(f"<body>{article}").body
    if parsed is not None:
        writer.children(parsed, writer.found.body, 0)
    writer.resolve()
    return writer.found


class _Writer:
    def __init__(self, images: Callable[[str], str], words: PageWords) -> None:
        self.found = Xhtml(etree.Element(f"{{{XHTML}}}body"))
        self.images, self.words = images, words
        self.links: list[tuple[etree._Element, str]] = []

    def children(self, node: LexborNode, into: etree._Element, depth: int) -> None:
        for child in node.iter(include_text=True):
            self._write(child, into, depth)

    def _write(self, node: LexborNode, into: etree._Element, depth: int) -> None:
        name = node.tag or ""
        holds = _ALLOWED_CHILDREN.get(_name(into))
        if name == "-text":
            self._text(legal(node.text_content or ""), into, holds)
        elif depth > _MAX_DEPTH or name.startswith("-"):
            self.children(node, into, depth + 1)
        elif name == "math":
            self._formula(node, self._room(into, holds))
        elif name in ("img", "video", "audio"):
            self._medium(node, self._room(into, holds))
        elif name != "svg":
            self._element(node, name, into, depth)

    def _text(self, text: str, into: etree._Element, holds: frozenset[str] | None) -> None:
        if holds is not None:
            if not text.strip():
                return
            into = self._room(into, holds)
        _append(into, text)

    def _room(self, into: etree._Element, holds: frozenset[str] | None) -> etree._Element:
        """Where a stray inside a list or table can stand: an item, a cell, made for it."""
        while holds is not None:
            name = "tbody" if "tbody" in holds else min(holds)
            into = etree.SubElement(into, f"{{{XHTML}}}{name}")
            holds = _ALLOWED_CHILDREN.get(name)
        return into

    def _element(self, node: LexborNode, name: str, into: etree._Element, depth: int) -> None:
        holds = _ALLOWED_CHILDREN.get(_name(into))
        tag = self._shape(node, name, into)
        if holds is not None and tag not in holds:
            into = self._room(into, holds)
            tag = self._shape(node, name, into)
        if not tag or (tag == "a" and _inside(into, "a")):
            self.children(node, into, depth + 1)
            return
        if tag == "caption" and _last(into) is not None:
            into, tag = _last_cell(into), "div"
        element = etree.SubElement(into, f"{{{XHTML}}}{tag}")
        self._attributes(node, name, element)
        if tag not in _VOID:
            self.children(node, element, depth + 1)

    def _shape(self, node: LexborNode, name: str, into: etree._Element) -> str:
        """What an element becomes where it stands; "" for its content alone."""
        if name in _VOID:
            return "br" if name == "hr" and _in_phrasing(into) else name
        if _in_phrasing(into):
            return name if name in _INLINE else "span"
        if name in _ALLOWED_PARENTS:
            return _ordered(name, into) if _name(into) in _ALLOWED_PARENTS[name] else "div"
        if name in _INLINE:
            return "div" if name not in ("a", "ins", "del") and _holds_blocks(node) else name
        if name in _BLOCK and name != "dl":
            return name
        return "p" if name in ("dt", "summary", "figcaption") and not _holds_blocks(node) else "div"

    def _attributes(self, node: LexborNode, name: str, element: etree._Element) -> None:
        attributes = {key: value or "" for key, value in node.attributes.items()}
        for key, value in _allowed_attributes(_name(element), name, attributes):
            element.set(key, value)
        if anchor := attributes.get("id"):
            self._anchor(anchor, element)
        if "href" in attributes and _name(element) == "a":
            self.links.append((element, attributes["href"]))

    def _anchor(self, anchor: str, element: etree._Element) -> None:
        if anchor not in self.found.anchors:
            self.found.anchors[anchor] = f"a{len(self.found.anchors) + 1}"
            element.set("id", self.found.anchors[anchor])

    def resolve(self) -> None:
        """Give links their targets, once all anchors are collected; a dead one is no link."""
        for element, href in self.links:
            if target := self._target(href):
                element.set("href", target)

    def _target(self, href: str) -> str:
        if href.startswith("#"):
            anchor = self.found.anchors.get(href[1:])
            return f"#{anchor}" if anchor else ""
        return address(href)

    def _medium(self, node: LexborNode, into: etree._Element) -> None:
        """An image of the book, or a link to one outside."""
        attributes = node.attributes
        source, words = attributes.get("src") or "", legal(attributes.get("alt") or "").strip()
        inside = self.images(source) if node.tag == "img" and source else ""
        if inside:
            image = etree.SubElement(into, f"{{{XHTML}}}img")
            image.set("src", inside)
            image.set("alt", words)
            return
        target = address(source)
        if not target or (node.tag == "img" and not words):
            return
        kind = self.words.text(_KINDS[node.tag or "img"])
        label = f"[{kind}: {words}]" if words else f"[{kind}]"
        if _inside(into, "a"):
            _append(into, label)
            return
        link = etree.SubElement(into, f"{{{XHTML}}}a")
        link.set("href", target)
        link.text = label

    def _formula(self, node: LexborNode, into: etree._Element) -> None:
        tree = etree.SubElement(into, f"{{{MATHML}}}math", nsmap={None: MATHML})
        if node.attributes.get("display") == "block":
            tree.set("display", "block")
        if words := legal(node.attributes.get("alttext") or ""):
            tree.set("alttext", words)
        _formula_children(node, tree, 0)
        self.found.has_math = True


def _formula_children(node: LexborNode, into: etree._Element, depth: int) -> None:
    for child in node.iter(include_text=True):
        name = child.tag or ""
        if name == "-text":
            if _name(into) in ("mi", "mn", "mo", "ms", "mtext"):
                _append(into, legal(child.text_content or ""))
        elif name in _MATH and name != "math" and depth < _MAX_DEPTH:
            _formula_children(child, etree.SubElement(into, f"{{{MATHML}}}{name}"), depth + 1)
        elif depth < _MAX_DEPTH:
            _formula_children(child, into, depth + 1)


def _allowed_attributes(
    tag: str, name: str, attributes: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    if LANGUAGE.match(attributes.get("lang", "")):
        yield "lang", attributes["lang"]
        yield "{http://www.w3.org/XML/1998/namespace}lang", attributes["lang"]
    if attributes.get("dir", "").lower() in ("ltr", "rtl", "auto"):
        yield "dir", attributes["dir"].lower()
    for key in ("colspan", "rowspan"):
        if (
            tag in ("td", "th")
            and attributes.get(key, "").isdecimal()
            and 0 < int(attributes[key]) < 1000
        ):
            yield key, attributes[key]
    if tag == "th" and attributes.get("scope") in ("row", "col", "rowgroup", "colgroup"):
        yield "scope", attributes["scope"]
    if tag == "ol" and attributes.get("start", "").lstrip("-").isdecimal():
        yield "start", attributes["start"]
    if name == "figcaption":
        yield "class", "caption"
    if tag in ("abbr", "dfn") and attributes.get("title"):
        yield "title", legal(attributes["title"])


def _append(into: etree._Element, text: str) -> None:
    last = _last(into)
    if last is not None:
        last.tail = (last.tail or "") + text
    else:
        into.text = (into.text or "") + text


def _last(element: etree._Element) -> etree._Element | None:
    """The last child. ``len`` would count all of them, for each text in turn."""
    return next(element.iterchildren(reversed=True), None)


def _name(element: etree._Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _in_phrasing(element: etree._Element) -> bool:
    """Whether blocks cannot stand here: links and changes take what their parent takes."""
    found: etree._Element | None = element
    while found is not None and _name(found) in ("a", "ins", "del"):
        found = found.getparent()
    return found is not None and _name(found) in _PHRASING_ONLY


def _ordered(name: str, into: etree._Element) -> str:
    """A part of a table where it comes: a head behind other rows, or a foot, is a body."""
    late = any(_name(part) != "caption" for part in into)
    return "tbody" if name == "tfoot" or (name == "thead" and late) else name


def _inside(element: etree._Element, name: str) -> bool:
    return _name(element) == name or any(_name(up) == name for up in element.iterancestors())


def _last_cell(table: etree._Element) -> etree._Element:
    """A new row and cell, for a caption that does not come first."""
    body = etree.SubElement(table, f"{{{XHTML}}}tbody")
    row = etree.SubElement(body, f"{{{XHTML}}}tr")
    return etree.SubElement(row, f"{{{XHTML}}}td")


_BLOCKS: Final = ", ".join(
    sorted(_BLOCK | set(_ALLOWED_PARENTS) | {"hr", "dt", "dd", "details", "figcaption"})
)


def _holds_blocks(node: LexborNode) -> bool:
    return node.css_first(_BLOCKS) is not None
