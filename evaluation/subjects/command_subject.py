"""Any program as a subject: HTML on its standard input, text, HTML or spans on its output."""

from __future__ import annotations

import resource
import shlex
import subprocess
from dataclasses import dataclass
from shutil import which

from winnow.document.values import Page
from winnow.evaluation.errors import SubjectError
from winnow.evaluation.gold.packages import PackageEntry
from winnow.evaluation.subjects.subject import SubjectAnswer, answer_of


@dataclass(frozen=True, slots=True)
class Command:
    """``name`` is the command line; it is run once a page, its start counted too."""

    name: str
    deadline: float = 60.0

    @classmethod
    def named(cls, line: str) -> Command:
        """The command of a line; ``SubjectError`` where no shell could run it."""
        try:
            words = shlex.split(line)
        except ValueError as error:
            raise SubjectError(f"The command {line!r} cannot be read: {error}.") from None
        if not words or which(words[0]) is None:
            program = words[0] if words else line
            raise SubjectError(f"There is no program {program!r}: name one that can be started.")
        return cls(line)

    def answer(self, entry: PackageEntry) -> SubjectAnswer:
        """Its output, read as UTF-8; ``SubjectError`` where it fails or is late."""
        before = _children_seconds()
        output = self._output(entry.body)
        seconds = _children_seconds() - before
        if output.lstrip().startswith((b"<", b'{"text"')):
            return answer_of(Page(output, charset="utf-8"), seconds)
        return SubjectAnswer(output.decode("utf-8", "replace"), seconds)

    def _output(self, body: bytes) -> bytes:
        words = shlex.split(self.name)
        try:
            done = subprocess.run(  # noqa: S603 - the command that the person measuring named
                words, input=body, capture_output=True, timeout=self.deadline, check=False
            )
        except OSError as error:
            raise SubjectError(f"{words[0]} could not be started: {error}.") from None
        except subprocess.TimeoutExpired:
            raise SubjectError(f"gave no answer within {self.deadline:g} s") from None
        if done.returncode:
            log_lines = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
            raise SubjectError(": ".join([f"exit code {done.returncode}", *log_lines]))
        return done.stdout


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
