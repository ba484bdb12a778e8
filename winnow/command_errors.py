"""Errors of a command: wrong use (exit code 2) and work that failed (exit code 1)."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Callable, Iterable
from pathlib import Path


class CommandError(Exception):
    """The work could not be done; the message is one sentence that names what to change."""

    exit_code = 1


class UsageError(CommandError):
    """The command line names something that does not exist."""

    exit_code = 2


def unknown(kind: str, name: str, choices: Iterable[str]) -> str:
    """Return a sentence that names the nearest choice, or all of them where none is near."""
    listed = [str(choice) for choice in choices]
    nearest = difflib.get_close_matches(name, listed, 1)
    hint = f"did you mean {nearest[0]!r}?" if nearest else f"choose from {', '.join(listed)}"
    return f"there is no {kind} {name!r}; {hint}"


def local_path(value: str) -> Path:
    """A ``type`` for argparse: a file or folder that is written, which ``s3://`` names none of."""
    if "://" in value:
        raise argparse.ArgumentTypeError(f"{value} is no file or folder of this computer")
    return Path(value)


def one_of(kind: str, choices: Iterable[str]) -> Callable[[str], str]:
    """Return a ``type`` for argparse that accepts these choices and suggests the nearest.

    ``choices`` is given to argparse as well, for completion and the man page.
    """
    listed = tuple(choices)

    def check(value: str) -> str:
        if value not in listed:
            raise argparse.ArgumentTypeError(unknown(kind, value, listed))
        return value

    return check
