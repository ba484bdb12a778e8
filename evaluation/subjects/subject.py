"""What can be measured: anything that answers a page with the text of its main content."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from winnow.document.document import Document
from winnow.document.metadata.page_metadata import title_of
from winnow.document.values import Extraction, Label, Page, Span
from winnow.evaluation.gold.labels import Mark, text_and_marks, with_title
from winnow.evaluation.gold.packages import PackageEntry
from winnow.extractors.baselines.plain import Plain
from winnow.extractors.extractor_protocol import Extractor


@dataclass(frozen=True, slots=True)
class SubjectAnswer:
    """The text that a subject made of a page and the seconds that its own clock counted.

    ``marks`` say what each part of the text is, and ``title`` its title: None where
    the subject gives none.
    """

    text: str
    seconds: float
    marks: tuple[Mark, ...] | None = None
    title: str = ""


class Subject(Protocol):
    """A system under test. The clock is the subject's, since only it knows where its work begins.

    ``answer`` raises ``SubjectError`` where the system failed; for what runs in this process any
    exception is a failed page.
    """

    @property
    def name(self) -> str:
        """The name in its rows."""
        ...

    def answer(self, entry: PackageEntry) -> SubjectAnswer:
        """The main content of one page as plain text; the entry's gold is not to be read."""
        ...


@dataclass(frozen=True, slots=True)
class Direct:
    """An extractor in this process: bytes to spans, in seconds of CPU, without any hint."""

    name: str
    extractor: Extractor
    kind: type[Document] = Document

    def answer(self, entry: PackageEntry) -> SubjectAnswer:
        """The text of the extraction's spans; making it a text is not timed."""
        page = Page(entry.body, entry.url)
        start = time.process_time()
        document = self.kind.parse(page)
        extraction = self.extractor.extract(document)
        seconds = time.process_time() - start
        text, marks = text_and_marks(document.text, extraction.spans)
        title = title_of(document, extraction)
        return SubjectAnswer(text, seconds, with_title(text, marks, title), title)


def answer_of(page: Page, seconds: float) -> SubjectAnswer:
    """The answer in a page that a program or a proxy returned: the ``spans`` format if it is that,
    else markup."""
    body = page.body.lstrip()
    if body.startswith(b"{"):
        return _labelled(json.loads(body), seconds)
    return SubjectAnswer(visible_text(page), seconds)


def _labelled(record: Mapping[str, Any], seconds: float) -> SubjectAnswer:
    """The text under the spans of ``{"text": ..., "spans": [[start, end, label], ...]}``."""
    spans = [Span(start, end, Label(label)) for start, end, label in record["spans"]]
    text, marks = text_and_marks(record["text"], spans)
    return SubjectAnswer(text, seconds, marks, str(record.get("title") or ""))


def text_of_spans(text: str, extraction: Extraction) -> str:
    """The text under the spans; what was left out between two of them leaves a line break."""
    return text_and_marks(text, extraction.spans)[0]


def visible_text(page: Page) -> str:
    """The text that a returned page shows: no tags, scripts or hidden parts (section 4.2)."""
    document = Document.parse(page)
    return text_of_spans(document.text, Plain().extract(document))
