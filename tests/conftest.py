"""What all tests share: nothing of the machine's own settings reaches them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is no failure: what is slow is measured by the benchmarks.
# CI judges a change, so it tries the same examples each time; elsewhere new ones are tried.
settings.register_profile(
    "winnow",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=bool(os.environ.get("CI")),
)
settings.load_profile("winnow")


@pytest.fixture(autouse=True)
def no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Take every ``WINNOW_*`` and proxy variable out of the environment; keep data in a folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in list(os.environ):
        if name.startswith("WINNOW_") or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
