"""The jobs of a worker other than pages to be transformed; loaded with the first of them."""

from __future__ import annotations

from winnow.document.document import Document
from winnow.document.render.marked_sheets import imports_of, sheets_of
from winnow.engine.annotation import markable, marked
from winnow.engine.books import book_of, sentences_of
from winnow.engine.comparing import outline, parameters_of, side_by_side, try_method
from winnow.engine.explaining import explain, explained_part
from winnow.engine.feed_items import item_page
from winnow.engine.feeds import filled, read_feed
from winnow.engine.given_articles import given_article, markdown_article
from winnow.engine.html32 import Measure
from winnow.engine.marking import with_marks
from winnow.engine.split_page import small_part
from winnow.engine.thumbnails import shrink
from winnow.jobs import job_types
from winnow.jobs.job_types import Job


def run_other(job: Job) -> object:  # noqa: C901, PLR0911, PLR0912 - a case a kind
    """The result of a job, of the type that the job's class names. Raises PipelineError."""
    match job:
        case job_types.OutlineJob():
            return outline(job.page, job.recipe)
        case job_types.TryJob():
            return try_method(job.page, job.method, job.recipe)
        case job_types.SideBySideJob():
            return side_by_side(job.page, job.tried, job.recipe)
        case job_types.ExplainJob():
            return explain(job.page, job.recipe)
        case job_types.SheetsJob():
            return sheets_of(Document.parse(job.page))
        case job_types.ImportsJob():
            return imports_of(job.sheets)
        case job_types.MarkedPageJob():
            return with_marks(job.page, job.recipe, job.texts, job.sheets)
        case job_types.PartJob():
            return explained_part(job.page, job.recipe, job.selector, job.place)
        case job_types.BlocksJob():
            return markable(job.page, job.recipe, job.spans)
        case job_types.LabelledJob():
            return marked(job.page, job.labels)
        case job_types.SmallPartJob():
            measure = Measure(**job.measure)
            return small_part(job.page, job.recipe, measure, job.image_prefix)
        case job_types.ReadFeedJob():
            feed = read_feed(job.page)
            return feed.kind, feed.links, feed.elsewhere
        case job_types.FeedItemJob():
            return item_page(job.page, job.link)
        case job_types.FillFeedJob():
            return filled(job.page, job.contents)
        case job_types.ShrinkJob():
            return shrink(job.body, job.width, job.largest, webp=job.webp)
        case job_types.BindJob():
            return book_of(job)
        case job_types.SentencesJob():
            return sentences_of(job)
        case job_types.GivenArticleJob():
            return given_article(job.markup)
        case job_types.MarkdownJob():
            return markdown_article(job.markup, job.title)
        case job_types.ParametersJob():
            return parameters_of(job.methods)
        case _:
            raise TypeError(f"{type(job).__name__} is no such job.")
