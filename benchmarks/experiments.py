"""What commands of experiments share: packages loaded, one experiment run, its table printed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence

from winnow.evaluation.errors import EvaluationError
from winnow.evaluation.packages import Package, find, load

Experiments = Mapping[str, Callable[[Sequence[Package], argparse.Namespace], str]]


def parser_of(
    experiments: Experiments, name: str, description: str | None
) -> argparse.ArgumentParser:
    """The experiment and its packages; each command adds its own options."""
    parser = argparse.ArgumentParser(prog=f"python -m {name}", description=description)
    parser.add_argument("experiment", choices=experiments)
    parser.add_argument("package", nargs="+", metavar="PACKAGE")
    return parser


def loaded(names: Sequence[str]) -> list[Package] | None:
    """The packages, or None after the error that says which one is missing was printed."""
    try:
        return [load(find(name)) for name in names]
    except EvaluationError as error:
        sys.stderr.write(f"{error}\n")
        return None
