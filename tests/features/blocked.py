"""``python -m tests.features.blocked``: each feature's folder is gone, once; all else is imported.

Prints a line for each module that cannot be imported without it. Each try is a forked process.
"""

from __future__ import annotations

import os
import pkgutil
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path

import winnow
import winnow.features
from winnow.feature import FeatureError

NAMES = sorted(path.parent.name for path in Path(winnow.features.__path__[0]).glob("*/__init__.py"))
ABOVE = ("winnow.commands", "winnow.compose")
BELOW = ("winnow.proxy", "winnow.engine", "winnow.evaluation")
"""By the import contract these know no feature: they are imported once."""


class Blocked(MetaPathFinder):
    """Finds nothing of one feature."""

    def __init__(self, name: str) -> None:
        self.package = f"winnow.features.{name}"

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        if name == self.package or name.startswith(f"{self.package}."):
            raise ModuleNotFoundError(f"{name} was removed", name=name)
        return None


def failures(name: str) -> Iterator[str]:
    """What cannot be imported without one feature."""
    sys.meta_path.insert(0, Blocked(name))
    listed = pkgutil.iter_modules
    pkgutil.iter_modules = lambda *given: (
        each for each in listed(*given) if each.name != name
    )  # as if its folder were removed
    found = import_module("winnow.feature_list").FEATURES
    if any(each.name == name for each in found):
        yield f"{name} is still a feature"
    for package in (*ABOVE, *(f"winnow.features.{each.name}" for each in found)):
        yield from _failing(package)


def _failing(package: str) -> Iterator[str]:
    try:
        folder = import_module(package).__path__
    except ModuleNotFoundError as error:
        if error.name != package:  # the core's features have no folder
            yield f"{package}: {error}"
        return
    for module in pkgutil.walk_packages(folder, f"{package}."):
        try:
            import_module(module.name)
        except (ImportError, FeatureError) as error:
            yield f"{module.name}: {error}"


def main() -> int:
    """1 where something needs a feature that it does not name."""
    below = [line for package in BELOW for line in _failing(package)]
    sys.stdout.write("".join(f"{line}\n" for line in below))
    sys.stdout.flush()
    broken = bool(below)
    for name in NAMES:
        child = os.fork()
        if not child:
            lines = [f"without {name}: {line}\n" for line in failures(name)]
            sys.stdout.write("".join(lines) or f"without {name}: all is there\n")
            sys.stdout.flush()
            os._exit(bool(lines))
        broken = os.waitpid(child, 0)[1] != 0 or broken
    return int(broken)


if __name__ == "__main__":
    sys.exit(main())
