"""HTML to well-formed markup: one lexbor parse, serialised.

Lexbor's own writing can be read back as the tree that it stands for, but for a few trees (HTML
standard, 13.3, "it is possible that the output will not parse to the original tree"); for those
there is ``serialised_unambiguously``, a step a node.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Any, Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from winnow.document.compiled import loop, optional_module
from winnow.document.errors import TooComplexError
from winnow.document.parsing import parser_limits, start_tags, tags
from winnow.document.parsing.masking import is_double_escaped
from winnow.document.parsing.parser_limits import ParserLimit, exceeded_limit_in_python
from winnow.document.parsing.tex_scripts import has_tex, with_tex_shown
from winnow.document.parsing.tree_writer import EMPTY, markup_of
from winnow.document.parsing.unclosed_frames import with_frames_closed

_compiled: Any = optional_module("winnow.document.parsing._parser_limits")

Tree = LexborHTMLParser
_OPAQUE: Final = frozenset(tags.NAMES[code] for code in tags.OPAQUE)
_VOID: Final = frozenset(tags.NAMES[code] for code in tags.VOID)


_UNCHECKED: Final = 1000
"""Bytes up to which no page can cost much."""
_TAG: Final = rb"\xf3\xa0[\x80\x81][\x80-\xbf]"
_TAGS: Final = re.compile(rb"(\xf0\x9f\x8f\xb4(?:" + _TAG + rb"){2,6}\xf3\xa0\x81\xbf)|" + _TAG)
_NO_WIDTH: Final = (
    rb"\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81[\xa0-\xaf]|\xef\xbb\xbf|\xf3\xa0[\x84-\x87][\x80-\xbf]"
    rb"|&(?:#(?:820[3-7]|8288|65279|x200[b-f]|x2060|xfeff)|zwn?j);"
)
_UNSEEN: Final = (
    re.compile(
        rb"&#(?:[xX]0*[eE]00[0-7][0-9a-fA-F]|0*9175(?:0[4-9]|[1-9]\d)|0*9176(?:[0-2]\d|3[01]));?"
    ),
    re.compile(
        rb"&(?:#(?:820[3-7]|8288|65279|x200[b-f]|x2060|xfeff)|zwn?j);(?:" + _NO_WIDTH + rb"){3,}"
    ),
    re.compile(rb"\xe2\x80[\x8b-\x8f\xaa-\xae](?:" + _NO_WIDTH + rb"){3,}"),
    re.compile(rb"\xf3\xa0[\x84-\x87][\x80-\xbf](?:" + _NO_WIDTH + rb"){3,}"),
)
"""Each begins with letters, which an engine finds in a tenth of a millisecond in 250 kB."""
_OF_ASCII: Final = 2
"""So many of them stand in ASCII."""
_MESSAGES: Final = {
    ParserLimit.DEPTH: f"Its elements are nested deeper than {parser_limits.DEPTH}.",
    ParserLimit.ATTRIBUTES: f"One of its tags has more than {parser_limits.ATTRIBUTES} attributes.",
    ParserLimit.REOPENED: "It leaves too many formatting elements open.",
    ParserLimit.OPTIONS: f"One of its lists of choices has more than {parser_limits.OPTIONS}.",
}


def check_limits(utf8: bytes) -> None:
    """Raises TooComplexError for a page that costs the parser more than its size. O(n)."""
    if len(utf8) <= _UNCHECKED:
        return
    arguments = (utf8, *parser_limits.TABLES, *parser_limits.LIMITS)
    if limit := _excess(*arguments):
        raise TooComplexError(_MESSAGES[ParserLimit(limit)])


_excess = loop(_compiled and _compiled.excess, exceeded_limit_in_python)


def without_unseen(utf8: bytes) -> bytes:
    """Markup in UTF-8 without characters that nobody sees and programs read; O(n).

    Tags (Unicode 16, section 23.9), but for those of a flag (UTS 51, ED-14a); rows of signs without
    a width, of which one or a few join letters or allow a break (section 23.2); and rows of
    variation selectors (section 23.4).
    """
    for unseen in _UNSEEN[: _OF_ASCII if utf8.isascii() else None]:
        utf8 = unseen.sub(b"", utf8)
    return _TAGS.sub(lambda found: found[1] or b"", utf8) if b"\xf3" in utf8 else utf8


def parse_html(html: str | bytes) -> Tree:
    """The tree of HTML, text or UTF-8, as browsers build it with scripting off.

    Raises TooComplexError for a page that costs more than its size (``parser_limits``).
    """
    utf8 = html if isinstance(html, bytes) else html.encode("utf-8", "replace")
    utf8 = with_frames_closed(without_unseen(utf8))
    check_limits(utf8)
    # Of a comment that only begins, lexbor 3 says that it holds the text before it.
    tree = LexborHTMLParser(utf8 + b">" if utf8.endswith(b"<!") else utf8)
    return with_tex_shown(tree) if has_tex(utf8) else tree


def serialise(html: str | bytes) -> str:
    """Parse HTML and write the tree out again (winnow.document.parsing.tree_writer).

    The result is well-formed: every element closed, ``<``, ``>`` and ``&`` escaped in texts and
    attribute values, except in raw-text elements. An empty text gives an empty document's markup.
    O(n), for ``parsed`` bounds what would cost more. Raises TooComplexError.
    """
    return serialised(parse_html(html), len(html))


def serialised(tree: Tree, size: int = 0) -> str:
    """A tree as lexbor writes it, but for ``plaintext``, whose end cannot be written.

    ``size``: roughly how many bytes that are.
    """
    markup = markup_of(tree, size)
    is_plaintext = start_tags.standing(markup, "<plaintext", 8)
    return serialised_unambiguously(tree) if is_plaintext else markup


def has_plain_raw_text(tree: Tree) -> bool:
    """Whether every element that is named like a raw-text element holds nothing but text, and that
    none that looks like its end: in SVG and MathML these may hold anything."""
    return all(
        bool(node.is_text_node) and f"</{around.tag}" not in (node.text_content or "")
        for around in tree.css(",".join(tags.RAW_TEXT))
        for node in _children(around)
    )


def serialised_unambiguously(tree: Tree) -> str:
    """A tree written out so that ``parsing.scan`` reads that tree and no other; O(nodes).

    Texts in ``plaintext`` are escaped. Left out: what opaque elements (``parsing.tags``) hold in
    elements named like raw-text elements, templates' contents, and scripts whose end could be
    read in two ways.
    """
    root = tree.root
    return "".join(_serialised_parts(root)) if root is not None else EMPTY


def _children(node: LexborNode) -> Iterator[LexborNode]:
    child = node.first_child
    while child is not None:
        yield child
        child = child.next


def _serialised_parts(root: LexborNode) -> Iterator[str]:
    """The tree's parts in document order, without recursion."""
    node: LexborNode | None = root
    opaque = 0
    while node is not None:
        yield _opening(node, bool(opaque))
        child = node.first_child if _is_open(node, bool(opaque)) else None
        opaque += _is_opaque(node)
        if child is not None:
            node = child
            continue
        while node is not None:
            opaque -= _is_opaque(node)
            yield _closing(node)
            if node.mem_id == root.mem_id:
                return
            if node.next is not None:
                node = node.next
                break
            node = node.parent


def _is_opaque(node: LexborNode) -> bool:
    return bool(node.is_element_node) and node.tag in _OPAQUE


def _is_open(node: LexborNode, inside_opaque: bool) -> bool:
    """Whether what stands in an element is written as other nodes are."""
    if not node.is_element_node or node.tag in _VOID:
        return False
    return node.tag not in tags.RAW_TEXT or not inside_opaque


def _opening(node: LexborNode, inside_opaque: bool) -> str:
    if node.is_text_node:
        return _text(node)
    if not node.is_element_node:
        return "<!---->"  # a comment or a processing instruction: it parts two texts
    attributes = (f' {name}="{escape(value or "")}"' for name, value in node.attributes.items())
    return f"<{node.tag}{''.join(attributes)}>"


def _closing(node: LexborNode) -> str:
    return f"</{node.tag}>" if node.is_element_node and node.tag not in _VOID else ""


def _text(node: LexborNode) -> str:
    content = node.text_content or ""
    around = node.parent.tag if node.parent is not None else ""
    if around not in tags.RAW_TEXT:
        return escape(content, quote=False).replace("\u00a0", "&nbsp;")
    in_doubt = around == "script" and ("</script" in content or is_double_escaped(content))
    return "" if in_doubt else content
