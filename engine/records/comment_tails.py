"""Readers' comments that no class or id names: a headed stretch behind the text, signed and dated.

Also sections that are named as comments and hold no records by their markup, where the signs of
comments stand close in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from winnow.document.arrays import some
from winnow.document.blocks import blocks_of
from winnow.document.document import Document, Mask
from winnow.document.parsing import start_tags
from winnow.document.values import Extraction
from winnow.engine.base.overlap import covered
from winnow.engine.net.completion import kept_pieces
from winnow.engine.records.comment_words import BEFORE_HEAD, BEHIND_HEAD, HEADS, REPLY, heads_in
from winnow.engine.records.record_dates import DATE

_NUMBER: Final = r"(?:(?!0+\b)\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten)"
_HEAD: Final = re.compile(
    rf"\W*(?:{_NUMBER}\s+)?"
    r"(?:(?:readers?|users?|visitors?|older|newer|latest|recent|all|your)\W*\s+)?"
    r"(?:comments?|respon(?:ses?|ded)|replies|kommentare?|commentaires?|comentarios?|comentários"
    rf"|commenti|reacties|thoughts)\s*(?:\W?\s*{_NUMBER}\s*\W?)?"
    r"(?:\s+(?:on|to|in|for|so far|zu|sur|en|a|op)\b.{0,120}"
    r"|\W{0,3}\s+read (?:them|it) below.{0,40})?\W*"
    rf"|\W*(?:{_NUMBER}\s*[条條件個개]?の?\s*)?{BEFORE_HEAD}(?:{HEADS}){BEHIND_HEAD}"
    rf"\s*(?:\W?\s*{_NUMBER}\s*[条條件個개]?\s*\W?)?\W*",
    re.IGNORECASE,
)
"""The whole of a line above comments."""
_TRACKBACKS: Final = re.compile(
    r"\W*trackbacks?(?:\s+pings|\s+url for this entry)?\W*", re.IGNORECASE
)
"""The line above other sites' links, which stand before comments or in their place."""
_LINKS: Final = 80
"""Words of these links."""
_HOLDS: Final = (
    "omment", "OMMENT", "espon", "eplies", "reacties", "oment", "rackback", "rackBack", "houghts",
    "pini", "yorum", "Yorum", "OMENTAR",
)  # fmt: skip
"""What every such line in ASCII holds."""
_SIGN: Final = re.compile(
    rf"\b(?:says|said|wrote|writes)\b\W*$|^(?:reply|{REPLY})\W*$"
    r"|^\W*(?:posted|comment(?:ed)?|left|written) by\b",
    re.IGNORECASE,
)
_LONGEST_SIGN: Final = 90
"""Characters of a line that says who wrote a comment, or when."""
_BEHIND: Final = 8
"""Pieces behind the last comment in which its author is named."""
_LONGEST_HEAD: Final = 160
_LEAST: Final = 25
"""Words of the text before comments."""
_SHARE: Final = 0.3
"""Share of the text's words, of which a tail that no name vouches for has more."""
_PER_SIGN: Final = 150
"""Words of a comment, as a mean; where there are more a sign, the signs are those of a text."""

_UNSIGNED: Final = 400
"""Words of prose that the method is sure of, without a sign among them: more are no comment."""


def tail_of(document: Document, extraction: Extraction, named: Mask) -> Mask:
    """The pieces of comments behind what an extraction keeps of the text; none if there are none.

    ``named``: the pieces in elements that are named as comments. O(text) to look for the words.
    """
    heads, links = _headed_begins(document)
    tail = np.zeros(len(named), dtype=np.bool_)
    if not (heads or links or some(named)):
        return tail
    kept = kept_pieces(document, extraction) & ~document.hidden
    before = np.cumsum(np.where(kept, document.piece_words, 0))
    for begin in (*_named_begins(named & kept), *heads, *links):
        said = int(before[-1] - before[begin - 1]) if begin else 0
        is_much = said > _SHARE * before[-1] and before[begin - 1] >= _LEAST
        sure = covered(document.pieces.start, extraction.sure) & kept & ~named
        if is_much and _is_signed(document, kept, sure, begin, said):
            near = (at for at in links if 0 < at < begin and before[begin] - before[at] < _LINKS)
            tail[min((begin, *near)) :] = True
            break
    return tail


def _named_begins(named: Mask) -> Iterator[int]:
    """The first piece that is named as a comment's, where all kept behind it are."""
    found = named.nonzero()[0]
    if len(found):
        yield int(found[0])


def _headed_begins(document: Document) -> tuple[list[int], list[int]]:
    """The first pieces of lines above comments and of those above trackbacks, none of them links;
    each in document order."""
    blocks, text = blocks_of(document), document.text
    places = sorted((*start_tags.standing_of(text, _HOLDS), *heads_in(text)))
    if not places:
        return [], []
    found = blocks.start.searchsorted(np.array(places, dtype=np.int64), side="right") - 1
    lines = {
        block: " ".join(text[blocks.start[block] : blocks.end[block]].split())
        for block in dict.fromkeys(found.tolist())
        if blocks.end[block] - blocks.start[block] <= _LONGEST_HEAD
        and not document.linked[blocks.first_piece[block]]
    }
    comments, links = (
        [int(blocks.first_piece[block]) for block, line in lines.items() if head.fullmatch(line)]
        for head in (_HEAD, _TRACKBACKS)
    )
    return comments, links


def _is_signed(document: Document, kept: Mask, sure: Mask, begin: int, said: int) -> bool:
    """Whether lines that say who or when stand close from a piece to the last kept one, and no
    linked heading. Of those with no kept text between them one counts: a list of dated headlines
    that was left out signs nothing. ``sure``: what the method is sure of is a comment only where
    it is signed, and none is long."""
    pieces, text = document.pieces, document.text
    if (document.inside_tags("h1 h2 h3 h4") & document.linked & kept)[begin:].any():
        return False
    behind = int(kept.nonzero()[0][-1]) + _BEHIND
    among = ~document.hidden & (pieces.end - pieces.start <= _LONGEST_SIGN)
    places = (begin + among[begin:behind].nonzero()[0]).tolist()
    lines = ((at, text[pieces.start[at] : pieces.end[at]].strip()) for at in places)
    signs = [at for at, line in lines if DATE.search(line) or _SIGN.search(line)]
    texts = kept & (document.piece_words > 0)
    texts[signs] = False
    number = len(np.unique(np.cumsum(texts)[signs]))
    unsigned = np.bincount(
        np.cumsum(np.isin(np.arange(len(sure)), signs)), document.piece_words * sure
    )
    return number > 0 and said <= _PER_SIGN * number and unsigned.max() <= _UNSIGNED
