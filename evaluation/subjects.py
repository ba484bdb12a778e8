"""What can be measured: anything that answers a page with the text of its main content.

Knows how an extractor is run in this process and timed; refuses to know gold texts and scores.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Protocol

from document.document import Document
from document.values import Extraction, Page
from evaluation.packages import Entry
from extractors.plain import Plain
from extractors.protocol import Extractor


@dataclass(frozen=True, slots=True)
class Answer:
    """The text that a subject made of a page and the seconds that its own clock counted."""

    text: str
    seconds: float


class Subject(Protocol):
    """A system under test. The clock is the subject's, since only it knows where its work begins.

    ``answer`` raises ``SubjectError`` where the system failed; for what runs in this process any
    exception is a failed page.
    """

    @property
    def name(self) -> str:
        """How its rows are headed."""
        ...

    def answer(self, entry: Entry) -> Answer:
        """The main content of one page as plain text; the entry's gold is not to be read."""
        ...


@dataclass(frozen=True, slots=True)
class Direct:
    """An extractor in this process: bytes to spans, in seconds of CPU, without any hint."""

    name: str
    extractor: Extractor

    def answer(self, entry: Entry) -> Answer:
        """The text of the extraction's spans; making it a text is not on the clock."""
        page = Page(entry.body, entry.url)
        start = time.process_time()
        document = Document.parse(page)
        extraction = self.extractor.extract(document)
        seconds = time.process_time() - start
        return Answer(spanned(document.text, extraction), seconds)


def spanned(text: str, extraction: Extraction) -> str:
    """The text under the spans; what was left out between two of them leaves a line break."""
    parts: list[str] = []
    end = 0
    for span in extraction.spans:
        if parts and span.start > end:
            parts.append("\n")
        parts.append(text[span.start : span.end])
        end = span.end
    return "".join(parts)


def shown(page: Page) -> str:
    """The text that a returned page shows: no tags, scripts or hidden parts (section 4.2)."""
    document = Document.parse(page)
    return spanned(document.text, Plain().extract(document))
