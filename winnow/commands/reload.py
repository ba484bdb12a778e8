"""``winnow reload``: the running proxy reads its settings again; fails where they are refused."""

from __future__ import annotations

import argparse
import signal
import sys

from winnow.command_errors import CommandError
from winnow.command_settings import add_config_flag
from winnow.commands.restart import RunningWinnow


def declare(parser: argparse.ArgumentParser) -> None:
    add_config_flag(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    running, failure = RunningWinnow.of(arguments.config).answer_to(signal.SIGHUP)
    if failure:
        raise CommandError(f"{failure}; the settings before are in force")
    sys.stdout.write(f"Process {running} has read the settings again.\n")
    return 0
