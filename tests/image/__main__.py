"""``make image-test``: builds the Dockerfile, runs it, and prints what held."""

from __future__ import annotations

import json
import re
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

from tests.image import rendering
from tests.image.podman import (
    BASE,
    IMAGE,
    build,
    container,
    make_base,
    podman,
    revision,
    size_of,
    with_one_version_of_cgroups,
)

ROOT = Path(__file__).parents[2]
MOST = 150_000_000
"""Bytes of the layers above the base."""
PORT = 18080
VOLUME = "winnow-image-test"
PATIENCE = 90.0
SENTENCE = "The river rose by a metre in one night, and the town closed its lower bridge. "
PAGE = f"<title>A river</title><article><h1>A river</h1>{f'<p>{SENTENCE}</p>' * 8}</article>"
OPEN_TO = "WINNOW_ACCESS__OPEN_TO=127.0.0.0/8,10.88.0.0/16"
"""podman's bridge; the image's own setting names Docker's."""
OPTIONS = ("--publish", f"127.0.0.1:{PORT}:8080", "--volume", f"{VOLUME}:/data", "--env", OPEN_TO)


class NotHeldError(AssertionError):
    """Something is not as the Dockerfile says."""


def held(what: str, so: bool, seen: object = "") -> None:
    """Print it; raises NotHeldError if it is not so."""
    if not so:
        raise NotHeldError(f"{what}: {seen}")
    sys.stdout.write(f"  {what} {seen}".rstrip() + "\n")
    sys.stdout.flush()


def until(so: Callable[[], bool], what: str) -> None:
    """Wait. Raises NotHeldError after PATIENCE seconds."""
    start = time.monotonic()
    while not so():
        if time.monotonic() - start > PATIENCE:
            raise NotHeldError(f"{what}: not within {PATIENCE:g} s")
        time.sleep(0.5)
    held(what, True, f"after {time.monotonic() - start:.1f} s")


def inside(name: str, *command: str) -> str:
    return podman("exec", name, *command, check=False)


def is_healthy(name: str) -> bool:
    """Run the image's own health check."""
    podman("healthcheck", "run", name, check=False)
    status = podman("inspect", name, "--format", "{{.State.Health.Status}}", check=False)
    return status == "healthy"


def is_ready(name: str) -> bool:
    """Whether extraction processes have begun."""
    command = ".venv/bin/winnow health --ready >/dev/null && echo ready"
    return inside(name, "sh", "-c", command) == "ready"


def posted() -> str:
    request = urllib.request.Request(
        f"http://127.0.0.1:{PORT}/-/api/extract?format=text", PAGE.encode()
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return str(answer.read().decode())


def stopped(name: str) -> None:
    """SIGTERM ends it, in time and with 0."""
    start = time.monotonic()
    podman("stop", "--time", "30", name)
    code = podman("inspect", name, "--format", "{{.State.ExitCode}}")
    held("SIGTERM ends it with 0", code == "0", f"{code}, {time.monotonic() - start:.1f} s")


def confined(name: str) -> None:
    """It is an ordinary user without capabilities, and writes to /data alone."""
    status = dict(
        line.split(":\t", 1) for line in inside(name, "cat", "/proc/1/status").split("\n")
    )
    held("an ordinary user", status["Uid"].split() == ["10001"] * 4, status["Uid"].split()[0])
    held("without capabilities", int(status["CapEff"], 16) == 0 == int(status["CapBnd"], 16))
    held("no new privileges", status["NoNewPrivs"] == "1")
    tried = "touch /app/x /x; touch /data/x /tmp/x && echo both"
    held("writes to /data and /tmp alone", inside(name, "sh", "-c", tried) == "both")
    held("no compiler, no pip", not inside(name, "sh", "-c", "command -v gcc; ls .venv/bin/pip*"))


def described(name: str) -> None:
    """It says by the OCI's labels what it is, and lists what the lock has."""
    about = json.loads(podman("image", "inspect", IMAGE))[0]["Labels"]
    named = {key.rpartition("image.")[2]: value for key, value in about.items()}
    held("its labels", named["revision"] == revision(ROOT), named)
    components = json.loads(inside(name, "cat", "winnow.cdx.json"))["components"]
    listed = {each["name"] for each in components}
    locked = set(
        re.findall(r"^([\w.-]+)==", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    )
    held("its list of contents is the lock's", listed == locked, f"{len(listed)} components")


def main() -> int:
    with_one_version_of_cgroups()
    make_base()
    build(ROOT)
    layers = size_of(IMAGE) - size_of(BASE)
    held("layers above the base", layers <= MOST, f"{layers / 1e6:.1f} MB")
    podman("volume", "rm", "--force", VOLUME)
    with container(*OPTIONS) as name:
        until(lambda: is_healthy(name), "the health check succeeds")
        confined(name)
        described(name)
        until(lambda: is_ready(name), "it is ready to extract")
        held("it extracts", posted().count(SENTENCE.strip()) == 8)
        formats = ("markdown", "html", "pruned", "json", "epub")
        commands = [
            f"printf '{PAGE}' | .venv/bin/winnow extract - --format {each} | head -c 99 | base64"
            for each in formats
        ]
        for each, command in zip(formats, commands, strict=True):
            held(f"format {each}", bool(inside(name, "sh", "-c", command)))
        stopped(name)
    with container(*OPTIONS, command=("serve", "--processes", "2")) as name:
        until(lambda: is_healthy(name), "two server processes are healthy on the same volume")
        held("the volume has what was written", inside(name, "ls", "/data/x") == "/data/x")
        stopped(name)
    podman("volume", "rm", "--force", VOLUME)
    build(ROOT, rendering.IMAGE, "rendering")
    held("the browser needs our profile", rendering.answered().startswith(rendering.NO_SANDBOX))
    opened = rendering.with_profile()
    held("its sandbox starts with it", opened.startswith(rendering.OPENED), opened)
    sys.stdout.write("The image holds.\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
