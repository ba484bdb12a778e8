"""The command line: which command was meant, and how failure is told. Knows no command's work.

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

from winnow.command_errors import CommandError
from winnow.config.errors import ConfigError, InvalidSettingsError
from winnow.config.loading import FLAG_ORIGIN
from winnow.document.errors import DocumentError
from winnow.extractors.errors import ExtractorError
from winnow.proxy.stores.store_errors import StoreError
from winnow.proxy.tls.tls_errors import TlsError

DISTRIBUTION: Final = "winnow-proxy"
COMMANDS: Final[Mapping[str, str]] = {
    "serve": "start the proxy",
    "extract": "print the articles of files or addresses",
    "extractors": "list the extraction methods",
    "ca": "show, export or explain the local certificate authority",
    "password": "make a line for access.users",
    "config": "show, check or describe the settings",
    "label": "make a test package with hand-written selectors",
    "learn": "learn the layouts of sites beforehand",
    "sites": "list, show, export or forget what pages taught of their sites",
    "train": "make a model from test packages",
    "evaluate": "measure extractors on test packages",
}
"""Command to summary; each stands in the module of its name in ``winnow.commands``."""
TOLD: Final = (
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
    """Tells wrong use in one sentence, without the usage lines before it."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code."""
    given = sys.argv[1:] if argv is None else list(argv)
    arguments = parser(given).parse_args(given)
    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except TOLD as error:
        return _told(str(error), _code(error))
    except BrokenPipeError:
        _drop_output()
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def parser(argv: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser of all commands; only those that ``argv`` names are imported."""
    top = _Parser(prog="winnow", description="Read the web without its chaff.")
    top.add_argument("--version", action="version", version=f"winnow {version(DISTRIBUTION)}")
    commands = top.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=f"{summary}.".capitalize())
        if name in argv:
            import_module(f"winnow.commands.{name}").declare(command)
    return top


def _code(error: Exception) -> int:
    """Return 2 where the command line itself was wrong, else 1."""
    if isinstance(error, CommandError):
        return error.exit_code
    if isinstance(error, InvalidSettingsError):
        return 2 if any(problem.origin == FLAG_ORIGIN for problem in error.problems) else 1
    return 2 if isinstance(error, ExtractorError) else 1


def _told(message: str, code: int) -> int:
    for line in message.splitlines():
        sys.stderr.write(f"winnow: {line}\n")
    return code


def _drop_output() -> None:
    """Point stdout at nothing: its reader is gone, and Python flushes it again at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
