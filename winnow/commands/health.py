"""``winnow health``: asks a running proxy with the same settings whether it is alive or ready."""

from __future__ import annotations

import argparse
import sys

from winnow.balancers import balancers_of
from winnow.command_errors import CommandError
from winnow.running_server import ask, at, declare_address, server_of


def declare(parser: argparse.ArgumentParser) -> None:
    declare_address(parser)
    parser.add_argument(
        "--ready", action="store_true", help="whether it should get requests (/-/ready)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    server, path = server_of(arguments), "/-/ready" if arguments.ready else "/-/live"
    status, answer = ask(server, path, balancers_of(server))
    if status != 200:
        raise CommandError(f"{at(server)}: {answer or status}")
    sys.stdout.write(f"{answer}\n")
    return 0
