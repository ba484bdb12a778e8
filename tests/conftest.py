"""What all tests share: nothing of the machine's own settings reaches them."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.virtual_time import QUIET, Clock
from tests.worker_template import Template
from winnow.jobs import pool

# What is collected stays: to look it through for garbage again and again was a third of the cost.
gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


# A busy machine is no failure: what is slow is measured by the benchmarks.
# CI judges a change, so it tries the same examples each time; elsewhere new ones are tried.
for name, examples in (("quick", 25), ("thorough", 250)):
    settings.register_profile(
        name,
        deadline=None,
        max_examples=examples,
        suppress_health_check=[HealthCheck.too_slow],
        derandomize=bool(os.environ.get("CI")),
    )
settings.load_profile("quick")


@pytest.fixture(scope="session")
def data_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Names of folders that are not there: most tests store nothing."""
    parent = tmp_path_factory.mktemp("data")
    return (parent / str(number) for number in count())


@pytest.fixture(autouse=True)
def no_settings_of_this_machine(
    monkeypatch: pytest.MonkeyPatch, data_folders: Iterator[Path]
) -> None:
    """Take every ``WINNOW_*`` and proxy variable out of the environment; keep data in a folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(next(data_folders)))
    for name in list(os.environ):
        if name.startswith("WINNOW_") or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


@pytest.fixture
async def virtual_time() -> None:
    """For a test that waits for no process, and whose sockets have both ends in it."""
    Clock(QUIET)


@pytest.fixture(autouse=True, scope="session")
def forked_workers() -> Iterator[None]:
    """Extraction processes begin as copies of one that has imported everything."""
    with Template() as template, pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool, "launched", template.launched)
        yield
