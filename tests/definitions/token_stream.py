"""The token stream of a page, by a walk over its tree (Pasternack & Roth 2009, section 5.2).

Tags, words and symbols in document order; nothing is left out as hidden. What stands in scripts,
styles, menus of options and embedded media is no text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source "
    "track wbr".split()
)
CLOSED = frozenset(
    "script style template select datalist textarea title noembed noframes video audio object svg "
    "math canvas iframe".split()
)
"""Elements that are their two tags and nothing between."""
UNSPACED = ("THAI", "LAO", "MYANMAR", "KHMER", "CJK", "KANGXI", "HIRAGANA", "KATAKANA", "HALFWIDTH")


class Token(NamedTuple):
    """``kind``: ``tag``, ``word`` or ``symbol``."""

    kind: str
    text: str


def token_stream(markup: str | bytes) -> list[Token]:
    """The tokens of a page."""
    found: list[Token] = []
    for kind, value in events(markup):
        found += cut(value) if kind == "text" else [Token("tag", value)]
    return found


def events(markup: str | bytes) -> Iterator[tuple[str, str]]:
    """Start tags (``name``), end tags (``/name``) and texts of a page, in order."""
    for kind, node in walk(markup):
        if kind == "text":
            yield kind, node.text_content or ""
        else:
            yield "tag", f"/{node.tag}" if kind == "end" else str(node.tag)


def walk(markup: str | bytes) -> Iterator[tuple[str, LexborNode]]:
    """``start``, ``end`` and ``text`` with the node, in document order."""
    root = LexborHTMLParser(markup).root
    stack = [("start", root)] if root is not None else []
    while stack:
        kind, node = stack.pop()
        if kind == "start" and node.tag == "-text":
            yield "text", node
            continue
        if kind == "start" and str(node.tag).startswith(("-", "!")):
            continue  # a comment
        yield kind, node
        if kind == "end":
            continue
        if node.tag not in VOID:
            stack.append(("end", node))
        if node.tag not in CLOSED:
            stack += [("start", child) for child in reversed(children(node))]


def children(node: LexborNode) -> list[LexborNode]:
    """The child nodes, texts among them; of a ``head`` the elements alone."""
    found, child = list[LexborNode](), node.child
    while child is not None:
        if not (node.tag == "head" and child.tag == "-text"):
            found.append(child)
        child = child.next
    return found


def cut(text: str) -> list[Token]:
    """Words and symbols of a text; where a script sets no spaces each character is a word."""
    found: list[Token] = []
    goes_on = is_blank = False
    for character in text:
        is_mark = unicodedata.category(character)[0] == "M" and not character.isalnum()
        name = unicodedata.name(character, "")
        if is_mark and found and not is_blank:
            found[-1] = Token(found[-1].kind, found[-1].text + character)
        elif character.isalnum() or character == "_":
            is_alone = name.startswith(UNSPACED)
            if is_alone or not goes_on:
                found.append(Token("word", character))
            else:
                found[-1] = Token("word", found[-1].text + character)
            goes_on, is_blank = not is_alone, False
        else:
            is_blank = character.isspace() or not character.isprintable()
            goes_on = False
            if not (is_blank or is_mark):
                found.append(Token("symbol", character))
    return found
