"""A missing program is a skip that names it, and a failure where nothing may be missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.programs import PACKAGES, require_program

ROOT = Path(__file__).parent.parent


@pytest.fixture
def bare_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def test_an_installed_program_is_found(bare_path: Path) -> None:
    program = bare_path / "curl"
    program.touch(mode=0o755)
    assert require_program("curl") == program


@pytest.mark.usefixtures("bare_path")
def test_a_missing_program_skips_the_test_and_names_the_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="apt-get install chromium-driver"):
        require_program("chromedriver")


@pytest.mark.usefixtures("bare_path")
def test_a_missing_program_fails_the_test_on_the_build_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="apt-get install git"):
        require_program("git")


def test_the_installer_wants_the_same_programs() -> None:
    script = (ROOT / ".ci" / "system-packages").read_text()
    wanted = re.search(r"^wanted=\((.*)\)$", script, re.MULTILINE)
    assert wanted is not None
    assert dict(pair.split(":") for pair in wanted[1].split()) == PACKAGES
