"""The features of the whole page, which each of its blocks has: the last of block_features.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from winnow.document.parsing import tags
from winnow.extractors.auto.features import head_metadata, lookup_tables
from winnow.extractors.auto.features.block_context import (
    GOOD,
    LINKED,
    MEDIA,
    SENTENCES,
    SHORT,
    TEASER,
    WORDS,
    BlockContext,
    Row,
)

_COUNTED: Final = "article main table pre code time blockquote button input p li td h2 h3 iframe"
COUNTED: Final = np.array([tags.CODES[name] for name in _COUNTED.split()], dtype=np.int32)
"""The tag codes of elements that are counted over a page."""


def _mean(row: Row) -> float:
    return float(row.sum(dtype=np.float64)) / len(row)


def page_features(context: BlockContext, rows: dict[str, Any]) -> Iterator[tuple[str, float]]:
    """Names and numbers; ``rows``: the features of the blocks."""
    n, total = len(context.blocks), context.sums[-1]
    words = max(total[WORDS], 1.0)
    yield "page: blocks", n
    yield "page: words", total[WORDS]
    yield "page: good words", total[GOOD]
    yield "page: good", total[GOOD] / words
    yield "page: links", total[LINKED] / words
    yield "page: sentences", total[SENTENCES] / words
    yield "page: media", total[MEDIA] / n
    yield "page: short", total[SHORT] / n
    yield "page: teasers", total[TEASER] / words
    yield "page: longest", float(context.blocks.words.max())
    yield "page: long", float((context.blocks.words >= 40).sum())
    yield "page: headings", float((rows["heading level"] > 0).sum()) / n
    yield "page: cards", float((rows["cards"] > 0).sum()) / n
    yield "page: best name", float(context.element_scores.max())
    yield "page: worst name", float(context.element_scores.min())
    yield "page: names say", _mean(context.element_scores)
    yield "page: texts say", _mean(context.block_scores)
    counts = np.bincount(context.tag, minlength=lookup_tables.NO_TAG + 1)
    for code in COUNTED.tolist():
        yield f"page: <{tags.NAMES[code]}>", float(counts[code])
    yield from head_metadata.head_features(context.document).items()
