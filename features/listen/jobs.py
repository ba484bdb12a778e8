"""What this feature asks of a worker, and what it gets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from winnow.jobs.job_types import Job
from winnow.jobs.results import SpokenSentence


class SentencesJob(Job[tuple[SpokenSentence, ...]], frozen=True):
    """The sentences of a chapter, the JSON of an extraction.

    ``images``: addresses and media types of those in its book.
    """

    done_by: ClassVar[str] = "winnow.features.books.binding:sentences_of"
    chapter: Mapping[str, Any]
    images: Mapping[str, str]
