"""What is published: bounds of dependencies, and wheels that have their compiled parts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_every_dependency_has_a_lower_bound() -> None:
    """`make test-oldest` runs the tests with these versions."""
    extras = PROJECT["project"]["optional-dependencies"]
    wanted = list(PROJECT["project"]["dependencies"])
    for name in ("batch", "fast", "redis", "s3", "train"):
        wanted += extras[name]
    assert [each for each in wanted if not re.match(r"[\w.\[\]-]+>=\d", each)] == []


@pytest.mark.parametrize(("wanted", "fails"), [("required", True), ("", False)])
def test_a_wheel_is_not_built_without_a_compiler(
    tmp_path: Path, wanted: str, *, fails: bool
) -> None:
    """On a user's computer Winnow installs all the same; what is published has all parts."""
    folders = ("--build-lib", tmp_path / "lib", "--build-temp", tmp_path / "temp")
    done = subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--force", *map(str, folders)],
        cwd=ROOT,
        env={**os.environ, "CC": "/bin/false", "WINNOW_COMPILED": wanted},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode != 0) is fails, done.stderr
    assert not list(tmp_path.rglob("*.so"))
    environment = PROJECT["tool"]["cibuildwheel"]["environment"]
    assert environment == {"WINNOW_COMPILED": "required"}


def test_the_image_is_built_of_a_named_base() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text()
    assert re.search(r"^ARG BASE=python:3\.11-slim-bookworm@sha256:", dockerfile, re.MULTILINE)
    bases = re.findall(r"^FROM (\S+)(?: AS (\w+))?", dockerfile, re.MULTILINE)
    stages = {"${BASE}", *(name for _, name in bases if name)}
    assert bases[0][0] == "${BASE}"
    assert {base for base, _ in bases} <= stages
