"""``python -m benchmarks.element_tree PACKAGE...``: memory's features beside an ElementTree's.

The thesis reads its features from Python's ElementTree. Here that tree is built with lxml from
lexbor's nodes, its 41 features are computed plainly, and rows that differ are counted: with the
elements inside those that a document keeps whole (``<select>``, ``<object>``, ...), and without.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

from lxml import etree
from selectolax.lexbor import LexborHTMLParser, LexborNode

from benchmarks.experiments import loaded
from winnow.document import tags
from winnow.document.decoding import decode
from winnow.document.document import Document
from winnow.document.values import Page
from winnow.evaluation.tables import aligned
from winnow.extractors.memory.element_features import (
    ABSENT,
    CAPITALS,
    EDGE,
    ENDS,
    NEAR,
    NO,
    SYMBOLS,
    TAGS,
    YES,
    features,
)
from winnow.extractors.memory.text_slots import slots_of

Row = tuple[str | int, ...]
OTHER: Final = "other"
_WHOLE: Final = frozenset(tags.NAMES[code] for code in tags.OPAQUE)
_SILENT: Final = _WHOLE | {tags.NAMES[code] for code in tags.SILENT}


class FeatureDifferences(NamedTuple):
    """Elements of a page, and how many rows differ: from a tree with all elements, and from one
    without those inside elements that are kept whole."""

    elements: int
    differ: int
    differ_without: int


def differences(page: Page) -> FeatureDifferences:
    """A page's rows beside an ElementTree's. Raises ValueError where the elements differ."""
    document = Document.parse(page)
    ours = [
        (*(SYMBOLS[code] for code in row[: 2 * TAGS + 1]), *row[2 * TAGS + 1 :])
        for row in features(document, slots_of(document)).tolist()
    ]
    every = _outside_head(element_tree(page))
    shared = [node for node in every if not _is_in(node, _WHOLE)]
    if len(shared) != len(ours):
        raise ValueError(f"{len(shared)} elements; the document has {len(ours)}")
    rows = dict(zip(every, rows_of(every), strict=True))
    return FeatureDifferences(
        len(ours),
        sum(rows[node] != row for node, row in zip(shared, ours, strict=True)),
        sum(one != row for one, row in zip(rows_of(shared), ours, strict=True)),
    )


def element_tree(page: Page) -> etree._Element:
    """The nodes of a page as an ElementTree; comments are left out and separate nothing."""
    decoded = decode(page)
    tree = LexborHTMLParser(page.body if decoded.is_body else decoded.text)
    root = etree.Element("html")
    stack = [(tree.root, root)]
    while stack:
        source, target = stack.pop()
        last: etree._Element | None = None
        for child in _children(source):
            if child.tag == "-text":
                _append(target, last, child.text_content or "")
            elif child.tag and child.tag[0].isalpha():
                last = etree.SubElement(target, _name(child.tag))
                stack.append((child, last))
    return root


def _children(node: LexborNode | None) -> Iterator[LexborNode]:
    child = node.child if node is not None else None
    while child is not None:
        yield child
        child = child.next


def _append(parent: etree._Element, last: etree._Element | None, text: str) -> None:
    text = text.replace("\x00", "").replace("\x0c", " ")  # XML has neither
    text = "".join(each if each.isprintable() or each.isspace() else "\ufffd" for each in text)
    if last is None:
        parent.text = (parent.text or "") + text
    else:
        last.tail = (last.tail or "") + text


def _name(tag: str) -> str:
    return tag if tag in SYMBOLS else OTHER


def _outside_head(root: etree._Element) -> list[etree._Element]:
    heads = set(chain.from_iterable(head.iter() for head in root.iter("head")))
    return [node for node in root.iter() if node not in heads]


def _is_in(node: etree._Element, names: frozenset[str]) -> bool:
    return any(above.tag in names for above in node.iterancestors())


def rows_of(nodes: Sequence[etree._Element]) -> list[Row]:
    """The 41 features of each element (the thesis, chapter 5)."""
    texts = [_folded(node.text, node.tag in _SILENT or _is_in(node, _SILENT)) for node in nodes]
    tails = [_folded(node.tail, _is_in(node, _SILENT)) for node in nodes]
    names = [str(node.tag) for node in nodes]
    text_ends, tail_ends = [*map(_ends, texts)], [*map(_ends, tails)]
    lengths, tail_lengths = [*map(len, texts)], [*map(len, tails)]
    return [
        (
            *_near(names, place, TAGS, EDGE),
            *_near(lengths, place, NEAR, 0),
            *_near(tail_lengths, place, NEAR, 0),
            _in_capitals(texts[place]),
            _in_capitals(tails[place]),
            *_near(text_ends, place, NEAR, ABSENT),
            *_near(tail_ends, place, NEAR, ABSENT),
        )
        for place in range(len(nodes))
    ]


def _folded(text: str | None, is_silent: bool) -> str:
    return "" if is_silent else " ".join((text or "").split())


def _near(
    values: Sequence[str] | Sequence[int], place: int, reach: int, beyond: str | int
) -> Iterator[str | int]:
    for at in range(place - reach, place + reach + 1):
        yield values[at] if 0 <= at < len(values) else beyond


def _ends(text: str) -> int:
    return ABSENT if not text else YES if text[-1] in ENDS else NO


def _in_capitals(text: str) -> int:
    letters, capitals = sum(map(str.isalpha, text)), sum(map(str.isupper, text))
    return ABSENT if not text else YES if capitals > CAPITALS * letters else NO


def main(given: Sequence[str] | None = None) -> int:
    """Print the counts of each package."""
    parser = argparse.ArgumentParser("benchmarks.element_tree", description=__doc__)
    parser.add_argument("package", nargs="+")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every N-th page (1)")
    arguments = parser.parse_args(given)
    packages = loaded(arguments.package)
    if packages is None:
        return 2
    lines = []
    for package in packages:
        found = [
            differences(Page(entry.body, entry.url)) for entry in [*package][:: arguments.every]
        ]
        elements, differ, without = (sum(column) for column in zip(*found, strict=True))
        cells = (f"{count:,} ({count / elements:.2%})" for count in (differ, without))
        lines.append((package.name, f"{elements:,}", *cells))
    heading = ("rows that differ", "elements", "all elements", "without those kept whole")
    sys.stdout.write(aligned(heading, lines, 1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
