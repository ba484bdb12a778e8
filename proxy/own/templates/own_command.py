"""Commands of ``winnow`` that own pages print, as a reader can type them on this computer."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Final

from markupsafe import Markup


def program(prefix: Path, found: str | None) -> str:
    """``winnow`` where the shell finds it, else as it is called in the checkout of ``make run``."""
    in_checkout = prefix.name == ".venv" and not found
    return ".venv/bin/winnow" if in_checkout else "winnow"


PROGRAM: Final = program(Path(sys.prefix), shutil.which("winnow"))


def own_command(words: str) -> Markup:
    """The command with these words behind the program, as code."""
    return Markup("<code>{} {}</code>").format(PROGRAM, words)
