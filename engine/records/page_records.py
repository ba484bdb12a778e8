"""Records: the posts of a thread, questions with answers, readers' comments.

One step over a document's structure after any method. On threads records are the content: the text
has what the method kept of their bodies, and those that it missed among others that it kept.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import NOTHING, some
from winnow.document.document import Document, Mask
from winnow.document.parsing import start_tags, tags
from winnow.document.spans import Record, RecordKind
from winnow.document.texts.short_texts import key_of
from winnow.document.values import Comments, Extraction, Purpose
from winnow.engine.base.selector_rules import without
from winnow.engine.net.completion import kept_pieces
from winnow.engine.records.card_records import with_cards
from winnow.engine.records.comment_tails import tail_of
from winnow.engine.records.comments import apart, comments_of, dropped
from winnow.engine.records.record_elements import Group, RecordElements
from winnow.engine.records.record_facts import RecordFacts
from winnow.engine.records.record_marks import Mark, RecordMarks
from winnow.engine.records.stated_posts import StatedPosts
from winnow.engine.records.thread_pages import is_discussed, is_thread_page
from winnow.extractors.base import spans_of_pieces

_KINDS: Final = {
    "Question": RecordKind.QUESTION,
    "Answer": RecordKind.ANSWER,
    "Comment": RecordKind.COMMENT,
    "Review": RecordKind.REVIEW,
}
_HOLDS_RECORD: Final = tags.table_of(
    "div section article main li dd td p body tr tbody center form blockquote"
)
_Kinds = tuple[RecordKind, RecordKind]
_QUESTION: Final = (RecordKind.QUESTION, RecordKind.ANSWER)
_DISCUSSION: Final = (RecordKind.POST, RecordKind.POST)
_COMMENTS: Final = (RecordKind.COMMENT, RecordKind.COMMENT)
_REVIEWS: Final = (RecordKind.REVIEW, RecordKind.REVIEW)
_MOST: Final = 0.75
"""Share of the words; the rest is buttons and forms."""
_HEADLINE: Final = 15
"""Words of who wrote a record and when, and hardly more."""
_Places = npt.NDArray[np.integer]


def with_records(document: Document, extraction: Extraction, choice: Comments) -> Extraction:
    """The extraction with its records; on a thread its text is theirs. O(markup) where any are.

    ``choice``: what is done with comments on a page that is no thread.
    """
    return with_cards(document, _with_posts(document, extraction, choice))


def _with_posts(document: Document, extraction: Extraction, choice: Comments) -> Extraction:
    if extraction.edited or extraction.edits:
        return extraction
    if is_thread_page(document, extraction):
        return _thread(document, extraction)
    if start_tags.standing(document.markup, "schema.org/Review", 11):
        extraction = _reviews(document, extraction)
    comments, found = _comments(document, extraction)
    if not some(comments):
        return extraction
    if is_discussed(document, extraction, comments, len(found)):
        return _thread(document, extraction)
    records = tuple(one.record for one in found)
    match choice:
        case Comments.DROP:
            extraction = dropped(document, extraction, comments)
        case Comments.KEEP:
            extraction = replace(extraction, records=records)
        case Comments.FOLD:
            extraction = apart(document, extraction, comments, records)
    return extraction


def _comments(document: Document, extraction: Extraction) -> tuple[Mask, list[_Found]]:
    """The pieces of comments on a text, and their records if they have any."""
    sections = comments_of(document)
    shown = sections.named & ~document.hidden
    found = _found(document, shown, _COMMENTS) if some(shown) else []
    if _say_most(document, found, shown):
        return sections.named, found
    certain = _behind_text(document, extraction, sections.certain)
    if some(certain):
        return certain, _within(found, certain)
    return tail_of(document, extraction, shown), []


def _behind_text(document: Document, extraction: Extraction, comments: Mask) -> Mask:
    """Some comments, if they are less than the text that they stand with; else none."""
    words, kept = document.piece_words, kept_pieces(document, extraction) & ~document.hidden
    said, rest = words @ (kept & comments), words @ (kept & ~comments)
    return comments if said < rest else NOTHING


def _within(found: Sequence[_Found], comments: Mask) -> list[_Found]:
    """The records whose bodies are comments beyond doubt, each as one that answers none."""
    inside = [one for one in found if comments[one.body].all()]
    return [replace(one, record=replace(one.record, parent=-1)) for one in inside]


def _reviews(document: Document, extraction: Extraction) -> Extraction:
    """The extraction with the reviews that it keeps as records, without buttons and bylines."""
    reviews = RecordMarks(document).of(Mark.RECORD, 0, len(document.elements))
    kept = kept_pieces(document, extraction)
    among = kept & document.inside(np.array(reviews, dtype=np.int64))
    found = _found(document, among, _REVIEWS) if len(reviews) > 1 and among.any() else []
    spans = without(document, extraction.spans, _around(kept, found)) if found else extraction.spans
    return replace(extraction, spans=tuple(spans), records=tuple(one.record for one in found))


def _say_most(document: Document, found: Sequence[_Found], comments: Mask) -> bool:
    """Whether what is named as comments is records: several, with most of its words.

    Where it is not, the name may stand for something else, an essay in a ``div.comment``.
    """
    inside = np.zeros(len(comments), dtype=np.bool_)
    for one in found:
        inside[one.own] = True
    words = document.piece_words
    return len(found) > 1 and bool(words[inside & comments].sum() >= _MOST * words[comments].sum())


@dataclass(frozen=True, slots=True)
class _Found:
    """A record, the pieces of its body, all of its own pieces, and how many are around it."""

    record: Record
    body: _Places
    own: _Places
    depth: int


def _thread(document: Document, extraction: Extraction) -> Extraction:
    is_question = extraction.purpose is Purpose.QUESTION
    shown = ~document.hidden
    kinds = _QUESTION if is_question else _DISCUSSION
    found = _found(document, shown, kinds) if shown.any() else []
    if not found:
        return extraction
    records = [one.record for one in found]
    kept = kept_pieces(document, extraction)
    spans = extraction.spans
    if kept.any():
        gone, added = _around(kept, found), _missed(kept, found)
        spans = tuple(sorted((*without(document, spans, gone), *spans_of_pieces(document, added))))
    return replace(extraction, spans=spans, records=tuple(records))


def _around(kept: Mask, found: Sequence[_Found]) -> Mask:
    """The kept pieces of records that are no part of their bodies."""
    gone = np.zeros(len(kept), dtype=np.bool_)
    for one in found:
        gone[one.own] = True
    for one in found:
        gone[one.body] = False
    return gone & kept


def _missed(kept: Mask, found: Sequence[_Found]) -> Mask:
    """The bodies of which nothing is kept, where of most others of their depth something is."""
    missed = np.zeros(len(kept), dtype=np.bool_)
    for depth in {one.depth for one in found}:
        bodies = [one.body for one in found if one.depth == depth]
        absent = [body for body in bodies if not kept[body].any()]
        if 2 * len(absent) <= len(bodies):
            for body in absent:
                missed[body] = True
    return missed


def _found(document: Document, among: Mask, kinds: _Kinds) -> list[_Found]:
    """The records among some pieces, in document order; the first one's kind, all others'."""
    marks = RecordMarks(document, *_part(document, among))
    stated = StatedPosts.of(document, marks.quoted)
    elements = RecordElements(document, marks, among, stated.places).found()
    types = dict(marks.values("itemtype")) if elements else {}
    is_topic = bool(elements) and "Posting" in types.get(elements[0], "")
    found: list[_Found] = []
    index_of: dict[int, int] = {}
    places, starting = stated.places, frozenset(elements)
    for element, around, inner in _nested(document, elements):
        behind = _behind(document, element, starting, places)
        facts = RecordFacts(document, marks, element, inner, behind)
        among_own = among[facts.first : facts.first + len(facts.own)]
        if post := stated.within(facts.own, facts.first, facts.author):
            facts = replace(facts, stated=post)
        said = facts.around_facts if kinds is _REVIEWS else facts.body
        body = facts.first + (said & among_own).nonzero()[0]
        if len(body) and (facts.author or facts.time):
            outer = [index_of[other] for other in around if other in index_of]
            named = types.get(element, "").rstrip("/").rpartition("/")[2]
            record = Record(
                spans_of_pieces(document, said & among_own, facts.first),
                _holding(document, body),
                _KINDS.get(named, _kind(outer, found, kinds)),
                facts.author,
                facts.time,
                facts.number,
                -1 if is_topic and outer == [0] else outer[-1] if outer else -1,
                facts.is_accepted,
                facts.votes,
            )
            index_of[element] = len(found)
            own = facts.first + facts.own.nonzero()[0]
            found.append(_Found(record, body, own, len(outer)))
    return list(_without_topic(found)) if is_topic else found


def _without_topic(found: Sequence[_Found]) -> Iterator[_Found]:
    """The records without that of the whole thread, where its first post has one of its own."""
    said = [key_of(f"{one.record.author} {one.record.time}") for one in found[:2]]
    if len(found) < 2 or not found[1].depth or said[0] != said[1]:
        yield from found
        return
    for one in found[1:]:
        kind = found[0].record.kind if one is found[1] else one.record.kind
        record = replace(one.record, kind=kind, parent=max(one.record.parent - 1, -1))
        yield replace(one, record=record, depth=one.depth - 1)


def _part(document: Document, among: Mask) -> tuple[int, int]:
    """Where the markup around some pieces begins and ends, with the tags of no others."""
    elements, pieces = document.elements, among.nonzero()[0]
    first, last = int(document.pieces.owner[pieces[0]]), int(document.pieces.owner[pieces[-1]])
    while (outer := int(elements.parent[first])) >= 0 and elements.first_piece[outer] == pieces[0]:
        first = outer
    while (outer := int(elements.parent[last])) >= 0 and (
        elements.last_piece[outer] == pieces[-1] + 1
    ):
        last = outer
    return int(elements.open_start[first]), int(elements.close_end[last])


def _kind(outer: Sequence[int], found: Sequence[_Found], kinds: _Kinds) -> RecordKind:
    if outer and found[outer[-1]].record.kind is RecordKind.ANSWER:
        return RecordKind.COMMENT
    return kinds[1] if found else kinds[0]


def _nested(
    document: Document, elements: Group
) -> Iterator[tuple[int, tuple[int, ...], tuple[int, ...]]]:
    """Each element with those around it, the outermost first, and those right within it."""
    last = document.elements.last
    around: list[int] = []
    inner: dict[int, list[int]] = {element: [] for element in elements}
    outer: dict[int, tuple[int, ...]] = {}
    for element in elements:
        while around and last[around[-1]] <= element:
            around.pop()
        outer[element] = tuple(around)
        if around:
            inner[around[-1]].append(element)
        around.append(element)
    for element in elements:
        yield element, outer[element], tuple(inner[element])


def _behind(
    document: Document, element: int, records: frozenset[int], stated: Sequence[int]
) -> int:
    """The index behind a record: one that is hardly more than its headline, as ``<dt>`` is, has
    its body in the element next to it, unless a stated post begins in it."""
    elements, words = document.elements, document.piece_words
    behind = int(elements.last[element])
    first, last = int(elements.first_piece[element]), int(elements.last_piece[element])
    if words[first:last].sum() > _HEADLINE or behind in records or behind >= len(elements):
        return behind
    if bisect_left(stated, first) < bisect_left(stated, last):
        return behind
    beside = elements.parent[behind] == elements.parent[element]
    said = words[elements.first_piece[behind] : elements.last_piece[behind]].sum()
    return int(elements.last[behind]) if beside and said else behind


def _holding(document: Document, body: _Places) -> int:
    """The innermost element that holds all pieces of a body and may hold any content."""
    elements = document.elements
    element = int(document.pieces.owner[body[0]])
    while (
        elements.last_piece[element] <= body[-1] or not _HOLDS_RECORD[elements.tag[element]]
    ) and elements.parent[element] >= 0:
        element = int(elements.parent[element])
    return element
