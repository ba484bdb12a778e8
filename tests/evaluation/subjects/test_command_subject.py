"""A program as a subject."""

import shlex
import sys

import pytest

from winnow.evaluation.errors import SubjectError
from winnow.evaluation.gold.packages import PackageEntry
from winnow.evaluation.subjects.command_subject import Command

PAGE = PackageEntry("story", b"<p>The dog</p><script>x()</script>", "", {})


def program(code: str) -> str:
    return f"{shlex.quote(sys.executable)} -c {shlex.quote(code)}"


def test_text_is_taken_as_it_is() -> None:
    answer = Command(program("import sys; print(len(sys.stdin.read()), 'é')")).answer(PAGE)
    assert answer.text.split() == ["34", "é"]
    assert answer.seconds > 0


def test_html_is_shown() -> None:
    answer = Command(program("import sys; print(sys.stdin.read())")).answer(PAGE)
    assert answer.text.split() == ["The", "dog"]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (program("raise SystemExit('no such thing')"), "exit code 1: no such thing"),
        ("no-such-program-here", "could not be started"),
    ],
)
def test_a_failure_is_reported(command: str, said: str) -> None:
    with pytest.raises(SubjectError, match=said):
        Command(command).answer(PAGE)


def test_a_hang_is_ended() -> None:
    with pytest.raises(SubjectError, match=r"no answer within 0\.2 s"):
        Command(program("import threading; threading.Event().wait()"), 0.2).answer(PAGE)
