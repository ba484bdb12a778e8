"""What a worker process is asked, and who asks: a job is a value that names its own function.

A new kind of job is a subclass of ``Job`` or ``PageJob`` and a function: nothing else lists it.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, Generic, Protocol, TypeVar, cast, get_args

from msgspec import Struct, structs

from winnow.document.values import Page

Result = TypeVar("Result")


class Job(Struct, Generic[Result], frozen=True):
    """One call in a worker, whose result is of the type that a subclass names in brackets.

    ``done_by``: "module:function", loaded in the worker at the first such job; it takes the fields
    of the job by their names and may raise PipelineError.
    """

    done_by: ClassVar[str]

    def run(self) -> Result:
        """Do it here. Raises what its function raises."""
        module, _, name = self.done_by.partition(":")
        return cast(Result, getattr(import_module(module), name)(**structs.asdict(self)))


class PageJob(Job[Result], Generic[Result], frozen=True):
    """Base of the jobs that concern one page."""

    page: Page


def result_type(job: type[Job[Result]]) -> type[Result]:
    """The type of a job's result."""
    bases: tuple[Any, ...] = job.__orig_bases__  # type: ignore[attr-defined]  # set for generic bases
    return cast("type[Result]", get_args(bases[0])[0])


def name_of(job: type[Job[Any]]) -> str:
    """The name by which ``job_type`` finds a job's class in another process."""
    return f"{job.__module__}:{job.__qualname__}"


def job_type(name: str) -> type[Job[Any]]:
    """The class of this name. Raises ValueError for what is no job."""
    module, _, qualname = name.partition(":")
    try:
        found = getattr(import_module(module), qualname)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"there is no job {name}") from error
    if isinstance(found, type) and issubclass(found, Job):
        return found
    raise ValueError(f"{name} is no job")


class Workers(Protocol):
    """Worker processes that do jobs."""

    async def run(self, job: Job[Result], *, anew: bool = False) -> Result:
        """Its result. ``anew``: its time counts from now, not from the request's begin.

        Raises TransformError.
        """
        ...


class InProcess:
    """Workers for programs without a pool. Raises what the job's function raises."""

    async def run(self, job: Job[Result], *, anew: bool = False) -> Result:
        return job.run()


@dataclass(frozen=True, slots=True)
class JobFailure:
    """Why a job has no result: a reason token and a sentence."""

    reason: str
    message: str


class JobError(Exception):
    """A job without a result; ``reason`` is a token (winnow.proxy.http.reasons)."""

    reason = "job-failed"


class PoolBusyError(JobError):
    """As many jobs wait for a worker as may wait, or none was free in time."""

    reason = "busy"


class PoolStartingError(JobError):
    """No worker has begun yet, and the job does not wait for the first."""

    reason = "starting"


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
