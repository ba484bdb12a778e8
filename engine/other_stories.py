"""Lists of other stories before and behind an article, in the same element as it.

Old news pages have them: headlines that are links, each with a day or a time and a sentence. Their
first sentences are prose, which a model of blocks takes for the article's; that they come in rows
of the same form, linked and dated, says what they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from winnow.document.arrays import prefix_sums
from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.document.short_texts import key_of
from winnow.engine.kept_lines import SUMMARY, Line, text_of

_DATE: Final = re.compile(
    r"(?:19|20|25)\d\d[-/.\u5e74]\s?\d{1,2}|\b\d{1,2}[-/.]\d{1,2}[-/.](?:(?:19|20)?\d\d)\b"
    r"|(?<!\d)\d{1,2}\.?(?:st|nd|rd|th)?\s+(?:de\s+)?[^\W\d]\w{1,14}\.?,?\s+(?:de\s+)?(?:19|20|25)\d\d"
    r"|\b[^\W\d]\w{2,11}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+(?:19|20)\d\d\b|\b\d{1,2}:\d\d\b"
)
"""A day or a time of day, its month in any language."""
_BETWEEN: Final = 2
"""Blocks from one headline to the next."""
_RECORDS: Final = 3
_DATED: Final = 0.8
"""Share of the records that have a day or a time, where it is not their place that tells."""
_ARTICLE: Final = 60
"""Words of an article that has other stories around it."""
_TITLE: Final = 4
_LONG_TITLE: Final = 40
"""Words of a line that is the page's title."""
_LABEL: Final = 8
"""Words of the line above a list."""
_ENDED: Final = (".", "!", "?", "\u3002", "\uff01", "\uff1f", "\u0964", "\u061f", "\u201d", '"')


def other_stories(
    document: Document, lines: Sequence[Line], *, is_article: bool
) -> list[tuple[int, int]]:
    """The half-open ranges of lines that are other stories' records before or behind the article.

    A page that the model takes for something else (not ``is_article``) is an article among other
    stories only where its one ``h1`` and a text below it stand behind some of them, as they do
    behind a site's menu of headlines with a sentence each. O(lines), and next to nothing where
    fewer than three lines begin a record.
    """
    if sum(line.is_headline for line in lines) < _RECORDS:
        return []
    return list(_ranges(document, lines, is_article=is_article))


def _ranges(
    document: Document, lines: Sequence[Line], *, is_article: bool
) -> Iterator[tuple[int, int]]:
    title = _headline(document, lines)
    runs = list(_runs(lines, title))
    dated = [run for run in runs if _is_dated(document, lines, run)]
    known = frozenset(dated)
    inside = {at for first, behind in dated for at in range(first, behind)}
    article = [at for at, line in enumerate(lines) if line.is_prose and at not in inside]
    if sum(lines[at].words for at in article) < _ARTICLE:
        return
    is_below = any(behind <= title <= article[0] for _, behind in dated)
    yield from _above_headline(lines, [run for run in runs if run not in known], title)
    if not is_article and not is_below:
        return
    for first, behind in dated:
        if behind <= article[0]:
            yield first, behind
        elif first > article[-1]:
            yield first - _has_label(document, lines, first, article[-1]), behind


def _runs(lines: Sequence[Line], title: int) -> Iterator[tuple[int, int]]:
    """The ranges of lines with a headline each few short ones, from the first headline to the end
    of the last one's record: as many lines as the others have at least. None goes over the
    page's headline."""
    heads = [at for at, line in enumerate(lines) if line.is_headline]
    parted = [at for at, (one, two) in enumerate(pairwise(heads), 1) if _parts(lines, one, two)]
    parted += [at for at, (one, two) in enumerate(pairwise(heads), 1) if one < title <= two]
    for first, behind in pairwise([0, *sorted(set(parted)), len(heads)]):
        run = heads[first:behind]
        if len(run) < _RECORDS:
            continue
        size = min(two - one for one, two in pairwise(run))
        end = min(run[-1] + size, len(lines))
        if run[-1] < title:
            end = min(end, title)
        yield run[0], end


def _parts(lines: Sequence[Line], one: int, two: int) -> bool:
    """Whether two headlines are too far from each other to be of one list."""
    between = lines[one + 1 : two]
    return len(between) > _BETWEEN or any(line.words > SUMMARY for line in between)


def _is_dated(document: Document, lines: Sequence[Line], run: tuple[int, int]) -> bool:
    """Whether nearly all records have a day or a time; the line before the first may have its."""
    blocks, (first, behind) = blocks_of(document), run
    heads = [at for at in range(first, behind) if lines[at].is_headline]
    number = 0
    for one, two in pairwise([*heads, behind]):
        start, end = blocks.start[lines[one].block], blocks.end[lines[two - 1].block]
        number += _DATE.search(document.text, int(start), int(end)) is not None
    return number >= _DATED * len(heads)


def _has_label(document: Document, lines: Sequence[Line], first: int, last: int) -> int:
    """1 if the line before a list is what stands above it, such as *More news*; else 0."""
    if first - 1 <= last or lines[first - 1].words > _LABEL:
        return 0
    return 0 if text_of(document, lines[first - 1]).endswith(_ENDED) else 1


def _headline(document: Document, lines: Sequence[Line]) -> int:
    """The index of the first line at or behind the page's only ``h1``, or of the first line that
    is the page's title or its beginning; -1 without one."""
    found, elements = document.elements_named("h1"), document.elements
    if len(found) == 1:
        blocks, first = blocks_of(document), int(elements.first_piece[found[0]])
        return sum(bool(blocks.first_piece[line.block] < first) for line in lines)
    title = key_of(document.title) if not found else ""
    short = ((at, line) for at, line in enumerate(lines) if _TITLE <= line.words <= _LONG_TITLE)
    named = (at for at, line in short if title.startswith(key_of(text_of(document, line))))
    return next(named, -1) if title else -1


def _above_headline(
    lines: Sequence[Line], runs: Sequence[tuple[int, int]], title: int
) -> Iterator[tuple[int, int]]:
    """Lists that are all the prose above the page's headline, where the article is below it."""
    prose = prefix_sums(np.array([line.is_prose * line.words for line in lines]))
    above = int(prose[max(title, 0)])
    if prose[-1] - above < _ARTICLE:
        return
    lists = [(first, behind) for first, behind in runs if behind <= title]
    if sum(int(prose[behind] - prose[first]) for first, behind in lists) == above:
        yield from lists
