"""A stranger types an update and the way back, word for word as docs/operations.md has them.

The folder is fresh. ``pipx`` is a stand-in that makes an environment with this one's dependencies,
``systemctl`` one that starts what the unit starts; the newer version changes the tables of choices.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from textwrap import dedent

import pytest

from benchmarks.free_ports import free_port
from tests.programs import require_program
from tests.proxy.origins import ask
from tests.winnow.test_handover import HALF, download, far, own, until
from winnow.proxy.http.request_target import parse_url
from winnow.proxy.stores import sqlite_choices
from winnow.proxy.stores.files import marks_in_use
from winnow.proxy.stores.previous import version_of
from winnow.proxy.stores.site_choice import Choice, SiteMode
from winnow.proxy.stores.sqlite_choices import SqliteChoices

pytestmark = pytest.mark.release
ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "operations.md").read_text()
PIPX = """#!/bin/sh -e
for last; do :; done
venv="$PIPX_HOME/venvs/winnow-proxy"
{python} -m venv --without-pip "$venv"
echo {packages} > "$(echo "$venv"/lib/python*/site-packages)/around.pth"
{python} -m pip --python "$venv/bin/python" install -q --no-index --no-deps --ignore-installed \
    --no-build-isolation --disable-pip-version-check "${{last%%[*}}"
mkdir -p "$PIPX_BIN_DIR" && ln -sfn "$venv/bin/winnow" "$PIPX_BIN_DIR/winnow"
"""
SYSTEMCTL = """#!/bin/sh -e
case $1 in
start) setsid {start} > {folder}/log 2>&1 & ;;
stop)
    pid=$(head -n 1 {folder}/var/lib/winnow/.in-use-by-*)
    kill "$pid"
    while kill -0 "$pid" 2> /dev/null; do sleep .1; done ;;
esac
"""
STEPS = '    """,\n{})\n'
"""The end of the steps of a database's tables."""


def block(first: str) -> str:
    """The commands of the page that begin with a line."""
    found = re.search(rf"\n    {re.escape(first)}.*\n(?:    .*\n)*", TEXT)
    assert found, first
    return dedent(found[0]).strip()


class Machine:
    """A computer whose folders are below another one."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.data = folder / "var/lib/winnow"
        self.choices = self.data / sqlite_choices.FILE_NAME
        (folder / "bin").mkdir()
        (folder / "etc/winnow").mkdir(parents=True)
        packages = next(each for each in sys.path if each.endswith("site-packages"))
        self._program("pipx", PIPX.format(python=sys.executable, packages=packages))
        unit = (ROOT / "deploy" / "winnow.service").read_text()
        (start,) = re.findall(r"^ExecStart=(.*)$", unit, re.MULTILINE)
        self._program("systemctl", SYSTEMCTL.format(start=self.here(start), folder=folder))
        settings = f'[server]\nport = {self.port}\n[storage]\nfolder = "{self.data}"\n'
        (folder / "etc/winnow/winnow.toml").write_text(settings)

    def _program(self, name: str, text: str) -> None:
        (self.folder / "bin" / name).write_text(text)
        (self.folder / "bin" / name).chmod(0o755)

    def here(self, text: str) -> str:
        return re.sub(r"(?<![\w/.-])/(?=opt/|etc/winnow)", f"{self.folder}/", text)

    async def type(self, commands: str) -> str:
        """What they say. Raises AssertionError where one fails."""
        text = self.here(commands)
        paths = f"{self.folder / 'bin'}:{self.folder}/opt/winnow/bin:{os.environ['PATH']}"
        process = await asyncio.create_subprocess_exec(
            *("/bin/sh", "-exc", text),
            cwd=self.folder,
            env={**os.environ, "PATH": paths, "WINNOW_EXTRACTION__EXTRACTOR": "bte"},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        out, _ = await process.communicate()
        assert process.returncode == 0, out.decode()
        return out.decode()

    async def answers(self) -> None:
        async with asyncio.timeout(250):
            while not await self._is_ready():  # noqa: ASYNC110 - no event of it reaches us
                await asyncio.sleep(0.05)

    async def _is_ready(self) -> bool:
        try:
            return (await ask(self.port, own(self.port, "GET", "/-/ready"))).status == 200
        except (OSError, EOFError):
            return False

    def versions(self) -> list[str]:
        return sorted(each.name for each in (self.folder / "opt/winnow/versions").iterdir())


def git(folder: Path, *arguments: str) -> None:
    name = ("-c", "user.name=a", "-c", "user.email=a@a.example")
    command = [str(require_program("git")), "-C", str(folder), *name, *arguments]
    subprocess.run(command, check=True, capture_output=True)


@pytest.fixture
async def machine(tmp_path: Path) -> AsyncIterator[Machine]:
    found = Machine(tmp_path)
    git(ROOT, "clone", "-q", "--depth", "1", f"file://{ROOT}", str(tmp_path / "theirs"))
    git(tmp_path / "theirs", "checkout", "-q", "-B", "main")
    try:
        yield found
    finally:
        for mark in marks_in_use(found.data):
            os.kill(int(mark.read_text().split()[0]), signal.SIGINT)
        await until(lambda: not marks_in_use(found.data))


def publish_newer(theirs: Path) -> None:
    """A version that changes the tables of choices."""
    file = theirs / "proxy" / "stores" / "sqlite_choices.py"
    later = STEPS.format('    "CREATE TABLE later (a TEXT) STRICT;",\n')
    file.write_text(file.read_text().replace(STEPS.format(""), later))
    git(theirs, "commit", "-qam", "A newer version")


async def test_an_update_and_the_way_back(machine: Machine) -> None:
    theirs, old = machine.folder / "theirs", parse_url("http://old.example/").origin
    first = block("apt install git").splitlines()[1:3]  # what is before and after is the machine's
    await machine.type("\n".join(first).replace("ADDRESS-OF-THIS-REPOSITORY", str(theirs)))
    store = await SqliteChoices.open(machine.choices)
    await store.choose("127.0.0.1", old.host, Choice(SiteMode.NEVER))
    await store.aclose()
    await machine.type("systemctl start winnow")
    await machine.answers()
    async with far() as plain:
        flow = asyncio.create_task(download(machine.port, f"127.0.0.1:{plain.port}"))
        await until(lambda: plain.open or flow.done())
        publish_newer(theirs)
        said = await machine.type(block("git -C /opt/winnow-source pull"))
        assert "versions/1 is removed then." in said
        assert version_of(machine.choices) == sqlite_choices.VERSION + 1
        assert machine.versions() == ["1", "2"], "the old process still runs"
        plain.go_on.set()
        assert await flow == 2 * len(HALF)
    await until(lambda: machine.versions() == ["2"])
    said = await machine.type(block("systemctl stop winnow"))
    assert "as before the update" in said
    assert machine.versions() == ["3"]
    await machine.answers()
    assert version_of(machine.choices) == sqlite_choices.VERSION
    store = await SqliteChoices.open(machine.choices)
    assert store.now.choice("127.0.0.1", old).mode is SiteMode.NEVER
    await store.aclose()
