"""The guide names the command that exists: after ``make run`` no ``winnow`` is in the path."""

from pathlib import Path

import pytest

from winnow.proxy.own.page_templates import PROGRAM, own_command, program


@pytest.mark.parametrize(
    ("prefix", "found", "named"),
    [
        ("/home/me/winnow/.venv", None, ".venv/bin/winnow"),
        ("/home/me/winnow/.venv", "/home/me/winnow/.venv/bin/winnow", "winnow"),
        ("/opt/pipx/venvs/winnow-proxy", None, "winnow"),
    ],
)
def test_the_program_is_named_as_the_shell_finds_it(
    prefix: str, found: str | None, named: str
) -> None:
    assert program(Path(prefix), found) == named


def test_its_words_stand_behind_it() -> None:
    assert own_command("setup --undo") == f"<code>{PROGRAM} setup --undo</code>"
