"""A worker process: reads jobs from its standard input, writes a result to its standard output.

A frame is a length and MessagePack (winnow.jobs.codec). The process ends when its input ends.
"""

from __future__ import annotations

import argparse
import gc
import logging
import os
import resource
import signal
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import BinaryIO, TypeVar

from winnow.document.document import Document
from winnow.document.errors import TooComplexError
from winnow.document.render.marked_sheets import imports_of, sheets_of
from winnow.document.values import Recipe
from winnow.engine.annotation import markable, marked
from winnow.engine.books import book_of, sentences_of
from winnow.engine.comparing import outline, parameters_of, side_by_side, try_method
from winnow.engine.explaining import explain, explained_part
from winnow.engine.feed_items import item_page
from winnow.engine.feeds import filled, read_feed
from winnow.engine.given_articles import given_article, markdown_article
from winnow.engine.html32 import Measure
from winnow.engine.marking import with_marks
from winnow.engine.named_extractor import identify
from winnow.engine.pipeline import transform
from winnow.engine.split_page import small_part
from winnow.engine.thumbnails import shrink
from winnow.jobs import job_types
from winnow.jobs.codec import pack_result, unpack_job
from winnow.jobs.job_types import Job, JobFailure, PageJob, PipelineError
from winnow.jobs.pool_worker import LENGTH
from winnow.jobs.quality import QualityLimits, flag_of

_LOG = logging.getLogger("winnow.engine.worker")
Result = TypeVar("Result")


def answer(frame: bytes, quality: QualityLimits) -> bytes:
    """The result of one job, packed."""
    job = unpack_job(frame)
    packed = guarded(job, lambda: pack_result(run_job(job, quality)))
    return pack_result(packed) if isinstance(packed, JobFailure) else packed


def guarded(job: Job, work: Callable[[], Result]) -> Result | JobFailure:
    """What ``work`` returns. An extractor that raises is a failure, not the worker's end."""
    try:
        return work()
    except TooComplexError as error:
        return JobFailure("too-complex", str(error))
    except PipelineError as error:
        return error.failure
    except MemoryError:
        return JobFailure("too-large", "The page needs more memory than it may have.")
    except Exception as error:  # noqa: BLE001  # a third party's extractor may raise anything
        where = job.page.url if isinstance(job, PageJob) else type(job).__name__
        _LOG.exception("extractor failed on %s", where)
        return JobFailure("extractor-failed", f"The extractor failed: {error!r}.")


def run_job(job: Job, quality: QualityLimits) -> object:  # noqa: C901, PLR0911, PLR0912 - a case a kind
    """The result of a job, of the type that the job's class names. Raises PipelineError."""
    match job:
        case job_types.TransformJob():
            return transform(job.page, job.recipe, quality)
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
        case job_types.IdentifyJob():
            return identify(job.recipe)


def serve(source: BinaryIO, sink: BinaryIO, quality: QualityLimits) -> None:
    """Write an empty frame as a sign of readiness, then a result for each job until the end."""
    sink.write(LENGTH.pack(0))
    sink.flush()
    while len(size := source.read(LENGTH.size)) == LENGTH.size:
        frame = answer(source.read(LENGTH.unpack(size)[0]), quality)
        sink.write(LENGTH.pack(len(frame)) + frame)
        sink.flush()


def load(extractor: str) -> None:
    """Load a method and its models; one that cannot be loaded fails each page instead."""
    try:
        identify(Recipe(extractor))
    except Exception:  # noqa: BLE001  # a third party's extractor may raise anything
        _LOG.exception("The method %s cannot be loaded.", extractor)


def bound_memory(size: int) -> None:
    """Let this process have no more than ``size`` bytes of address space; 0 is no bound.

    The hard limit stays: a browser that an extractor starts reserves space that it never fills.
    """
    if size:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (size, hard))


def main() -> None:
    parser = argparse.ArgumentParser()
    for name, value in asdict(QualityLimits()).items():
        parser.add_argument(flag_of(name), type=type(value), default=value)
    parser.add_argument("--max-memory", type=int, default=0)
    parser.add_argument("--extractor", default="", help="load this method before the first job")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    bound_memory(options.max_memory)
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    if options.extractor:
        load(options.extractor)
    gc.freeze()  # no collection need walk over what was imported
    serve(sys.stdin.buffer, sink, QualityLimits.of(options))


if __name__ == "__main__":
    main()
