"""The requests sent to proxies, and the wrk scripts that send them.

wrk speaks to a proxy once its request line holds the whole address, which a line of Lua does.
"""

from __future__ import annotations

import http.client
import json
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import Final

from winnow.evaluation.errors import SubjectError

_PAGE: Final = {
    "Accept": "text/html,application/xhtml+xml,*/*;q=0.8",
    "Accept-Encoding": "gzip, deflate, br, zstd",
    "Accept-Language": "en-GB,en;q=0.5",
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
}
"""What a browser sends with every request."""
NAVIGATION: Final = _PAGE | {"Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate"}
WITHIN: Final = _PAGE | {"Sec-Fetch-Dest": "empty", "Sec-Fetch-Mode": "cors"}
"""A script's request: Winnow passes on what it gets."""
_SCRIPT: Final = """\
local target, number = "%s", 0
local unique = %s
local headers = { %s }
local fixed = nil
function request()
  if not unique and fixed then return fixed end
  number = number + 1
  local path = unique and (target .. "?n=%d." .. number) or target
  fixed = wrk.format("GET", path, headers)
  return fixed
end
function done(summary, latency, requests)
  local e = summary.errors
  local line = '{"requests":%%d,"seconds":%%.6f,"failed":%%d,"broken":%%d,"median":%%.3f}\\n'
  local broken = e.connect + e.read + e.write + e.timeout
  local median = latency:percentile(50) / 1000
  local seconds = summary.duration / 1e6
  io.write(string.format(line, summary.requests, seconds, e.status, broken, median))
end
"""
_runs = count(1)


@dataclass(frozen=True, slots=True)
class Load:
    """A request that is repeated; ``unique``: each time for another address of the same page.

    ``beside``: the load of the pass-through that it is compared with. ``action`` is what Winnow
    must say of it; the first answer is held to that, so that nothing else is measured by mistake.
    """

    name: str
    path: str
    fields: Mapping[str, str] = field(default_factory=lambda: MappingProxyType(WITHIN))
    unique: bool = False
    beside: str = ""
    action: str = "original"
    peers: bool = True

    @property
    def reference(self) -> str:
        """The load of the pass-through to which this one is compared."""
        return self.beside or self.name


PASSED: Final = "100 kB passed"
COLD: Final = "100 kB extracted cold"
KEPT: Final = "100 kB from cache, rendered"
AGAIN: Final = "100 kB fetched, rendered before"
LOADS: Final[tuple[Load, ...]] = (
    Load("2 kB passed", "/small.html"),
    Load(PASSED, "/page.html"),
    Load(COLD, "/page.html", NAVIGATION, unique=True, beside=PASSED, action="extracted"),
    Load(KEPT, "/kept/page.html", NAVIGATION, beside=PASSED, action="extracted"),
    Load(AGAIN, "/page.html", NAVIGATION, beside=PASSED, action="extracted", peers=False),
    Load("1 MiB stream", "/stream.bin"),
)


@dataclass(frozen=True, slots=True)
class Run:
    """One run of wrk: ``requests`` answered, ``failed`` of them with an error's status.

    ``broken``: connections that failed, timed out, or were closed without notice. ``median`` in
    milliseconds.
    """

    requests: int
    seconds: float
    failed: int
    broken: int
    median: float


@dataclass(frozen=True, slots=True)
class Wrk:
    """wrk, which keeps its script in ``folder`` and asks for what stands at ``origin``."""

    origin: str
    folder: Path
    seconds: float = 1

    def __call__(self, proxy: int, load: Load, connections: int) -> Run:
        """Load a proxy on a port of this machine. Raises SubjectError without wrk."""
        return _loaded(self, proxy, load, connections)


def _loaded(asking: Wrk, proxy: int, load: Load, connections: int) -> Run:
    program = shutil.which("wrk")
    if not program:
        raise SubjectError("wrk is not installed (apt-get install wrk).")
    script = asking.folder / "load.lua"
    script.write_text(_script(asking.origin, load), "utf-8")
    # wrk counts whole seconds; --timeout leaves slow proxies their time.
    options = ["-t1", f"-c{connections}", f"-d{max(round(asking.seconds), 1)}s", "--timeout", "20s"]
    command = [program, *options, "-s", str(script), f"http://127.0.0.1:{proxy}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own list
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if not lines:
        raise SubjectError(f"wrk gave no result: {done.stderr.strip()[-200:]}")
    return Run(**json.loads(lines[-1]))


def probe(proxy: int, origin: str, load: Load, held: bool) -> None:
    """One request; ``held``: to what Winnow must say. Raises SubjectError for a wrong answer."""
    connection = http.client.HTTPConnection("127.0.0.1", proxy, timeout=30)
    try:
        connection.request("GET", f"{origin}{load.path}?n=0", headers=dict(load.fields))
        answer = connection.getresponse()
        size = len(answer.read())
        action = answer.getheader("Winnow-Action")
        if answer.status != 200 or not size:
            raise SubjectError(f"{load.name}: the answer is {answer.status}, {size} bytes.")
        if held and action != load.action:
            raise SubjectError(f"{load.name}: the page is {action}, not {load.action}.")
    except (OSError, http.client.HTTPException) as error:
        raise SubjectError(f"{load.name}: no answer ({error}).") from error
    finally:
        connection.close()


def _script(origin: str, load: Load) -> str:
    fields = ", ".join(f'["{name}"] = "{value}"' for name, value in _sent(origin, load).items())
    return _SCRIPT % (origin + load.path, str(load.unique).lower(), fields, next(_runs))


def _sent(origin: str, load: Load) -> Mapping[str, str]:
    return {"Host": origin.partition("//")[2], **load.fields}
