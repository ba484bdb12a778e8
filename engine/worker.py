"""A worker process: reads jobs from its standard input, writes a result to its standard output.

A frame is a length and MessagePack (winnow.jobs.codec). The process ends when its input ends.
"""

from __future__ import annotations

import argparse
import gc
import json
import logging
import os
import resource
import signal
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, BinaryIO, TypeVar

from winnow.document.errors import TooComplexError
from winnow.document.values import Recipe
from winnow.engine.named_extractor import identify
from winnow.engine.pipeline import transform
from winnow.extractors import registry
from winnow.jobs.codec import LENGTH, pack_result, unpack_job
from winnow.jobs.job_types import Job, JobFailure, PageJob, PipelineError
from winnow.jobs.oom_score import be_ended_first
from winnow.jobs.page_jobs import TransformJob
from winnow.jobs.quality import QualityLimits, flag_of

_LOG = logging.getLogger("winnow.engine.worker")
Result = TypeVar("Result")


def answer(frame: bytes, quality: QualityLimits) -> bytes:
    """The result of one job, packed."""
    job = unpack_job(frame)
    packed = guarded(job, lambda: pack_result(run_job(job, quality)))
    return pack_result(packed) if isinstance(packed, JobFailure) else packed


def guarded(job: Job[Any], work: Callable[[], Result]) -> Result | JobFailure:
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


def run_job(job: Job[Any], quality: QualityLimits) -> object:
    """The result of a job, of the type that the job's class names. Raises PipelineError."""
    if isinstance(job, TransformJob):
        return transform(job.page, job.recipe, quality)
    return job.run()


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
    parser.add_argument("--extractors", default="", help="JSON of what the features bring")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    bound_memory(options.max_memory)
    be_ended_first()
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    if options.extractors:
        registry.use(json.loads(options.extractors))
    if options.extractor:
        load(options.extractor)
    gc.freeze()  # no collection need walk over what was imported
    serve(sys.stdin.buffer, sink, QualityLimits.of(options))


if __name__ == "__main__":
    main()
