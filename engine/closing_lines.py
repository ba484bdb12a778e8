"""What stands behind an article's last paragraph and says what it is: its author, related articles,
the owner of the rights.

Only lines of which the gold of the training packages has none: what invites to a newsletter or a
podcast, or disclaims, it has as often as not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from winnow.document.document import Document
from winnow.engine.kept_lines import SUMMARY, Line, text_of

_RIGHTS: Final = re.compile(
    r"\W{0,3}(?:\u00a9|\(c\)\s|copyright\b).*|.*\ball rights reserved\W*", re.IGNORECASE | re.DOTALL
)
_RIGHTS_WORDS: Final = 20
_AUTHOR: Final = re.compile(
    r"\W*(?:about the (?:authors?|writers?)|about me|\u00fcber de[nr] autor(?:in|en)?"
    r"|(?:\u00e0|a) propos de l.auteure?|sobre (?:el autor|la autora|o autor|a autora)|l.autore"
    r"|o autor(?:ze|ce|ach)|\u043e\u0431 \u0430\u0432\u0442\u043e\u0440\u0435"
    r"|\u03c3\u03c7\u03b5\u03c4\u03b9\u03ba\u03ac \u03bc\u03b5 \u03c4\u03bf\u03bd"
    r" \u03c3\u03c5\u03b3\u03b3\u03c1\u03b1\u03c6\u03ad\u03b1"
    r"|\u4f5c\u8005\u7b80\u4ecb|\u5173\u4e8e\u4f5c\u8005|\u8457\u8005\u7d39\u4ecb"
    r"|\u0639\u0646 \u0627\u0644\u0643\u0627\u062a\u0628)\W*",
    re.IGNORECASE,
)
_AUTHOR_WORDS: Final = 120
"""Words behind the line *About the author*."""
_NAME: Final = r"[A-Z][\w.\u2019'-]*(?: [A-Z][\w.\u2019'-]*){1,3}"
_WRITES: Final = re.compile(
    rf"\W*(?i:staff writer )?{_NAME},? is an? (?:[\w\u2019'-]+ ){{0,3}}"
    r"(?:writer|reporter|editor|journalist|columnist|correspondent)\b.*"
    r"|.{0,80}\bcan be (?:reached|contacted) at \S+@.*"
    rf"|\W*(?i:(?:you can )?e-?mail) {_NAME} at \S+@.*",
    re.DOTALL,
)
"""Who wrote the article, in a line of its own."""
_WRITES_WORDS: Final = 90
_LAST: Final = 3
"""Lines from the end in which an author is described without a heading."""
_RELATED: Final = re.compile(
    r"\W*(?:related"
    r"(?: (?:articles?|posts?|stor(?:y|ies)|news|content|reads?|reading|links?|topics?))?"
    r"(?: (?:and|&) (?:links?|articles?|posts?|news))?"
    r"|recommended (?:for you|reading|articles?)"
    r"|(?:more|other|latest) (?:news|stories|articles)(?: .{1,30})?|read (?:more|next|also)"
    r"|more on (?:this|(?:this|the) (?:story|stories|topic|subject))"
    r"|elsewhere on .{1,30}|(?:from )?around the web|from the web|(?:in )?other news"
    r"|most (?:popular|read|viewed|shared)(?: .{1,20})?|top stories|sponsored (?:stories|links)"
    r"|see also|further reading|you (?:may|might)(?: also)?(?: like| enjoy| be interested in)"
    r"(?: .{1,40})?|mehr zum thema|lesen sie auch|lire aussi|leer tambi\u00e9n|leggi anche"
    r"|zobacz (?:te\u017c|r\u00f3wnie\u017c)|czytaj (?:te\u017c|tak\u017ce)"
    r"|\u0447\u0438\u0442\u0430\u0439\u0442\u0435 \u0442\u0430\u043a\u0436\u0435"
    r"|\u043f\u043e \u0442\u0435\u043c\u0435"
    r"|\u03b4\u03b9\u03b1\u03b2\u03ac\u03c3\u03c4\u03b5 \u03b5\u03c0\u03af\u03c3\u03b7\u03c2"
    r"|\u76f8\u5173(?:\u65b0\u95fb|\u9605\u8bfb|\u6587\u7ae0|\u5185\u5bb9)|\u5ef6\u4f38\u9605\u8bfb"
    r"|\u95a2\u9023(?:\u8a18\u4e8b|\u30cb\u30e5\u30fc\u30b9))\W*",
    re.IGNORECASE,
)
_RELATED_WORDS: Final = 12
_TEASERS: Final = 2
_LABELS: Final = 40
"""Lines from the end among which what closes an article is looked for."""
_ARTICLE: Final = 60
"""Words of paragraphs before a line that closes an article."""


def closing_lines(document: Document, lines: Sequence[Line], *, is_article: bool) -> int:
    """The index behind the last line that is none of those that close an article.

    Where the model takes the page for something else (not ``is_article``), only the owner of the
    rights is looked for. O(lines).
    """
    end = _end(document, lines, is_article=is_article)
    prose = sum(line.words for line in lines[:end] if line.is_prose)
    return end if prose >= _ARTICLE else len(lines)


def _end(document: Document, lines: Sequence[Line], *, is_article: bool) -> int:
    """The index behind the article's last line."""
    end = len(lines)
    while end and _is_rights(document, lines[end - 1]):
        end -= 1
    if not is_article:
        return end
    for at in range(end - 1, max(end - _LABELS, 0), -1):
        if _opens_end(document, lines[at], lines[at + 1 : end]):
            end = at
    return end


def _is_rights(document: Document, line: Line) -> bool:
    return line.words <= _RIGHTS_WORDS and bool(_RIGHTS.fullmatch(text_of(document, line)))


def _opens_end(document: Document, line: Line, rest: Sequence[Line]) -> bool:
    """Whether a line and all behind it describe the author, or are related articles."""
    if line.words > _WRITES_WORDS:
        return False
    if line.words <= _RELATED_WORDS and rest:
        text = text_of(document, line)
        if _AUTHOR.fullmatch(text):
            return sum(other.words for other in rest) <= _AUTHOR_WORDS
        return bool(_RELATED.fullmatch(text)) and _are_teasers(rest)
    is_last = len(rest) < _LAST and not any(other.is_prose for other in rest)
    return is_last and bool(_WRITES.fullmatch(text_of(document, line)))


def _are_teasers(lines: Sequence[Line]) -> bool:
    """Whether lines are headlines that lead elsewhere, some with a sentence."""
    heads = sum(line.is_headline for line in lines)
    is_list = lines[0].is_headline and heads >= _TEASERS and 3 * heads >= len(lines)
    return is_list and all(line.words <= SUMMARY for line in lines)
