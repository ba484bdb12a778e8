"""A headless Chromium, controlled over a pipe (DevTools protocol).

The protocol runs over the browser's descriptors 3 and 4 (``--remote-debugging-pipe``): no port that
others could reach, no library, and a browser that ends by itself when we do.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from itertools import count
from typing import IO, Any, Final, Self

from winnow.chromium.errors import ChromiumError, NoChromiumError, names_sandbox

PROGRAMS: Final = ("chromium", "chromium-browser", "google-chrome", "chrome")
HEADLESS: Final = ("chromium-headless-shell", "chrome-headless-shell", *PROGRAMS)
"""The browser without a window of its own first: it starts sooner and needs less memory."""
VARIABLE: Final = "WINNOW_CHROMIUM"
MISSING: Final = (
    "Chromium is needed for this, and none is installed: apt-get install chromium, "
    f"or name a browser in {VARIABLE}."
)

_START: Final = """[ ! -w /proc/self/oom_score_adj ] || echo 1000 >/proc/self/oom_score_adj
ulimit -S -v "$(ulimit -H -v)"; ulimit -d "$1" || exit; folder="$2"; shift 2
"$@" --user-data-dir="$folder" 3<&0 4>&1 </dev/null >/dev/null
rm -rf "$folder"
"""
"""Bounds the memory of each of the browser's processes ($1, in KiB; address space, which Chromium
reserves by the terabyte, is not bounded), has them ended before us where memory runs out, joins our
pipes, tidies up when the browser has ended."""

OFFLINE: Final = ("--host-resolver-rules=MAP * ~NOTFOUND", "--no-proxy-server")
"""For a browser that reaches no network."""
_FLAGS: Final = (
    "--headless",
    "--remote-debugging-pipe",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--disable-breakpad",
    "--disable-site-isolation-trials",
    "--renderer-process-limit=1",
    "--disable-features=SpareRendererForSitePerProcess,OptimizationHints,MediaRouter,Translate,"
    "AutofillServerCommunication,CertificateTransparencyComponentUpdater,InterestFeedContentSuggestions",
    "--no-first-run",
    "--mute-audio",
    "--hide-scrollbars",
)
UNPRIVILEGED: Final = 65534
"""The user "nobody": whom a browser that runs scripts is where we are root."""
_CHUNK: Final = 1 << 16
_LAST_SECONDS: Final = 2.0


def program(names: Sequence[str] = PROGRAMS) -> str:
    """The path of the first browser of ``names``; NoChromiumError where there is none."""
    named = os.environ.get(VARIABLE)
    found = next(filter(None, map(shutil.which, [named] if named else names)), None)
    if found is None:
        raise NoChromiumError(MISSING)
    return found


class Chromium:
    """One browser process and its pending calls."""

    def __init__(
        self, path: str, megabytes: int, flags: Sequence[str], *, sandboxed: bool = False
    ) -> None:
        """Start ``path``; each of its processes gets at most ``megabytes`` of data.

        ``flags``: those of ``OFFLINE``, or a proxy's. ``sandboxed``: as another user where we are
        root, with its sandbox on; without, root's browser has none, so no script may run in it.
        """
        prefix = "winnow-render-" if sandboxed else "winnow-vips-"
        self._folder = tempfile.mkdtemp(prefix=prefix)
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - open while the browser is
        # the sandbox needs user namespaces, which root in a container does without
        self.on_event: Callable[[Mapping[str, Any]], None] = lambda event: None
        """Called in another thread with each of the browser's events."""
        user = UNPRIVILEGED if sandboxed and os.geteuid() == 0 else None
        without = ["--no-sandbox"] if os.geteuid() == 0 and user is None else []
        given = [*_FLAGS, *flags, *without]
        if user is not None:
            os.chown(self._folder, user, user)
        command = ["sh", "-c", _START, "sh", str(megabytes * 1024), self._folder, path, *given]
        self._process = subprocess.Popen(  # noqa: S603 - the browser that the user installed
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            start_new_session=True,
            user=user,
            group=user,
            extra_groups=None if user is None else [],
            env=_environment(self._folder),
        )
        self._numbers, self._lock = count(1), threading.Lock()
        self._waiting: dict[int, Future[Mapping[str, Any]]] = {}
        self._reader = threading.Thread(target=self._read, name="winnow-chromium", daemon=True)
        self._reader.start()

    def ask(
        self,
        method: str,
        parameters: Mapping[str, Any],
        session: str | None = None,
        seconds: float = 10,
    ) -> Mapping[str, Any]:
        """Call one method of the protocol.

        Raises ChromiumError where the browser refuses, is late or has ended.
        """
        number, answer = next(self._numbers), Future[Mapping[str, Any]]()
        self._waiting[number] = answer
        self._call(number, method, parameters, session)
        try:
            return answer.result(max(seconds, 0))
        except TimeoutError:
            raise ChromiumError(f"The browser took longer than allowed ({method}).") from None
        finally:
            self._waiting.pop(number, None)

    def tell(self, method: str, parameters: Mapping[str, Any], session: str) -> None:
        """Call a method whose result nobody needs: from ``on_event``, which must not wait."""
        self._call(next(self._numbers), method, parameters, session)

    def _call(
        self, number: int, method: str, parameters: Mapping[str, Any], session: str | None
    ) -> None:
        call: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if session:
            call["sessionId"] = session
        self._send(json.dumps(call).encode() + b"\0")

    def close(self) -> None:
        """End the browser and remove what it wrote.

        It ends by itself when its pipe does, its children with it; else it is killed by its id.
        """
        with suppress(BrokenPipeError):
            self._pipe(self._process.stdin).close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_LAST_SECONDS)
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._reader.join()
        self._pipe(self._process.stdout).close()
        self._log.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def process_group(self) -> int:
        """The id of the group that all of the browser's processes are in."""
        return self._process.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _send(self, call: bytes) -> None:
        try:
            with self._lock:
                pipe = self._pipe(self._process.stdin)
                pipe.write(call)
                pipe.flush()
        except (BrokenPipeError, ValueError):
            raise ChromiumError(f"The browser has ended: {self._last_log_line()}.") from None

    def _read(self) -> None:
        for message in _messages(self._pipe(self._process.stdout).fileno()):
            self._take(json.loads(message))
        for answer in list(self._waiting.values()):
            _fail(answer, f"The browser has ended: {self._last_log_line()}.")

    def _take(self, message: Mapping[str, Any]) -> None:
        if message.get("method") == "Inspector.targetCrashed":
            for answer in list(self._waiting.values()):
                _fail(answer, "The page needs more memory than it may have.")
        answered = self._waiting.get(message.get("id", 0))
        if answered is None:
            if "id" not in message:
                self.on_event(message)
            return
        if "error" in message:
            _fail(answered, f"The browser refused: {message['error'].get('message')}.")
        elif not answered.done():
            answered.set_result(message["result"])

    def _last_log_line(self) -> str:
        """The last line that names the sandbox, else the last of all."""
        if self._log.closed:
            return "it was stopped"
        log = os.pread(self._log.fileno(), _CHUNK, 0).decode(errors="replace").strip()
        lines = log.split("\n")
        named = list(filter(names_sandbox, lines))
        return (named or lines)[-1][-200:] or "it logged nothing"

    @staticmethod
    def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
        if stream is None:
            raise ChromiumError("The browser was started without pipes.")
        return stream


def _environment(folder: str) -> dict[str, str]:
    """What the browser needs of our environment, and no secret of it."""
    kept = ("PATH", "LANG", "LC_ALL", "TZ", "FONTCONFIG_PATH", "FONTCONFIG_FILE", "LD_LIBRARY_PATH")
    return {"HOME": folder, **{name: os.environ[name] for name in kept if name in os.environ}}


def _messages(descriptor: int) -> Iterator[bytes]:
    """Messages that end in NUL, until the other side closes."""
    buffer = bytearray()
    while chunk := os.read(descriptor, _CHUNK):
        buffer += chunk
        if b"\0" in chunk:
            *whole, rest = bytes(buffer).split(b"\0")
            buffer = bytearray(rest)
            yield from whole


def _fail(answer: Future[Mapping[str, Any]], reason: str) -> None:
    if not answer.done():
        answer.set_exception(ChromiumError(reason))
