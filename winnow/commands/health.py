"""``winnow health``: asks a running proxy with the same settings whether it is alive or ready."""

from __future__ import annotations

import argparse
import sys

from winnow.balancers import balancers_of
from winnow.command_errors import CommandError
from winnow.running_server import ask, at, declare_address, settings_of


def declare(parser: argparse.ArgumentParser) -> None:
    declare_address(parser)
    parser.add_argument(
        "--ready", action="store_true", help="whether it should get requests (/-/ready)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    settings, name = settings_of(arguments), "ready" if arguments.ready else "live"
    server, sections = settings.server, settings.of_features
    prefix = next((each.own_prefix for each in sections if hasattr(each, "own_prefix")), "/-/")
    status, answer = ask(server, f"{prefix}{name}", balancers_of(server))
    if status != 200:
        raise CommandError(f"{at(server)}: {answer or status}")
    sys.stdout.write(f"{answer}\n")
    return 0
