"""``winnow completion SHELL``: a script that completes commands, options and file names (shtab).

bash: put ``eval "$(winnow completion bash)"`` into ~/.bashrc. zsh: write it to a file ``_winnow``
in a folder of $fpath. fish: write it to ~/.config/fish/completions/winnow.fish.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import Final

from winnow.cli import COMMANDS, parser
from winnow.command_errors import one_of

SHELLS: Final = ("bash", "zsh", "fish")
_FILES: Final = frozenset(
    {"SOURCE", "FILE", "PACKAGE", "RULES", "FOLDER|WARC", "FOLDER|WARC|URL-LIST"}
)
_FOLDERS: Final = frozenset({"DIR", "FOLDER"})
"""Placeholders of arguments that are completed with names of files, and of folders."""


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "shell", type=one_of("shell", SHELLS), choices=SHELLS, metavar="|".join(SHELLS)
    )
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    sys.stdout.write(script(arguments.shell))
    return 0


def script(shell: str) -> str:
    """Return the completion script of all commands for a shell."""
    import shtab  # noqa: PLC0415 - no other command needs it

    top = parser([*COMMANDS])
    for action in _actions(top):
        if action.metavar in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]  # shtab's interface
        elif action.metavar in _FOLDERS:
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]  # shtab's interface
    return shtab.complete(top, shell)


def _actions(top: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Return every argument of a parser and of the parsers of its commands."""
    for action in top._actions:  # argparse has no public name for it
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
