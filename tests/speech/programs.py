"""What tests of speech need of the system, and a stand-in for the engine."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.programs import require_program

_HEAD: Final = (
    r"RIFF\377\377\377\177WAVEfmt \020\0\0\0\001\0\001\0\042\126\0\0\104\254\0\0\002\0\020\0"
    r"data\0\360\377\177"
)
_PROGRAM: Final = r"""#!/bin/sh
text="$(cat)"
printf '%s|%s\n' "$*" "$text" >> {folder}/spoken
{more}
set -- $text
printf '{head}'
head -c $(($# * 882)) /dev/zero
"""


@contextmanager
def stand_in(more: str = "") -> Iterator[Path]:
    """A program called as espeak-ng is: 20 ms of silence a word; ``spoken`` beside it has a line
    of its options and text for each call. Everybody may run it: the engine runs as nobody."""
    with tempfile.TemporaryDirectory(prefix="winnow-stand-in-") as name:
        folder = Path(name)
        folder.chmod(0o777)
        program = folder / "engine"
        program.write_text(_PROGRAM.format(folder=folder, more=more, head=_HEAD))
        program.chmod(0o755)
        yield program


def output_of(*command: str | Path) -> str:
    """What a program writes, errors too, where it ends with status 0."""
    pipe, both = subprocess.PIPE, subprocess.STDOUT
    done = subprocess.run(command, check=False, text=True, stdout=pipe, stderr=both)
    assert done.returncode == 0, done.stdout
    return done.stdout


def require_speech() -> None:
    """espeak-ng and both encoders."""
    for name in ("espeak-ng", "opusenc", "lame"):
        require_program(name)
