"""What this feature asks of a worker, and what it gets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from winnow.jobs.job_types import Job


@dataclass(frozen=True, slots=True)
class GivenArticle:
    """An article's sanitised HTML, and the same as plain text."""

    content: str
    text: str


class GivenArticleJob(Job[GivenArticle], frozen=True):
    """An article's markup, whoever wrote it, made harmless."""

    done_by: ClassVar[str] = "winnow.features.saved.given_articles:given_article"
    markup: str


class MarkdownJob(Job[str], frozen=True):
    """The Markdown of an article's sanitised markup, below its title."""

    done_by: ClassVar[str] = "winnow.features.saved.given_articles:markdown_article"
    markup: str
    title: str
