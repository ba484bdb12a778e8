"""How a page's prose is written: the rate of function words, the most frequent ones of each script,
and how many of them are English.

These are features of the whole page. Unlike the scores of tokens they are not learned, so they say
the same of pages in languages that no training page is in; and they tell such pages.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.document.blocks import Blocks
from winnow.document.document import Document

PROSE: Final = 8
"""Words of a block from which it may be prose."""
_FIRST: Final = 1_000
"""Characters of the prose that are read."""
_ENGLISH: Final = frozenset(
    "the of and to is that for it was with as by are this have from".split()
)
_SPACED: Final = _ENGLISH | frozenset(
    # German, French, Spanish, Italian, Portuguese, Dutch
    "der die und den das von mit ist nicht le la les des et un une que dans pour el los del y en "
    "por con se il di che per e non sono o os do da em um não het een van dat op te "
    # Polish, Czech, Scandinavian, Finnish, Hungarian, Romanian, Turkish, Indonesian, Vietnamese
    "w i z na nie się że jest v je ze og att och som på er det ja ei on että hogy nem és az si să "
    "cu nu ve bir bu için yang dan untuk và của là có "
    # Russian, Ukrainian, Bulgarian, Serbian; Greek
    "в и не на что с по как это из за у та що до те се от е да су ο η το και να του της την με για "
    "από στο στη "
    # Arabic, Persian, Hebrew, Hindi, Korean
    "في من على أن إلى عن که به از را این של את על לא זה के में की है से को और 이 그 및 수".split()
)
_UNSPACED: Final = "的了是在和有不这這のはをがにでとที่และใน"
"""Characters of Chinese, Japanese and Thai, which are written without spaces."""
NAMES: Final = ("function words", "English")


def prose_style(document: Document, blocks: Blocks) -> npt.NDArray[np.float32]:
    """The rate of function words, and the share of English ones in them; 0 without prose."""
    reads = (blocks.words >= PROSE) & (blocks.linked_words * 3 < blocks.words) & ~blocks.hidden
    first = reads.nonzero()[0][: _FIRST // (4 * PROSE)]
    said, length = list[str](), 0
    for start, end in zip(blocks.start[first].tolist(), blocks.end[first].tolist(), strict=True):
        size = end - start if end - start < _FIRST else _FIRST
        said += (document.text[start : start + size],)
        length += size
        if length >= _FIRST:
            break
    text = " ".join(said).lower()
    words = text.split()
    spaced, english = (sum(map(some.__contains__, words)) for some in (_SPACED, _ENGLISH))
    unspaced = 0 if text.isascii() else sum(map(text.count, _UNSPACED))
    rate = spaced / max(len(words), 1) + unspaced / max(length, 1)
    return np.array((rate, english / max(spaced + unspaced, 1)), dtype=np.float32)


def is_english(style: npt.NDArray[np.float32]) -> bool:
    """Whether most of the function words are English."""
    return bool(style[1] > 0.5)
