"""The features of a page's blocks as one matrix, compiled or in Python.

``_features.c``, where it could be built, computes what block_context.py and block_features.py
define.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from winnow.document.blocks import Blocks, blocks_of
from winnow.document.compiled import loop, optional_module
from winnow.document.document import Document
from winnow.extractors.auto.features import head_metadata, lookup_tables
from winnow.extractors.auto.features.attribute_tokens import AttributeTokens, element_tokens
from winnow.extractors.auto.features.block_context import Array, BlockContext, context_of, grouped
from winnow.extractors.auto.features.block_features import features
from winnow.extractors.auto.features.page_features import COUNTED

Floats = npt.NDArray[np.float32]

_compiled: Any = optional_module("winnow.extractors.auto.features._features")


class Matrix(NamedTuple):
    """``rows``: all features, (blocks, features), a feature's values side by side. ``alike``: of
    each block the first that has the same path, by tags and classes and by tags, (2, blocks)."""

    rows: Floats
    alike: npt.NDArray[np.int32]


@cache
def names() -> tuple[str, ...]:
    """The features' names, in the order of the matrix."""
    document = Document.from_html("<p>One block.</p>")
    tokens, none = element_tokens(document), np.zeros(1, dtype=np.float32)
    element_scores = np.zeros(len(document.elements), dtype=np.float32)
    return tuple(features(context_of(document, blocks_of(document), tokens, element_scores, none)))


def _matrix_compiled(
    document: Document,
    blocks: Blocks,
    tokens: AttributeTokens,
    element_scores: Floats,
    block_scores: Floats,
) -> Matrix:
    matrix = np.empty((len(names()), blocks.start.size), dtype=np.float32)
    alike = np.empty((2, blocks.start.size), dtype=np.int32)
    elements, kinds = document.elements, lookup_tables.counts(document.text, blocks.start)
    columns: tuple[npt.NDArray[Any], ...] = (
        elements.tag, elements.parent, elements.block, elements.first_piece, elements.last_piece,
        document.pieces.owner, document.media,
        blocks.first_piece, blocks.last_piece, blocks.start, blocks.end, blocks.element,
        blocks.words, blocks.linked_words, blocks.hidden, kinds,
        document.linked[blocks.first_piece],
        tokens.owner, tokens.token, element_scores, block_scores,
        lookup_tables.CONTEXT_BIT, lookup_tables.KIND, lookup_tables.HEADING, COUNTED,
        np.array([*head_metadata.head_features(document).values()], dtype=np.float64),
    )  # fmt: skip
    contexts = len(lookup_tables.CONTEXTS)
    _compiled.rows(document.text, document.title, columns, contexts, len(matrix), matrix, alike)
    return Matrix(matrix.T, alike)


def matrix_in_python(
    document: Document,
    blocks: Blocks,
    tokens: AttributeTokens,
    element_scores: Floats,
    block_scores: Floats,
) -> Matrix:
    """All features of a page with at least one block. ``tokens``, ``element_scores``: of its
    elements; ``block_scores``: of its blocks."""
    context = context_of(document, blocks, tokens, element_scores, block_scores)
    rows = features(context)
    matrix = np.empty((len(rows), len(blocks)), dtype=np.float32)
    for row, values in zip(matrix, rows.values(), strict=True):
        row[:] = values  # what concerns the page fills its row
    return Matrix(matrix.T, _alike(context))


matrix_of = loop(_compiled and _matrix_compiled, matrix_in_python)


def _alike(context: BlockContext) -> npt.NDArray[np.int32]:
    def firsts(path: Array) -> Array:
        group, number = grouped(path)
        order = np.argsort(group, kind="stable")
        found: Array = order[np.cumsum(number) - number].take(group)
        return found

    paths = context.path.take(context.owner, axis=0)
    return np.stack([firsts(path) for path in paths.T]).astype(np.int32)
