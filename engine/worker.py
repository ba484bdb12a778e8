"""A worker process: reads parcels from its standard input, answers each on its standard output.

Knows the pipeline and frames; refuses to know who asks. It ends when its input ends.
"""

from __future__ import annotations

import argparse
import gc
import logging
import os
import resource
import signal
import sys
from dataclasses import asdict
from typing import BinaryIO

from winnow.document.errors import TooComplexError
from winnow.engine.pipeline import transform
from winnow.engine.tasks import run_task
from winnow.jobs.codec import JobFailure, WorkerTask, pack_answer, pack_result, unpack_job
from winnow.jobs.pool_worker import LENGTH
from winnow.jobs.quality import PipelineError, QualityLimits, flag_of

_LOG = logging.getLogger("winnow.engine.worker")


def answer(parcel: bytes, standard: QualityLimits) -> bytes:
    """One job done. An extractor that raises is a failure with a reason, not the worker's end."""
    job = unpack_job(parcel)
    page = job.page if isinstance(job, WorkerTask) else job[0]
    try:
        if isinstance(job, WorkerTask):
            return pack_result(*run_task(job))
        return pack_answer(transform(*job, standard))
    except TooComplexError as error:
        return pack_answer(JobFailure("too-complex", str(error)))
    except PipelineError as error:
        return pack_answer(error.failure)
    except MemoryError:
        return pack_answer(JobFailure("too-large", "The page needs more memory than it may have."))
    except Exception as error:  # noqa: BLE001  # a stranger's extractor may raise anything
        _LOG.exception("extractor failed on %s", page.url)
        return pack_answer(JobFailure("extractor-failed", f"The extractor failed: {error!r}."))


def serve(source: BinaryIO, sink: BinaryIO, standard: QualityLimits) -> None:
    """Say that we are ready, then answer frames until there are no more."""
    sink.write(LENGTH.pack(0))
    sink.flush()
    while len(size := source.read(LENGTH.size)) == LENGTH.size:
        frame = answer(source.read(LENGTH.unpack(size)[0]), standard)
        sink.write(LENGTH.pack(len(frame)) + frame)
        sink.flush()


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
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    bound_memory(options.max_memory)
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    standard = QualityLimits.of(options)
    gc.freeze()  # no collection need walk over what was imported
    serve(sys.stdin.buffer, sink, standard)


if __name__ == "__main__":
    main()
