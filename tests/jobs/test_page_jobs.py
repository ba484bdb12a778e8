"""Each job names a function that takes its fields and returns what the job promises."""

from __future__ import annotations

import inspect
import typing
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import winnow.features
from winnow.jobs import page_jobs
from winnow.jobs.job_types import Job, PageJob, job_type, name_of, result_type

FOLDERS = sorted(path.parent for path in Path(winnow.features.__path__[0]).glob("*/jobs.py"))
MODULES = (page_jobs, *(import_module(f"winnow.features.{each.name}.jobs") for each in FOLDERS))
JOBS = [
    each
    for module in MODULES
    for each in vars(module).values()
    if isinstance(each, type) and issubclass(each, Job) and each not in (Job, PageJob)
]


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.__name__)
def test_a_jobs_function_takes_its_fields_and_gives_its_result(job: type[Job[Any]]) -> None:
    module, _, name = job.done_by.partition(":")
    function = getattr(import_module(module), name)
    signature = inspect.signature(function)
    signature.bind(**dict.fromkeys(job.__struct_fields__))
    assert typing.get_type_hints(function)["return"] == result_type(job)


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.__name__)
def test_a_job_is_found_by_its_name(job: type[Job[Any]]) -> None:
    assert job_type(name_of(job)) is job


@pytest.mark.parametrize("name", ["", "os:system", "os:nothing", "no.such.module:Job", "x", ":"])
def test_nothing_else_is_found(name: str) -> None:
    with pytest.raises(ValueError, match="no job"):
        job_type(name)
