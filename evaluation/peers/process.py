"""A peer as a subject: a process that answers over pipes, restarted when it hangs."""

from __future__ import annotations

import base64
import json
import select
import subprocess
from dataclasses import dataclass, field

from winnow.evaluation.errors import SubjectError
from winnow.evaluation.gold.packages import WARM_UP, PackageEntry
from winnow.evaluation.subjects.subject import SubjectAnswer


@dataclass(slots=True)
class Process:
    """``command`` is started at the first page; ``deadline`` is wall-clock seconds a page."""

    name: str
    command: list[str]
    deadline: float = 60.0
    _child: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def answer(self, entry: PackageEntry) -> SubjectAnswer:
        """Ask the process; ``SubjectError`` where it failed, was late or died."""
        reply = self._reply(entry)
        return SubjectAnswer(str(reply["text"]), float(str(reply["seconds"])))

    def markup(self, entry: PackageEntry) -> str:
        """Its result as HTML; ``SubjectError`` as above, and where the peer gives none."""
        return str(self._reply(entry, as_markup=True)["text"])

    def close(self) -> None:
        """End the process, if one runs."""
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        child.communicate()

    def _reply(self, entry: PackageEntry, *, as_markup: bool = False) -> dict[str, object]:
        if self._child is None:
            self._child = self._started()
            self._ask(WARM_UP)
        reply = self._ask(entry, as_markup=as_markup)
        if "error" in reply:
            raise SubjectError(str(reply["error"]))
        return reply

    def _started(self) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        quiet = subprocess.DEVNULL
        try:
            return subprocess.Popen(self.command, stdin=pipe, stdout=pipe, stderr=quiet)  # noqa: S603 - our own table's command
        except OSError as error:
            raise SubjectError(f"{self.name} could not be started: {error}.") from None

    def _ask(self, entry: PackageEntry, *, as_markup: bool = False) -> dict[str, object]:
        child = self._child
        if child is None or child.stdin is None or child.stdout is None:
            raise SubjectError(f"{self.name} is not running.")
        try:
            child.stdin.write(_request(entry, as_markup))
            child.stdin.flush()
            line = self._line(child)
        except (BrokenPipeError, TimeoutError) as error:
            self.close()
            raise SubjectError(f"{self.name} {error or 'died'}") from None
        reply = json.loads(line)
        return reply if isinstance(reply, dict) else {"error": f"{self.name} answered {line!r}"}

    def _line(self, child: subprocess.Popen[bytes]) -> bytes:
        output = child.stdout
        if output is None or not select.select([output], [], [], self.deadline)[0]:
            raise TimeoutError(f"gave no answer within {self.deadline:g} s")
        line = output.readline()
        if not line:
            raise BrokenPipeError("died over this page")
        return line


def _request(entry: PackageEntry, as_markup: bool) -> bytes:
    language, encoding = entry.meta.get("language"), entry.meta.get("encoding_used")
    fields = {
        "html": base64.b64encode(entry.body).decode(),
        "url": entry.url,
        "language": language if isinstance(language, str) else None,
        "encoding": encoding if isinstance(encoding, str) else None,
        "markup": as_markup,
    }
    return json.dumps(fields).encode() + b"\n"
