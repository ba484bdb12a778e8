"""Pages with gold text as labelled blocks for the CRF."""

from __future__ import annotations

from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.document.values import Page
from winnow.evaluation.gold.gold_shares import shares_of
from winnow.evaluation.gold.packages import PackageEntry
from winnow.extractors.crf.crf_features import block_features
from winnow.extractors.crf.crf_training import CrfExample

MAJORITY = 0.5
"""The share of a block's words in the gold text from which the block is content."""


def crf_example(entry: PackageEntry) -> CrfExample:
    """An entry's blocks, and which are content."""
    document = Document.parse(Page(entry.body, entry.url))
    found = block_features(document)
    shares = shares_of(document, blocks_of(document), entry.gold)[found.index]
    return CrfExample(found, (shares >= MAJORITY).tolist())
