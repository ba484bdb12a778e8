"""Why a job has no result: the pool had no worker for it, or the page could not be transformed."""

from __future__ import annotations

from winnow.jobs.messages import JobFailure


class JobError(Exception):
    """A job without a result; ``reason`` is a token (winnow.proxy.http.reasons)."""

    reason = "job-failed"


class PoolBusyError(JobError):
    """As many jobs wait for a worker as may wait, or none was free in time."""

    reason = "busy"


class WorkerLateError(JobError):
    """A worker missed its deadline and was killed."""

    reason = "deadline"


class WorkerDiedError(JobError):
    """A worker could not be started, or ended before it answered."""

    reason = "worker-died"


class PipelineError(JobError):
    """A page that cannot be transformed; ``failure`` is what the other process gets."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.failure = JobFailure(reason, message)
