"""The command ``winnow``: selects the command, reports its errors and returns the exit code.

Exit codes: 0 done, 1 failed, 2 wrong use. Errors go to stderr as one plain sentence.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.metadata import version
from typing import Final, NoReturn

from winnow.command_errors import CommandError, unknown
from winnow.config.errors import ConfigError, InvalidSettingsError
from winnow.config.source_precedence import FLAG_ORIGIN
from winnow.document.errors import DocumentError
from winnow.extractors.errors import ExtractorError
from winnow.proxy.stores.store_errors import StoreError
from winnow.proxy.tls.tls_errors import TlsError

DISTRIBUTION: Final = "winnow-proxy"
GROUPS: Final[Mapping[str, Mapping[str, str]]] = {
    "Read and serve": {
        "serve": "start the proxy",
        "setup": "set proxy and certificate for this computer, or undo that",
        "extract": "print the articles of files or addresses",
        "extractors": "list the extraction methods",
    },
    "Measure and train": {
        "evaluate": "measure extractors on test packages",
        "label": "make a test package with hand-written selectors",
        "train": "train a model on test packages",
    },
    "Manage": {
        "config": "show, check or describe the settings",
        "health": "ask a running proxy whether it is alive or ready",
        "ca": "show, export or explain the local certificate authority",
        "backup": "save the data folder in one file",
        "restore": "put a backup back into the data folder",
        "password": "make a line for access.users or access.api_keys",
        "learn": "learn the layouts of sites from their pages",
        "sites": "list, show, export or forget what was learned about sites",
        "completion": "print a completion script for a shell",
    },
}
"""Commands with their summaries, by group."""
COMMANDS: Final[Mapping[str, str]] = {
    name: summary for group in GROUPS.values() for name, summary in group.items()
}
"""Command to summary; the module of a command has its name, in ``winnow.commands``."""
REPORTED: Final = (
    CommandError,
    ConfigError,
    DocumentError,
    ExtractorError,
    StoreError,
    TlsError,
)
"""The error trees whose messages are written for people."""
INTERRUPTED: Final = 130


class _Parser(argparse.ArgumentParser):
    """Reports wrong use in one sentence, without the usage lines before it."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


class _TopParser(_Parser):
    """The parser of ``winnow`` itself, whose help lists the commands by group."""

    def format_help(self) -> str:
        blocks = [self.format_usage().strip(), self.description or ""]
        for title, commands in GROUPS.items():
            lines = (f"  {name:<11} {summary}" for name, summary in commands.items())
            blocks.append("\n".join([f"{title}:", *lines]))
        blocks.append(
            "`winnow COMMAND --help` describes a command, `winnow --version` the version."
        )
        return "\n\n".join(blocks) + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code."""
    given = sys.argv[1:] if argv is None else list(argv)
    try:
        arguments = parser(given).parse_args(given)
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except REPORTED as error:
        return _report(str(error), _exit_code(error))
    except BrokenPipeError:
        _drop_output()
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def parser(argv: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser of all commands; only those that ``argv`` names are imported.

    Exits with 2 if the first of ``argv`` that is no option names no command.
    """
    top = _TopParser(prog="winnow", description="Read the web without its chaff.")
    top.add_argument("--version", action="version", version=f"winnow {version(DISTRIBUTION)}")
    named = next((word for word in argv if not word.startswith("-")), None)
    if named is not None and named not in COMMANDS:
        top.error(unknown("command", named, COMMANDS))
    commands = top.add_subparsers(
        title="commands", metavar="COMMAND", required=True, parser_class=_Parser
    )
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=f"{summary}.".capitalize())
        if name in argv:
            import_module(f"winnow.commands.{name}").declare(command)
    return top


def _exit_code(error: Exception) -> int:
    """Return 2 where the command line itself was wrong, else 1."""
    if isinstance(error, CommandError):
        return error.exit_code
    if isinstance(error, InvalidSettingsError):
        return 2 if any(problem.origin == FLAG_ORIGIN for problem in error.problems) else 1
    return 2 if isinstance(error, ExtractorError) else 1


def _report(message: str, code: int) -> int:
    for line in message.splitlines():
        sys.stderr.write(f"winnow: {line}\n")
    return code


def _drop_output() -> None:
    """Point stdout at nothing: its reader is gone, and Python flushes it again at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
