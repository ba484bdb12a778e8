"""``winnow password NAME``: asks for a password and prints a line for ``access.users``."""

from __future__ import annotations

import argparse
import getpass
import sys

from winnow.command_errors import CommandError, UsageError
from winnow.proxy.access.credentials.passwords import hash_password


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="the user's name, without a colon")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    name = arguments.name.strip()
    if not name or ":" in name or "," in name:
        raise UsageError("a user's name holds neither colon nor comma, and is not empty")
    sys.stdout.write(f"{name}:{hash_password(_password(name))}\n")
    return 0


def _password(name: str) -> str:
    """Return the password: typed twice at a terminal, else the first line of stdin."""
    if not sys.stdin.isatty():
        password = sys.stdin.readline().rstrip("\r\n")
    else:
        password = getpass.getpass(f"Password for {name}: ")
        if getpass.getpass("Repeat it: ") != password:
            raise CommandError("the two passwords differ; run it again")
    if not password:
        raise CommandError("the password is empty; run it again")
    return password
