"""Why a job has no result: the pool had no worker for it, or the page could not be transformed."""

from __future__ import annotations

from typing import ClassVar


class JobError(Exception):
    """A job without a result; ``reason`` is a token (winnow.proxy.http.reasons)."""

    reason: ClassVar[str] = "job-failed"


class PoolBusyError(JobError):
    """As many jobs wait for a worker as may wait, or none was free in time."""

    reason = "busy"


class WorkerLateError(JobError):
    """A worker missed its deadline and was killed."""

    reason = "deadline"


class WorkerDiedError(JobError):
    """A worker could not be started, or ended before it answered."""

    reason = "worker-died"
