"""How much other methods agree with an extraction, where a request asks for that."""

from __future__ import annotations

from typing import Final

import numpy as np

from winnow.document.document import Document
from winnow.document.values import Extraction
from winnow.engine.base.overlap import covered, f1_between, word_offsets
from winnow.extractors import registry

OTHERS: Final = ("bte", "lqf", "mss")
"""Methods of three kinds: one block by counts of tags, links within elements, learned scores."""


def agreement(document: Document, extraction: Extraction) -> float:
    """Mean F1 of its words with those of each method of OTHERS, 0 to 1.

    A method that finds nothing says that there is no article: it agrees where that is so here.
    """
    words = word_offsets(document)
    others = (registry.make(name).extract(document).spans for name in OTHERS)
    masks = np.array([covered(words, spans) for spans in (extraction.spans, *others)])
    return round(float(f1_between(masks)[0, 1:].mean()), 3)
