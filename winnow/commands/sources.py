"""What a SOURCE of the command line names: a file, an address or ``-``. Knows no extraction."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from winnow.command_errors import CommandError
from winnow.config.settings import Settings
from winnow.document.values import Page
from winnow.page_fetch import fetch

STDIN: Final = "-"


def read(source: str, url: str | None, settings: Settings) -> Page:
    """Return the page that a source names; ``url`` is its address where it is not one itself.

    Raises CommandError for what cannot be read.
    """
    if source.startswith(("http://", "https://")):
        return fetch(source, settings)
    if source == STDIN:
        return Page(sys.stdin.buffer.read(), url)
    try:
        return Page(Path(source).read_bytes(), url)
    except OSError as error:
        raise CommandError(f"cannot read {source}: {error.strerror or error}") from error
