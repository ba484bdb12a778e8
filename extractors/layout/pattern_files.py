"""Webstemmer's pattern files, and the lines that its extract.py prints of a page (Shinyama 2007).

A file has a pattern a line, as Python writes a tuple ("Anatomy of Pattern Files"): its score, its
name, the index of its title, and of each block DiffScore, MainScore and path. What begins with
``#`` is a comment; those before a pattern name the pages that it was learned from.
"""

from __future__ import annotations

import math
from ast import literal_eval
from collections.abc import Iterator
from typing import Final

from winnow.document.document import Document
from winnow.document.values import Label
from winnow.extractors.errors import ParameterError
from winnow.extractors.layout.layout_blocks import TITLE, LayoutBlock, layout_blocks
from winnow.extractors.layout.pattern_matching import MatchingLimits, best_match
from winnow.extractors.layout.patterns import LayoutPattern, PatternBlock, Patterns

_HEAD: Final = "### version=0.6.0\n"


def pattern_file(learned: Patterns) -> str:
    """The patterns as a file that Webstemmer reads."""
    return _HEAD + "".join(map(_written, learned.patterns))


def _written(pattern: LayoutPattern) -> str:
    blocks = [(block.difference, block.main, block.feature) for block in pattern.blocks]
    pages = "".join(f"#\t{page}\n" for page in pattern.members)
    row = ascii((pattern.score, pattern.name, pattern.title, blocks))
    return f"\n# {pattern.score} <{pattern.name}>\n{pages}{row}\n"


def from_pattern_file(text: str) -> Patterns:
    """The patterns of a file. Raises ParameterError for what is none."""
    found, members = list[LayoutPattern](), list[str]()
    for line in text.splitlines():
        if line.startswith("#"):
            is_page = line[1:2].isspace() and "<" not in line
            members += [line[1:].strip()] if is_page else []
        elif line.strip():
            found.append(_read(line, tuple(members)))
            members = []
    return Patterns(tuple(found))


def _read(line: str, members: tuple[str, ...]) -> LayoutPattern:
    try:
        score, name, title, rows = literal_eval(line)
        blocks = tuple(
            PatternBlock(str(path), float(varies), float(main)) for varies, main, path in rows
        )
        total = sum(block.main for block in blocks)
        pages = len(members) or round(math.exp(min(float(score) / total, 20) if total else 1))
        return LayoutPattern(blocks, max(pages, 2), int(title), members or (str(name),))
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError) as error:
        raise ParameterError("The file holds no layouts.") from error


def page_lines(document: Document, learned: Patterns, limits: MatchingLimits) -> Iterator[str]:
    """What extract.py prints of a page: its pattern, and a line for each block that is kept.

    ``TITLE``, ``MAIN-n`` and ``SUB-n``, n the block's place in the pattern.
    """
    found = best_match(layout_blocks(document), learned, limits)
    page = document.page.url or "-"
    if found is None:
        yield f"!UNMATCHED: {page}"
        return
    yield f"!MATCHED: {page}"
    yield f"PATTERN: {found.pattern.name}"
    labels = enumerate(zip(found.labels(limits), found.groups, strict=True))
    for index, (label, group) in labels:
        if label is not None:
            kind = f"{'MAIN' if label is Label.BODY else 'SUB'}-{index}"
            head = "TITLE" if label is Label.TITLE else kind
            yield from (f"{head}: {_text(document, block)}" for block in group)


def _text(document: Document, block: LayoutBlock) -> str:
    """A block's text, white space folded; the title's stands in no piece."""
    if block.feature == TITLE:
        return document.title
    start = int(document.pieces.start[block.first_piece])
    end = int(document.pieces.end[block.last_piece - 1])
    return " ".join(document.plain(start, end).split())
