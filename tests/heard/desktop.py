"""A desktop that nobody sees: an X server, a bus, speech-dispatcher and Orca. It knows no page."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from tests.clients.test_dillo import display
from tests.programs import require_program

HERE: Final = Path(__file__).parent
PATIENCE: Final = 120.0
_SETTINGS: Final = """LogDir "{folder}"
CommunicationMethod "unix_socket"
SocketPath "{folder}/socket"
Timeout 0
AddModule "written" "{here}/speaking.py" ""
DefaultModule written
"""
SYSTEM: Final = "/usr/bin/python3"
"""Which has Orca's modules."""


class Said(NamedTuple):
    """A message, and the language whose voice speaks it."""

    language: str
    text: str


@dataclass(frozen=True)
class Desktop:
    """``environment``: of programs that are to be heard."""

    environment: Mapping[str, str]
    log: Path

    def said(self) -> list[Said]:
        """All that was said so far."""
        return [Said(*json.loads(line)) for line in self.log.read_text().splitlines()]

    async def hears(self, words: Said, since: int = 0) -> list[Said]:
        """What was said from message ``since`` on, once ``words`` were. Raises TimeoutError."""
        async with asyncio.timeout(PATIENCE):
            while words not in self.said()[since:]:  # noqa: ASYNC110 - in another process
                await asyncio.sleep(0.05)
        return self.said()[since:]


@asynccontextmanager
async def program(
    *command: str | Path, **environment: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process that ends with the block, and all that it started: none has anything to store."""
    process = await asyncio.create_subprocess_exec(
        *command, env=environment, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        yield process
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


@asynccontextmanager
async def desktop(folder: Path) -> AsyncIterator[Desktop]:
    """Orca has said that it is there."""
    names = ("orca", "/usr/libexec/at-spi-bus-launcher", "dbus-daemon", "speech-dispatcher")
    _, _, bus_program, speech = (require_program(name) for name in names)
    log = folder / "said.jsonl"
    log.touch()
    (folder / "speechd.conf").write_text(_SETTINGS.format(folder=folder, here=HERE))
    bus_command = (bus_program, "--session", "--nofork", "--print-address")
    async with display() as screen:
        environment = {
            **os.environ, "DISPLAY": screen, "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder),
            "LANG": "C.UTF-8", "GNOME_ACCESSIBILITY": "1", "HEARD": str(log),
            "SPEECHD_ADDRESS": f"unix_socket:{folder}/socket",
        }  # fmt: skip
        async with program(*bus_command, **environment) as bus:
            assert bus.stdout is not None
            address = (await bus.stdout.readline()).decode().strip()
            environment["DBUS_SESSION_BUS_ADDRESS"] = address
            spoken = (speech, "--run-single", "-C", folder, "-P", folder / "pid")
            orca = (SYSTEM, HERE / "reader.py", folder / "orca")
            async with program(*spoken, **environment):
                while not (folder / "socket").exists():  # noqa: ASYNC110 - in another process
                    await asyncio.sleep(0.05)
                async with program(*orca, **environment):
                    found = Desktop(environment, log)
                    await found.hears(Said("en-us", "Screen reader on."))
                    yield found
