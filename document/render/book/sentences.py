"""The sentences of an article in XHTML: each gets an element of its own, by which it is found.

A sentence ends where a block does, and within one behind a full stop or the like. Inline elements
are never cut: what is inside of one belongs to the sentence around it, unless it holds several.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lxml import etree

from winnow.document.render.book.xhtml import XHTML

LONGEST: Final = 600
"""Characters of a sentence; a longer one is cut behind a space."""
_LANGUAGE: Final = "lang"
_BLOCKS: Final = frozenset(
    "body p h1 h2 h3 h4 h5 h6 pre blockquote div ul ol li table caption thead tbody tfoot tr td th "
    "figure hr".split()
)
_MAY_HOLD_BLOCKS: Final = frozenset({"a", "ins", "del"})
_CHAPTERS: Final = frozenset({"h1", "h2", "h3"})
_SHORT: Final = frozenset(
    "mr mrs ms dr prof st vs no vol fig cf al etc ca bzw usw nr fr sr sra pp jan feb aug sept oct "
    "nov dec".split()
)
"""Words with a full stop that end no sentence."""
_END: Final = re.compile(
    r"[。！？｡][」』”’）]*(?=[^。！？｡」』”’）])"
    r"|(\w*)[.!?…؟۔।][.!?…؟۔।\"'”’»)\]]*\s+(?=[^\sa-zß-ÿ])"
)
_Piece = str | etree._Element


@dataclass(frozen=True, slots=True)
class MarkedSentence:
    """``id``: of its element. ``parts``: runs of text with their language ("": none is named).
    ``chapter``: the text of a heading that begins a chapter, else ""."""

    id: str
    parts: tuple[tuple[str, str], ...]
    chapter: str = ""


def mark_sentences(body: etree._Element) -> list[MarkedSentence]:
    """Put each sentence of ``body`` into a ``span`` with an id; the sentences in order."""
    found: list[MarkedSentence] = []
    _mark(body, found)
    return found


def sentence_ends(text: str) -> list[int]:
    """Where sentences of a text end, white space behind them included; its own end is the last."""
    ends = [found.end() for found in _END.finditer(text) if not _is_short(found)]
    if text:
        ends.append(len(text))
    return [
        cut for start, end in zip([0, *ends], ends, strict=False) for cut in _cuts(text, start, end)
    ]


def _is_short(found: re.Match[str]) -> bool:
    """Whether the full stop is that of an abbreviation or an initial."""
    word = (found[1] or "").lower()
    is_stop = found[0][len(word) : len(word) + 1] == "."
    return is_stop and (word in _SHORT or (len(word) == 1 and word.isalpha()))


def _cuts(text: str, start: int, end: int) -> Iterator[int]:
    while end - start > LONGEST:
        start = text.rfind(" ", start + 1, start + LONGEST) + 1 or start + LONGEST
        yield start
    yield end


def _mark(block: etree._Element, found: list[MarkedSentence]) -> None:
    run: list[_Piece] = []
    for piece in _emptied(block):
        if isinstance(piece, str) or not _is_block(piece):
            run.append(piece)
            continue
        _place(block, run, found)
        run = []
        block.append(piece)
        _mark(piece, found)
    _place(block, run, found)


def _is_block(element: etree._Element) -> bool:
    name = _name(element)
    holds = name in _MAY_HOLD_BLOCKS and any(map(_is_block, element))
    return holds or name in _BLOCKS


def _emptied(element: etree._Element) -> list[_Piece]:
    """The texts and elements that were in ``element``."""
    pieces: list[_Piece] = [element.text or ""]
    element.text = None
    for child in list(element):
        pieces += [child, child.tail or ""]
        child.tail = None
        element.remove(child)
    return [piece for piece in pieces if not isinstance(piece, str) or piece]


def _place(into: etree._Element, run: Sequence[_Piece], found: list[MarkedSentence]) -> None:
    """Put a run of text and inline elements back, sentence by sentence."""
    for sentence in _grouped(run):
        filled = [piece for piece in sentence if _text(piece).strip()]
        if len(filled) == 1 and not isinstance(filled[0], str) and _has_several(filled[0]):
            for piece in sentence:
                _append(into, piece)
            _place(filled[0], _emptied(filled[0]), found)
        elif any(map(str.isalnum, "".join(map(_text, sentence)))):
            _wrap(into, sentence, found)
        else:
            for piece in sentence:
                _append(into, piece)


def _wrap(into: etree._Element, sentence: Sequence[_Piece], found: list[MarkedSentence]) -> None:
    span = etree.SubElement(into, f"{{{XHTML}}}span")
    span.set("id", f"s{len(found) + 1}")
    for piece in sentence:
        _append(span, piece)
    is_chapter = any(_name(above) in _CHAPTERS for above in span.iterancestors())
    chapter = " ".join(_text(span).split()) if is_chapter else ""
    found.append(MarkedSentence(str(span.get("id")), _parts(span), chapter))


def _grouped(run: Sequence[_Piece]) -> Iterator[list[_Piece]]:
    """The run, cut where a sentence ends in text of its own or beside an element."""
    ends = sentence_ends("".join(map(_text, run)))
    current: list[_Piece] = []
    at = 0
    for piece in run:
        last = at + len(_text(piece))
        start = at
        for end in ends[bisect_right(ends, at) : bisect_right(ends, last)]:
            if isinstance(piece, str):
                yield [*current, piece[start - at : end - at]]
                current, start = [], end
        if not isinstance(piece, str):
            current.append(piece)
            if last > at and ends[bisect_left(ends, last)] == last:
                yield current
                current = []
        elif start < last:
            current.append(piece[start - at :])
        at = last
    if current:
        yield current


def _has_several(element: etree._Element) -> bool:
    return len(sentence_ends(_text(element))) > 1


def _parts(span: etree._Element) -> tuple[tuple[str, str], ...]:
    """The text by its language; formulas are left out."""
    parts: list[tuple[str, str]] = []
    for element, text in _texts(span):
        language = _language(element)
        if parts and parts[-1][0] == language:
            parts[-1] = (language, parts[-1][1] + text)
        elif text.strip() or parts:
            parts.append((language, text))
    return tuple(parts)


def _texts(element: etree._Element) -> Iterator[tuple[etree._Element, str]]:
    if _name(element) == "math":
        return
    if element.text:
        yield element, element.text
    for child in element:
        yield from _texts(child)
        if child.tail:
            yield element, child.tail


def _language(element: etree._Element) -> str:
    named = (each.get(_LANGUAGE) for each in (element, *element.iterancestors()))
    found = next(filter(None, named), "")
    return "" if found == "und" else found


def _text(piece: _Piece) -> str:
    if isinstance(piece, str):
        return piece
    return "".join(text for _, text in _texts(piece))


def _append(into: etree._Element, piece: _Piece) -> None:
    if not isinstance(piece, str):
        into.append(piece)
        return
    last = next(into.iterchildren(reversed=True), None)
    if last is None:
        into.text = (into.text or "") + piece
    else:
        last.tail = (last.tail or "") + piece


def _name(element: etree._Element) -> str:
    return str(element.tag).rpartition("}")[2]
