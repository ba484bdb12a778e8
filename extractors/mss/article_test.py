"""Whether a text is an article: section 4.1's two paragraphs and eight sentences.

The test is made for news; a forum or a product has another content.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

PARAGRAPHS: Final = 2
SENTENCES: Final = 8

_SENTENCE_END: Final = re.compile(
    r"[.!?…]+[\"'”’»)\]]*(?=\s|$)|[。！？]|[۔؟।](?=\s|$)", re.MULTILINE
)


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
