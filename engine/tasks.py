"""A worker's jobs by their type, each done by the module that knows how. No process."""

from __future__ import annotations

from winnow.engine.annotation import markable, marked
from winnow.engine.books import book_of
from winnow.engine.comparing import compare
from winnow.engine.explaining import explain
from winnow.engine.feeds import filled, read_feed
from winnow.engine.html32 import Measure
from winnow.engine.pipeline import identify, transform
from winnow.engine.split_page import small_part
from winnow.engine.thumbnails import shrink
from winnow.jobs import messages
from winnow.jobs.messages import Job
from winnow.jobs.quality import QualityLimits


def run_job(job: Job, quality: QualityLimits) -> object:  # noqa: C901, PLR0911 - a case a kind
    """The result of a job, of the type that the job's class names. Raises PipelineError."""
    match job:
        case messages.TransformJob():
            return transform(job.page, job.recipe, quality)
        case messages.CompareJob():
            return compare(job.page, job.methods)
        case messages.ExplainJob():
            return explain(job.page, job.recipe)
        case messages.BlocksJob():
            return markable(job.page, job.recipe, job.spans)
        case messages.LabelledJob():
            return marked(job.page, job.labels)
        case messages.SmallPartJob():
            measure = Measure(**job.measure)
            return small_part(job.page, job.recipe, measure, job.image_prefix)
        case messages.ReadFeedJob():
            feed = read_feed(job.page)
            return feed.kind, feed.links, feed.elsewhere
        case messages.FillFeedJob():
            return filled(job.page, job.contents)
        case messages.ShrinkJob():
            return shrink(job.body, job.width, job.largest, webp=job.webp)
        case messages.BindJob():
            return book_of(job.chapters, job.title, job.images)
        case messages.IdentifyJob():
            return identify(job.recipe)
