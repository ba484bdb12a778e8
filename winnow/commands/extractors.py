"""``winnow extractors``: lists the extraction methods with their parameters and defaults."""

from __future__ import annotations

import argparse
import inspect
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from winnow.command_settings import add_config_flag, load_settings
from winnow.extractors import registry
from winnow.extractors.parameters import defaults, needs_of


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    add_config_flag(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    load_settings(arguments.config, {})  # whose features bring some
    rows = [described(name) for name in registry.names()]
    sys.stdout.write(as_json(rows) if arguments.json else as_table(rows))
    return 0


def described(name: str) -> Mapping[str, Any]:
    """Return name, summary and parameters (with their defaults) of one extractor.

    ``needs``: by a choice that does not work alone, the parameter that must name a file.
    """
    maker = registry.factory(name)
    summary = (inspect.getdoc(maker) or "").partition("\n")[0].rstrip(".")
    needs = {choice: needed for choice, (needed, _) in needs_of(maker).items()}
    return {"name": name, "summary": summary, "parameters": defaults(maker), "needs": needs}


def as_json(rows: Sequence[Mapping[str, Any]]) -> str:
    return json.dumps(list(rows), ensure_ascii=False, indent=2) + "\n"


def as_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return a line for each extractor with its name and summary, and its parameters below."""
    width = max((len(row["name"]) for row in rows), default=0)
    lines = []
    for row in rows:
        lines.append(f"{row['name']:<{width}}  {row['summary']}".rstrip())
        if row["parameters"]:
            listed = ", ".join(f"{key}={value}" for key, value in row["parameters"].items())
            lines.append(f"{'':<{width}}  {listed}")
        for choice, needed in row["needs"].items():
            lines.append(f"{'':<{width}}  {choice} needs {needed}=FILE")
    return "\n".join(lines) + "\n"
