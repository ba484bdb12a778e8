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

from document.errors import TooComplexError
from proxy.pool_worker import LENGTH
from winnow.parcels import Failure, Task, pack_answer, pack_result, unpack_job
from winnow.pipeline import transform
from winnow.standard import PipelineError, Standard, flag_of
from winnow.tasks import run_task

_LOG = logging.getLogger("winnow.worker")


def answer(parcel: bytes, standard: Standard) -> bytes:
    """One job done. An extractor that raises is a failure with a reason, not the worker's end."""
    job = unpack_job(parcel)
    page = job.page if isinstance(job, Task) else job[0]
    try:
        if isinstance(job, Task):
            return pack_result(*run_task(job))
        return pack_answer(transform(*job, standard))
    except TooComplexError as error:
        return pack_answer(Failure("too-complex", str(error)))
    except PipelineError as error:
        return pack_answer(error.failure)
    except MemoryError:
        return pack_answer(Failure("too-large", "The page needs more memory than it may have."))
    except Exception as error:  # noqa: BLE001  # a stranger's extractor may raise anything
        _LOG.exception("extractor failed on %s", page.url)
        return pack_answer(Failure("extractor-failed", f"The extractor failed: {error!r}."))


def serve(source: BinaryIO, sink: BinaryIO, standard: Standard) -> None:
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
    for name, value in asdict(Standard()).items():
        parser.add_argument(flag_of(name), type=type(value), default=value)
    parser.add_argument("--max-memory", type=int, default=0)
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    bound_memory(options.max_memory)
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    standard = Standard.of(options)
    gc.freeze()  # no collection need walk over what was imported
    serve(sys.stdin.buffer, sink, standard)


if __name__ == "__main__":
    main()
