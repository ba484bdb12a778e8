"""``winnow restart``: a new process takes over from the running one, which ends what has begun."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from pathlib import Path

from winnow.command_errors import CommandError
from winnow.command_settings import add_config_flag, load_settings
from winnow.data_folder import data_folder
from winnow.proxy.stores.files import marks_in_use
from winnow.proxy.stores.store_errors import cause


def declare(parser: argparse.ArgumentParser) -> None:
    add_config_flag(parser)
    parser.add_argument(
        "--wait",
        action="store_true",
        help="end when the old process has: its version's folder can be removed then",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    running, now, failure = answer_to(signal.SIGUSR2, arguments.config)
    if failure:
        raise CommandError(f"{failure}; process {running} goes on")
    sys.stdout.write(f"Process {now} answers; {running} ends with its last connection.\n")
    sys.stdout.flush()
    while arguments.wait and _is_there(int(running)):
        time.sleep(1)
    return 0


def answer_to(number: signal.Signals, config: Path | None) -> tuple[str, str, str]:
    """What the only Winnow of a data folder notes after a signal: the process that had it, the one
    that answers now, and why it did not do what it was told, "" if it did. Raises CommandError."""
    folder = data_folder(load_settings(config, {}).settings)
    try:
        mark = _mark(folder)
        running = mark.read_text().split("\n")[0]
        mark.write_text(running)  # what an earlier try left is no answer to this one
        os.kill(int(running), number)
        while (answer := mark.read_text()) in ("", running):
            time.sleep(0.1)
    except OSError as error:
        raise CommandError(f"cannot reach the Winnow of {folder}: {cause(error)}") from error
    now, _, failure = answer.partition("\n")
    return running, now, failure


def _is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _mark(folder: Path) -> Path:
    """The mark of the only Winnow that uses the folder. Raises OSError or CommandError."""
    marks = marks_in_use(folder)
    if len(marks) != 1:
        raise CommandError(f"{'several Winnows use' if marks else 'no Winnow uses'} {folder}")
    return marks[0]
