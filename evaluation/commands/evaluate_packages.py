"""``winnow evaluate --check|--agreement|--screens|--convert``: nothing else is measured."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from shutil import which

from winnow.command_errors import CommandError, UsageError
from winnow.evaluation.conversion.formats import FORMATS
from winnow.evaluation.conversion.writing import write_package
from winnow.evaluation.errors import EvaluationError
from winnow.evaluation.gold.agreement import agreement, agreement_table
from winnow.evaluation.gold.package_check import check
from winnow.evaluation.gold.packages import DESCRIPTION, Package, find, load
from winnow.evaluation.measuring.screens import screen_table, screens
from winnow.evaluation.subjects.proxy_subject import ThroughProxy


def check_packages(arguments: argparse.Namespace) -> int:
    """Print faults of the packages; return 1 if a page cannot be measured."""
    grave = 0
    for name in arguments.package:
        package = _loaded(name)
        findings = list(check(package))
        grave += sum(finding.grave for finding in findings)
        for finding in findings:
            sys.stdout.write(f"{package.name}: {finding.where} {finding.what}\n")
        sys.stdout.write(f"{package.name}: {len(package)} pages, {len(findings)} findings\n")
    return 1 if grave else 0


def print_agreement(arguments: argparse.Namespace) -> int:
    if len(arguments.package) != 2:
        raise UsageError("--agreement takes two packages of the same pages.")
    packages = [_loaded(name) for name in arguments.package]
    try:
        sys.stdout.write(agreement_table(agreement(*packages)) + "\n")
    except EvaluationError as error:
        raise CommandError(str(error)) from error
    return 0


def print_screens(arguments: argparse.Namespace) -> int:
    """Print Gupta's second measure: pages on a small display, in Chromium."""
    packages = [_loaded(name) for name in arguments.package]
    headers = tuple(header(line) for line in arguments.header)
    try:
        proxies = [ThroughProxy.at(address, headers) for address in arguments.through]
    except EvaluationError as error:
        raise UsageError(str(error)) from error
    try:
        found = asyncio.run(screens(packages, proxies, arguments.screens, which("chromium")))
    except EvaluationError as error:
        raise CommandError(str(error)) from error
    sys.stdout.write(screen_table(found) + "\n")
    return 0


def convert(arguments: argparse.Namespace) -> int:
    if arguments.out is None or len(arguments.package) != 1:
        raise UsageError("--convert takes one folder of published gold and --out for the package.")
    source = Path(arguments.package[0])
    description = {"name": arguments.out.name, "language": "", "licence": "", "ship": False}
    try:
        count = write_package(
            arguments.out,
            {**description, "source": arguments.convert},
            FORMATS[arguments.convert](source),
        )
    except EvaluationError as error:
        raise CommandError(str(error)) from error
    except (OSError, ValueError) as error:
        raise CommandError(_read_error(arguments.convert, source, error)) from error
    sys.stdout.write(f"{count} pages. Say language and licence in {arguments.out / DESCRIPTION}.\n")
    return 0


def _read_error(kind: str, source: Path, error: Exception) -> str:
    where, why = source, str(error)
    if isinstance(error, OSError):
        where, why = error.filename or source, error.strerror or why
    return f"{where}: {why}. Name the folder of {kind} as it was published."


def _loaded(name: str) -> Package:
    try:
        return load(find(name))
    except EvaluationError as error:
        raise UsageError(str(error)) from error


def header(line: str) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    if not colon:
        raise UsageError(f"--header {line!r} has no colon: write 'Name: value'.")
    return name.strip(), value.strip()
