"""Firefox reads an article aloud by speech-dispatcher and espeak-ng, without a sound card."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote

import pytest

from tests.browser.test_listen import SENTENCES, STORY, listen_settings
from tests.extension.drivers import until
from tests.extension.firefox import firefox
from tests.programs import require_program
from tests.proxy.origins import Origin, html, serving
from winnow.compose.running import running

_SILENT: Final = "pcm.!default { type null }\nctl.!default { type null }\n"
"""ALSA's device that plays nothing."""
_SETTINGS: Final = """LogDir "{folder}"
CommunicationMethod "unix_socket"
SocketPath "{folder}/socket"
Timeout 0
AudioOutputMethod "alsa"
AddModule "espeak-ng" "sd_espeak-ng" "espeak-ng.conf"
DefaultModule espeak-ng
"""
_ALLOW: Final = """(() => { if (!speechSynthesis.getVoices().some(voice => voice.localService))
  document.getElementById("remote").click(); return 1; })()"""
"""Firefox takes the voices of speech-dispatcher for those of an online service."""
_RECORD: Final = """(() => { window.events = [];
  const speech = window.speechSynthesis, speak = speech.speak;
  Object.defineProperty(speech, "speak", { value: spoken => {
    for (const kind of ["start", "end"]) spoken.addEventListener(kind, () => window.events.push(
      [kind, spoken.text, spoken.voice.lang,
       [...document.querySelectorAll(".now")].map(each => each.textContent).join("").trim()]));
    speak.call(speech, spoken); } });
  document.getElementById("play").click(); return 1; })()"""


@asynccontextmanager
async def speech_dispatcher() -> AsyncIterator[str]:
    """Its address."""
    program = require_program("speech-dispatcher")
    require_program("espeak-ng")
    with tempfile.TemporaryDirectory(prefix="winnow-spd-") as name:
        folder = Path(name)
        (folder / ".asoundrc").write_text(_SILENT)
        (folder / "speechd.conf").write_text(_SETTINGS.format(folder=folder))
        process = await asyncio.create_subprocess_exec(
            *(program, "--run-single", "-C", name, "-P", f"{name}/pid"),
            env={**os.environ, "HOME": name, "XDG_RUNTIME_DIR": name},
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(60):
                while not (folder / "socket").exists():  # noqa: ASYNC110 - in another process
                    await asyncio.sleep(0.05)
            yield f"unix_socket:{name}/socket"
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            await process.wait()


async def test_firefox_reads_each_sentence_by_a_voice_of_its_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        serving(Origin()) as origin,
        running(listen_settings()) as proxy,
        speech_dispatcher() as address,
    ):
        origin.replies["/story"] = html(STORY.encode())
        monkeypatch.setenv("SPEECHD_ADDRESS", address)
        async with firefox(tmp_path) as session:

            async def page(expression: str) -> object:
                return await session.run(f"return {expression}")

            url = quote(origin.url("/story"), safe="")
            own = f"http://127.0.0.1:{proxy.port}"
            await session("WebDriver:Navigate", url=f"{own}/-/listen?url={url}")
            await until(page, "speechSynthesis.getVoices().length > 0")
            await page(_ALLOW)
            await until(page, "!document.getElementById('aloud').hidden")
            await page(_RECORD)
            await until(page, f"events.length >= {2 * len(SENTENCES)}")
            events = json.loads(str(await page("JSON.stringify(events)")))
    assert [text for kind, text, _, _ in events if kind == "start"] == SENTENCES
    assert [text for kind, text, _, _ in events if kind == "end"] == SENTENCES
    assert [lang.partition("-")[0] for kind, _, lang, _ in events if kind == "start"] == [
        *("en", "en", "de", "de")
    ]
    assert all(text == marked for kind, text, _, marked in events if kind == "start")
