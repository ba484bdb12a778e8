"""Crunch's walk, word for word from its description: the definition that ours is held to.

A small mutable tree, filtered depth-first: at each element the editing filters, then at most one
deleting filter of an else-if chain, then the children unless that filter forbade it. Slow and
plain; knows nothing of the extractor but its options.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape

from winnow.document.document import Document
from winnow.document.parsing import tags
from winnow.extractors.crunch.crunch_options import CrunchOptions
from winnow.extractors.crunch.relax_levels import Filter

_TOKEN = re.compile(r"<([^>]*)>([^<]*)")
_ATTRIBUTE = re.compile(r' ([^\s=>]+)="([^"]*)"')
_SILENT = {"script", "style", "option"}
"""Their text is none of the page's."""
_VOID = {tags.NAMES[code] for code in tags.VOID}


@dataclass(eq=False)
class Node:
    """An element, or a text where ``name`` is ""; ``at`` is where it begins in the markup."""

    name: str
    at: int
    attributes: dict[str, str] = field(default_factory=dict)
    text: str = ""
    children: list[Node] = field(default_factory=list)
    parent: Node | None = None

    def add(self, child: Node) -> Node:
        child.parent = self
        self.children.append(child)
        return child

    def all(self) -> list[Node]:
        """The node and everything below it."""
        return [self, *(inner for child in self.children for inner in child.all())]

    def drop(self) -> None:
        assert self.parent is not None
        self.parent.children.remove(self)

    def replace(self, *others: Node) -> None:
        assert self.parent is not None
        place = self.parent.children.index(self)
        self.parent.children[place : place + 1] = list(others)
        for other in others:
            other.parent = self.parent


def tree(document: Document) -> Node:
    """The nodes of a document's markup."""
    root = place = Node("#document", 0)
    for token in _TOKEN.finditer(document.markup):
        tag, text = token[1], token[2]
        name = tag.strip("/").partition(" ")[0]
        if tag.startswith("/"):
            assert place.parent is not None
            place = place.parent
        elif not tag.startswith("!"):
            told = {key: unescape(value) for key, value in _ATTRIBUTE.findall("<" + tag)}
            node = place.add(Node(name, token.start(), told))
            place = place if name in _VOID else node
        if text and place.name not in _SILENT:
            place.add(Node("", token.end(1) + 1, text=unescape(text)))
    return root


def is_link(node: Node) -> bool:
    return node.name == "a" and "href" in node.attributes


def has_direct_image(node: Node) -> bool:
    return any(child.name == "img" for child in node.children)


@dataclass
class Walk:
    """One page under one set of options."""

    options: CrunchOptions
    removed_links: list[str] = field(default_factory=list)

    def filter_node(self, node: Node) -> None:
        if node.name and self.keep_walking(node):
            for child in list(node.children):
                if child.parent is node and child in node.children:
                    self.filter_node(child)
            self.after_children(node)

    def on(self, kind: Filter) -> bool:
        return kind in self.options.filters

    def keep_walking(self, node: Node) -> bool:
        self.edit(node)
        return self.delete(node)

    def edit(self, node: Node) -> None:
        if self.on(Filter.CELL_WIDTHS) and node.name in ("td", "table"):
            node.attributes.pop("width", None)
        if self.on(Filter.STYLE_ATTRIBUTES) or (self.on(Filter.DIV_STYLES) and node.name == "div"):
            node.attributes.pop("style", None)

    def delete(self, node: Node) -> bool:  # noqa: C901  # the original's chain
        name = node.name
        if tags.CODES.get(name) in self.options.cells and self.on(Filter.LINK_LISTS):
            self.link_list(node)
        elif is_link(node) and not has_direct_image(node):
            if self.on(Filter.TEXT_LINKS):
                self.queue(node)
                node.drop()
                return False
        elif is_link(node) or (name == "img" and self.is_image_link(node)):
            if self.on(Filter.IMAGE_LINKS):
                self.swap(node, self.options.link_alts)
                return False
        elif name == "img":
            if self.on(Filter.IMAGES):
                has_text = node.attributes.get("src") and node.attributes.get("alt")
                self.swap(node, self.options.image_alts and bool(has_text))
                return False
        elif name == "noscript" and not self.on(Filter.NOSCRIPT):
            if self.on(Filter.SCRIPTS):
                children = list(node.children)
                node.replace(*children)
                for child in children:
                    self.filter_node(child)
                return False
        elif name in _BY_NAME and self.on(_BY_NAME[name]):
            node.drop()
            return False
        return True

    def is_image_link(self, node: Node) -> bool:
        return "usemap" in node.attributes or (node.parent is not None and is_link(node.parent))

    def link_list(self, cell: Node) -> None:
        links = [node for node in cell.all()[1:] if self.is_listed(node)]
        words = sum(map(len, texts_outside_links(cell))) // self.options.letters
        ratio = len(links) / words if words else self.options.ratio + 1
        if ratio <= self.options.ratio:
            return
        if not self.options.only_links:
            for node in cell.all()[1:]:
                self.queue(node)
            cell.children.clear()
            return
        for node in cell.all()[1:]:
            if self.is_listed(node) or not node.name:
                self.queue(node)
                if node.parent is not None and node in node.parent.children:
                    node.drop()

    def is_listed(self, node: Node) -> bool:
        if not is_link(node):
            return False
        return self.options.list_images if has_direct_image(node) else self.options.list_texts

    def queue(self, node: Node) -> None:
        if is_link(node) and not has_direct_image(node):
            self.removed_links.append(node.attributes["href"])

    def swap(self, node: Node, leaves_text: bool) -> None:
        """Something for the table's remover to see, with a text as long as the ALT text's."""
        if not leaves_text:
            node.drop()
            return
        stand_in = Node("a", -1, {"href": ""})
        stand_in.add(Node("", -1, text="[..........]"))
        node.replace(stand_in)

    def after_children(self, node: Node) -> None:
        if node.name == "table" and self.on(Filter.EMPTY_TABLES):
            inside = node.all()[1:]
            has_things = any(tags.CODES.get(each.name) in self.options.substance for each in inside)
            length = sum(len(each.text.strip()) for each in inside if not each.name)
            if not has_things and length < self.options.least_text:
                node.drop()


def texts_outside_links(node: Node) -> list[str]:
    if is_link(node):
        return []
    own = [node.text] if not node.name else []
    return own + [text for child in node.children for text in texts_outside_links(child)]


_BY_NAME = {
    "script": Filter.SCRIPTS,
    "noscript": Filter.NOSCRIPT,
    "style": Filter.STYLES,
    "meta": Filter.META,
    "form": Filter.FORMS,
    "input": Filter.INPUTS,
    "button": Filter.BUTTONS,
    "select": Filter.SELECTS,
    "iframe": Filter.FRAMES,
    "embed": Filter.EMBEDS,
}
