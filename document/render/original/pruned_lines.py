"""What a pruned page says although the text kept of it does not: who wrote it, when, its main part.

A reader page has these in a line of its own, above each post of a thread, and as landmark.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from winnow.document.arrays import Ints, Mask
from winnow.document.document import Document
from winnow.document.edits import Edit, Operation
from winnow.document.metadata.date_words import dates_in
from winnow.document.parsing import start_tags, tags
from winnow.document.render.article.fact_places import FactPlaces
from winnow.document.render.reader.byline_line import byline_line
from winnow.document.render.reader.record_headings import record_line
from winnow.document.render.render_context import RenderContext, text_of
from winnow.document.render.selection import Segments, holding
from winnow.document.spans import posts_of
from winnow.document.texts.page_words import ENGLISH_WORDS, PageWords

_MAY_BE_MAIN: Final = tags.table_of("article div section")
"""Elements that may have the role ``main`` (ARIA in HTML, section 4)."""
_BEGINNING: Final = 1000
"""Characters of the text among which its date is looked for."""
_HOLDS_NO_TEXT: Final = tags.table_of("table tbody thead tfoot tr ul ol dl colgroup col")


class PrunedLines(NamedTuple):
    """Markup by element: at the beginning of what it holds, and behind its end tag.

    ``words``: names of media that have none.
    """

    within: dict[int, str]
    behind: dict[int, str]
    words: PageWords = ENGLISH_WORDS


NO_LINES: Final = PrunedLines({}, {})


def lines_of(view: RenderContext, segments: Segments, facts: FactPlaces) -> PrunedLines:
    """The lines of posts whose author is not kept, and the page's below its headline, with what
    structured data alone say."""
    posts = posts_of(view.extraction.records)
    within = {
        _place(view.document, post.element): _small(record_line(post, posts, view.about))
        for post in posts
        if post.author and not _says(view.document, segments, post.element, post.author)
    }
    is_thread = bool(posts) and not view.extraction.comments
    line = "" if is_thread else _page_line(view, segments)
    below = (f"<p>{line}</p>" if line else "") + view.missing_facts(segments, facts)
    head = _headline(view.document, segments)
    return PrunedLines(within, {head: below} if below and head >= 0 else {}, view.about.words)


def _place(document: Document, element: int) -> int:
    """A post's element, or within one that may hold no text the first that may."""
    while _HOLDS_NO_TEXT[document.elements.tag[element]] and len(document.elements) > element + 1:
        element += 1
    return element


def main_landmark(document: Document, segments: Segments) -> tuple[Edit, ...]:
    """The role of the innermost element around all text, where no main landmark is shown.

    None where only the body is around it: part of the text would stand outside all landmarks.
    """
    if not len(segments) or _has_main(document, holding(document, segments)):
        return ()
    elements, text = document.elements, _in_no_header(document, segments)
    first, last = int(text.min()), int(text.max())
    around = int(document.pieces.owner[first])
    while around >= 0 and not (
        elements.last_piece[around] > last and _MAY_BE_MAIN[elements.tag[around]]
    ):
        around = int(elements.parent[around])
    return (Edit(around, Operation.SET_ATTRIBUTE, "role=main"),) if around >= 0 else ()


def _has_main(document: Document, shown: Mask) -> bool:
    if any(shown[element] for element in document.elements_named("main")):
        return True
    elements, found = document.elements, np.flatnonzero(shown)
    starts, ends = elements.open_start[found], elements.open_end[found]
    return any(
        document.attributes_of(int(element), {"role"}).get("role", "").lower() == "main"
        for element in found[start_tags.holding(document.markup, starts, ends, (' role="',))]
    )


def _in_no_header(document: Document, segments: Segments) -> Ints:
    """The selected pieces but those of headers, which are landmarks of their own (banner)."""
    apart = segments.piece[~document.inside_tags("header")[segments.piece]]
    return apart if len(apart) else segments.piece


def _page_line(view: RenderContext, segments: Segments) -> str:
    """Author and date where the text kept does not say them."""
    about, text = view.about, text_of(view.document, segments)
    if about.byline.casefold() in text.casefold():
        about = replace(about, byline="")
    days = {found.day for found in dates_in(text[:_BEGINNING], about.language)}
    if about.date in days or view.document.inside_tags("time")[segments.piece].any():
        about = replace(about, published="", modified="")
    return byline_line(about, 0)


def _headline(document: Document, segments: Segments) -> int:
    """The first h1 that is shown, -1 if none is."""
    shown = holding(document, segments)
    return next((int(head) for head in document.elements_named("h1") if shown[head]), -1)


def _says(document: Document, segments: Segments, element: int, name: str) -> bool:
    elements = document.elements
    inside = (segments.piece >= elements.first_piece[element]) & (
        segments.piece < elements.last_piece[element]
    )
    return name.casefold() in text_of(document, segments.only(inside, document)).casefold()


def _small(line: str) -> str:
    return f"<small>{line}</small><br>"
