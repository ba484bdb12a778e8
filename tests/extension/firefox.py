"""Firefox with a fresh profile, driven by Marionette over TCP (the protocol behind geckodriver).

A message is its length in bytes, a colon and JSON: ``[0, id, command, parameters]`` there,
``[1, id, error, result]`` back.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from tests.programs import require_program

START: Final = 300.0
"""Seconds in which Firefox must have started, on a busy machine too."""
PREFERENCES: Final[dict[str, Any]] = {
    "marionette.port": 0,
    "app.update.enabled": False,
    "app.normandy.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "datareporting.healthreport.uploadEnabled": False,
    "dom.security.https_first": False,
    "extensions.update.enabled": False,
    "extensions.getAddons.cache.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.dns.native_https_query": False,
    "network.trr.mode": 5,
    "services.settings.server": "data:,#none",
    "toolkit.telemetry.enabled": False,
}


_HEADLESS: Final = MappingProxyType({"MOZ_HEADLESS": "1"})


class MarionetteError(Exception):
    """The browser refused a command."""


class Marionette:
    """One session; commands are sent one after the other."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._number = 0

    async def __call__(self, command: str, **parameters: Any) -> Any:
        """Raises MarionetteError."""
        self._number += 1
        text = json.dumps([0, self._number, command, parameters]).encode()
        self._writer.write(b"%d:%b" % (len(text), text))
        _, number, error, result = await self.message()
        assert number == self._number
        if error:
            raise MarionetteError(f"{command}: {error['error']}: {error['message']}")
        return result["value"] if isinstance(result, dict) and "value" in result else result

    async def message(self) -> Any:
        length = await self._reader.readuntil(b":")
        return json.loads(await self._reader.readexactly(int(length[:-1])))

    async def run(self, script: str, *, chrome: bool = False) -> Any:
        """The value of a function's body, in the page or in the browser's own window."""
        await self("Marionette:SetContext", value="chrome" if chrome else "content")
        try:
            return await self("WebDriver:ExecuteScript", script=script, args=[], sandbox=None)
        finally:
            await self("Marionette:SetContext", value="content")


@asynccontextmanager
async def firefox(
    folder: Path, place: str = "profile", screen: Mapping[str, str] = _HEADLESS, /, **more: Any
) -> AsyncIterator[Marionette]:
    """A browser of the user whose home is ``folder``, with its profile at ``place`` there.

    ``screen``: of its environment what makes it headless, or a desktop's. ``more``: preferences,
    ``_`` for a dot in names without one. A profile that is there is used.
    """
    program = require_program("firefox-esr")
    named = {name if "." in name else name.replace("_", "."): each for name, each in more.items()}
    preferences = {**PREFERENCES, **named}
    lines = (
        f"user_pref({json.dumps(name)}, {json.dumps(each)});" for name, each in preferences.items()
    )
    profile = folder / place
    profile.mkdir(parents=True, exist_ok=True)
    (profile / "MarionetteActivePort").unlink(missing_ok=True)
    (profile / "user.js").write_text("\n".join(lines))
    flags = ("--no-remote", "--marionette", "--remote-allow-system-access")
    environment = {**os.environ, **screen, "HOME": str(folder), "MOZ_CRASHREPORTER_DISABLE": "1"}
    process = await asyncio.create_subprocess_exec(
        program, *flags, "--profile", str(profile), env=environment,
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        async with asyncio.timeout(START):
            port = await asyncio.to_thread(_port, profile / "MarionetteActivePort")
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            session = Marionette(reader, writer)
            await session.message()  # its greeting
            await session("WebDriver:NewSession", capabilities={"alwaysMatch": {}})
        try:
            yield session
        finally:
            writer.close()
    finally:
        process.terminate()
        await process.wait()


def _port(file: Path) -> int:
    """The port that the browser listens on, once it does. Raises TimeoutError."""
    begun = time.monotonic()
    while time.monotonic() - begun < START:
        if file.exists() and (text := file.read_text().strip()):
            return int(text)
        time.sleep(0.1)
    raise TimeoutError("Firefox has not started.")
