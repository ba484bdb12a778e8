"""What a command may fail with; tells wrong use (exit 2) from work that failed (exit 1)."""

from __future__ import annotations


class CommandError(Exception):
    """The work could not be done; the message is one sentence that names what to change."""

    exit_code = 1


class UsageError(CommandError):
    """The command was asked for something that does not exist."""

    exit_code = 2
