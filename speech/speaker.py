"""Has an article spoken in a process group of its own, which is killed when its time is over."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from msgspec import json

from winnow.speech.encoding import PROGRAMS
from winnow.speech.engine import environment
from winnow.speech.values import (
    AudioFormat,
    SpeechBounds,
    SpeechError,
    SpeechJob,
    SpeechResult,
    SpokenAudio,
)
from winnow.speech.worker import SOUND

_WORKER: Final = (sys.executable, "-P", "-m", "winnow.speech.worker")


def formats_of(engine: str) -> tuple[AudioFormat, ...]:
    """What the programs of this computer can make; nothing without the engine."""
    if not engine or not shutil.which(engine):
        return ()
    return tuple(form for form, program in PROGRAMS.items() if shutil.which(program))


@dataclass(frozen=True)
class Speaker:
    """Blocks no event loop."""

    bounds: SpeechBounds = field(default_factory=SpeechBounds)

    async def __call__(self, job: SpeechJob) -> SpokenAudio:
        """Raises SpeechError."""
        folder = await asyncio.to_thread(tempfile.mkdtemp, prefix="winnow-speech-")
        try:
            result = await self._result(job, folder)
            if result.failure:
                raise SpeechError(result.reason, result.failure)
            body = await asyncio.to_thread((Path(folder) / SOUND).read_bytes)
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        return SpokenAudio(job.form, body, result.ends)

    async def _result(self, job: SpeechJob, folder: str) -> SpeechResult:
        process = await asyncio.create_subprocess_exec(
            *_WORKER,
            folder,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
            env=environment(),
        )
        try:
            async with asyncio.timeout(self.bounds.seconds):
                answer, _ = await process.communicate(json.encode(job))
            return json.decode(answer, type=SpeechResult)
        except TimeoutError as error:
            raise SpeechError("deadline", "Speaking took longer than allowed.") from error
        except ValueError as error:  # UnicodeDecodeError too
            raise SpeechError("engine-failed", "The speaking process ended early.") from error
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
