"""The command ``winnow``: selects the command, reports its errors and returns the exit code.

Exit codes: 0 done, 1 failed, 2 wrong use. Errors go to stderr as one plain sentence.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Collection, Mapping, Sequence
from importlib import import_module
from importlib.metadata import version
from typing import Final, NoReturn

from winnow.command_errors import CommandError, unknown
from winnow.command_settings import load_settings
from winnow.config.errors import ConfigError, InvalidSettingsError
from winnow.config.sources.source_precedence import FLAG_ORIGIN
from winnow.document.errors import DocumentError
from winnow.extractors.errors import ExtractorError
from winnow.feature import CommandGroup, FeatureCommand
from winnow.feature_list import FEATURES, known
from winnow.proxy.stores.store_errors import StoreError
from winnow.proxy.tls.tls_errors import TlsError

DISTRIBUTION: Final = "winnow-proxy"
COMMANDS: Final[Mapping[str, FeatureCommand]] = {
    command.name: command
    for group in CommandGroup
    for feature in FEATURES
    for command in feature.commands
    if command.group is group
}
"""Of the program itself, by group."""
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

    def parse_known_args(  # type: ignore[override]  # typeshed overloads it by the namespace's type
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """argparse's, but for an option whose value may be left out: ``--render ADDRESS``.

        The word behind it is its value only where it is one of the choices.
        """
        given = list(args or ())
        words = map(self._with_value, given, [*given[1:], ""])
        return super().parse_known_args(list(words), namespace)

    def _with_value(self, word: str, following: str) -> str:
        option = self._option_string_actions.get(word)
        if option is None or option.nargs != "?" or following in (option.choices or ()):
            return word
        return f"{word}={option.const}"


class _TopParser(_Parser):
    """The parser of ``winnow`` itself, whose help lists the commands by group."""

    listed: Collection[FeatureCommand] = ()

    def format_help(self) -> str:
        blocks = [self.format_usage().strip(), self.description or ""]
        for group in CommandGroup:
            found = (each for each in self.listed if each.group is group)
            lines = (f"  {each.name:<11} {each.summary}" for each in found)
            blocks.append("\n".join([f"{group}:", *lines]))
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
    found = COMMANDS if named in COMMANDS else {**COMMANDS, **_of_packages(named)}
    top.listed = found.values()
    if named is not None and named not in found:
        top.error(unknown("command", named, found))
    commands = top.add_subparsers(
        title="commands", metavar="COMMAND", required=True, parser_class=_Parser
    )
    for name, each in found.items():
        summary = each.summary
        command = commands.add_parser(name, help=summary, description=f"{summary}.".capitalize())
        if name in argv:
            import_module(each.module).declare(command)
    return top


def _of_packages(named: str | None) -> Mapping[str, FeatureCommand]:
    """The commands of features that the settings name. Raises ConfigError for a named one."""
    try:
        chosen = load_settings(None, {}).settings.features
    except ConfigError:
        if named is not None:
            raise
        return {}  # the help is readable whatever the settings are
    return {each.name: each for found in known(chosen) for each in found.commands}


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
