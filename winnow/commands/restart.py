"""``winnow restart``: a new process takes over from the running one, which ends what has begun."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from winnow.command_errors import CommandError
from winnow.command_settings import add_config_flag, load_settings
from winnow.commands.old_version import begin_removal, version_of
from winnow.config.errors import ConfigError
from winnow.data_folder import data_folder
from winnow.proxy.stores.files import marks_in_use
from winnow.proxy.stores.store_errors import cause


def declare(parser: argparse.ArgumentParser) -> None:
    add_config_flag(parser)
    parser.add_argument(
        "--wait",
        action="store_true",
        help="end when the old process has",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    winnow = RunningWinnow.of(arguments.config)
    old = version_of(winnow.process)
    now, failure = winnow.answer_to(signal.SIGUSR2)
    if failure:
        raise CommandError(f"{failure}; process {winnow.process} goes on")
    is_other = old is not None and old != version_of(now)
    then = f" {old} is removed then." if old and is_other and begin_removal(old) else ""
    said = f"Process {now} answers; {winnow.process} ends with its last connection.{then}\n"
    sys.stdout.write(said)
    sys.stdout.flush()
    while arguments.wait and _is_there(winnow.process):
        time.sleep(1)
    return 0


@dataclass(frozen=True, slots=True)
class RunningWinnow:
    """The only one that uses a data folder, by the mark that it has there."""

    mark: Path
    process: int

    @classmethod
    def of(cls, config: Path | None) -> RunningWinnow:
        """Raises CommandError, and ConfigError, which systemd's main process then counts too."""
        os.environ.pop("CREDENTIALS_DIRECTORY", None)  # systemd 252 lets no ExecReload read them
        try:
            folder = data_folder(load_settings(config, {}).settings)
        except ConfigError:
            if main := os.environ.get("MAINPID"):  # an ExecReload (systemd.exec(5))
                os.kill(int(main), signal.SIGHUP)
            raise
        try:
            mark = _mark(folder)
            return cls(mark, int(mark.read_text().split("\n")[0]))
        except OSError as error:
            raise _unreached(folder, error) from error

    def answer_to(self, number: signal.Signals) -> tuple[int, str]:
        """The process that answers after a signal, and why it did not do so, "" if it did.

        Raises CommandError.
        """
        running = str(self.process)
        try:
            self.mark.write_text(running)  # what an earlier try left is no answer to this one
            os.kill(self.process, number)
            while (answer := self.mark.read_text()) in ("", running):
                time.sleep(0.1)
        except OSError as error:
            raise _unreached(self.mark.parent, error) from error
        now, _, failure = answer.partition("\n")
        return int(now), failure


def _unreached(folder: Path, error: OSError) -> CommandError:
    return CommandError(f"cannot reach the Winnow of {folder}: {cause(error)}")


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
