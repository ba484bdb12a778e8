"""What this feature asks of a worker, and what it gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from winnow.jobs.job_types import Job, PageJob

BookImages = Mapping[str, tuple[bytes, str]]
"""The images of a book by address: body and media type."""

Narration = tuple[bytes, tuple[float, ...]]
"""A chapter as MP3, and the seconds after which its sentences end."""


@dataclass(frozen=True, slots=True)
class Feed:
    """``links``: the page of each item, "" where it names none. ``elsewhere``: where a page that is
    no feed says that its feed is. ``kind`` is "" for what is no feed.
    """

    kind: str = ""
    links: tuple[str, ...] = ()
    elsewhere: str = ""


class BindJob(Job[bytes], frozen=True):
    """An EPUB of chapters, each the JSON of an extraction; ``narration``: of the first."""

    done_by: ClassVar[str] = "winnow.features.books.binding:book_of"
    chapters: Sequence[Mapping[str, Any]]
    title: str
    images: BookImages
    narration: Narration | None = None


class ReadFeedJob(PageJob[Feed], frozen=True):
    """What the body is as a feed."""

    done_by: ClassVar[str] = "winnow.features.books.feed_content:read_feed"


class FillFeedJob(PageJob[tuple[bytes, str]], frozen=True):
    """The feed with the content of items by link, and its media type."""

    done_by: ClassVar[str] = "winnow.features.books.feed_content:filled"
    contents: Mapping[str, str]
