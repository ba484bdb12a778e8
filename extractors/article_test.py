"""Whether what a method found is a news article at all (Pasternack & Roth 2009, section 4.1).

"At least two paragraphs and eight total sentences": made for news, so an option of every method.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any, Final, NamedTuple, TypeVar

from winnow.document.document import Document
from winnow.document.values import Extraction, Span

PARAGRAPHS: Final = 2
SENTENCES: Final = 8
_NO_ARTICLE: Final = "no article: "
_REFUSAL: Final = _NO_ARTICLE + "{} paragraphs and {} sentences, where news has 2 and 8"

_SENTENCE_END: Final = re.compile(
    r"[.!?…]+[\"'”’»)\]]*(?=\s|$)|[。！？]|[۔؟।](?=\s|$)", re.MULTILINE
)
_Extract = TypeVar("_Extract", bound=Callable[..., Extraction])


class ArticleSize(NamedTuple):
    """A text's paragraphs, blocks in which a sentence ends, and its sentences."""

    paragraphs: int
    sentences: int

    @property
    def is_article(self) -> bool:
        """Whether a news article may be as short as this."""
        return self.paragraphs >= PARAGRAPHS and self.sentences >= SENTENCES


def size_of(text: str) -> ArticleSize:
    """Count the paragraphs and sentences of a text in plain text as docs/formats.md has it."""
    counts = [len(_SENTENCE_END.findall(block)) for block in text.split("\n\n")]
    return ArticleSize(sum(count > 0 for count in counts), sum(counts))


def tested(document: Document, extraction: Extraction) -> Extraction:
    """The extraction where it is an article; else one of nothing, whose reason says why."""
    size = size_of(_text(document, extraction.spans))
    if size.is_article or not extraction.spans:
        return extraction
    reason = _REFUSAL.format(*size)
    return replace(extraction, spans=(), reasons=(*extraction.reasons, reason))


def refusal(extraction: Extraction) -> str:
    """Why the test refused a page, as a sentence; empty where it did not."""
    reason = extraction.reasons[-1] if extraction.reasons and not extraction.spans else ""
    return f"{reason.capitalize()}." if reason.startswith(_NO_ARTICLE) else ""


def is_tested(extractor: object) -> bool:
    """Whether an extractor's parameter ``article`` asks for the test."""
    return bool(getattr(extractor, "article", False))


def testing(extract: _Extract) -> _Extract:
    """``extract`` of a method, with the test where its parameter ``article`` asks for it."""

    @wraps(extract)
    def with_test(method: Any, document: Document, *rest: Any, **named: Any) -> Extraction:
        found = extract(method, document, *rest, **named)
        return tested(document, found) if method.article else found

    made: Any = with_test
    result: _Extract = made
    return result


def _text(document: Document, spans: Sequence[Span]) -> str:
    """The text of spans, as paragraphs where these are apart in the document."""
    parts, before = list[str](), 0
    for span in spans:
        is_apart = "\n\n" in document.text[before : span.start]
        parts += ["\n\n" if is_apart else " ", document.plain(span.start, span.end)]
        before = span.end
    return "".join(parts)
