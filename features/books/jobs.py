"""What this feature asks of a worker, and what it gets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from winnow.jobs.job_types import PageJob
from winnow.jobs.results import Feed


class ReadFeedJob(PageJob[Feed], frozen=True):
    """What the body is as a feed."""

    done_by: ClassVar[str] = "winnow.engine.collections.feeds:read_feed"


class FillFeedJob(PageJob[tuple[bytes, str]], frozen=True):
    """The feed with the content of items by link, and its media type."""

    done_by: ClassVar[str] = "winnow.engine.collections.feeds:filled"
    contents: Mapping[str, str]
