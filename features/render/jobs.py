"""What a worker is asked for pages that scripts write."""

from __future__ import annotations

from typing import ClassVar

from winnow.jobs.job_types import PageJob


class FeedItemJob(PageJob[str], frozen=True):
    """A page of the feed's item at ``link`` as HTML, "" without one."""

    done_by: ClassVar[str] = "winnow.features.render.feed_items:item_page"
    link: str
