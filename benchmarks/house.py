"""``python -m benchmarks.house``: size of the code and of a change, held to ``house.toml``.

A bound is a ratchet: today's figure, rounded up, so that a commit of a few lines does not meet it.
Exits with 1 where one is exceeded. ``--lower`` lowers the bounds to today's figures, raises none,
and writes the table of ARCHITECTURE.md.
"""

from __future__ import annotations

import statistics
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import tomlkit

from benchmarks import change_cost
from benchmarks.module_facts import ModuleFacts, facts_of

ROOT: Final = Path(__file__).resolve().parent.parent
BOUNDS: Final = ROOT / "benchmarks" / "house.toml"
MAP: Final = ROOT / "ARCHITECTURE.md"
COMPOSITION_ROOT: Final = "winnow/compose"
CORE: Final = ("document", "extractors", "engine", "jobs", "config", "proxy", "winnow")
_STEPS: Final = {"features": 21_200}  # a new one moves no bound
OWN_PAGE: Final = "RulesPage"  # an ordinary one: a handler and its registration


@dataclass(frozen=True, slots=True)
class HouseFigure:
    """What is counted, and the step that its bound is rounded up to."""

    what: str
    value: float
    step: int = 1

    @property
    def rounded(self) -> int:
        """The least bound that holds."""
        return int(-(-self.value // self.step) * self.step)


def rooms() -> list[str]:
    """The folders that the wheel has: ``winnow`` and what it links to."""
    return sorted(
        ["winnow", *(path.name for path in (ROOT / "winnow").iterdir() if path.is_symlink())]
    )


def product_files(room: str) -> list[Path]:
    """The Python files of a room; those below ``winnow`` that are links are of other rooms."""
    found = (path for path in (ROOT / room).rglob("*.py") if path.resolve() == path)
    return sorted(path for path in found if "models" not in path.parts)


def product() -> dict[str, list[ModuleFacts]]:
    """Each room's modules, as counted."""
    return {room: [facts_of(path) for path in product_files(room)] for room in rooms()}


def own_lines() -> HouseFigure:
    """Lines of this folder, which no wheel has."""
    found = sum(facts_of(path).lines for path in product_files("benchmarks"))
    return HouseFigure("lines of benchmarks", found, 500)


def sizes(modules: Mapping[str, Sequence[ModuleFacts]]) -> list[HouseFigure]:
    """Lines of rooms, files and functions, and modules that one module imports."""
    every = [module for room in modules.values() for module in room]
    lines = sorted(module.lines for module in every)
    functions = sorted(length for module in every for length in module.functions)
    fans = [len(module.imports) for module in every if not _composes(module.path)]
    flat = Counter(module.path.parent for module in every if module.path.name != "__init__.py")
    names = Counter(name for module in every for name in module.classes)
    return [
        *(
            HouseFigure(f"lines of {r}", sum(m.lines for m in f), _STEPS.get(r, 500))
            for r, f in modules.items()
        ),
        HouseFigure("lines of the core", sum(m.lines for r in CORE for m in modules[r]), 500),
        HouseFigure("lines of a file, median", statistics.median(lines), 5),
        HouseFigure("lines of a file, at most", lines[-1], 10),
        HouseFigure("lines of a function, median", statistics.median(functions)),
        HouseFigure(
            "lines of a function, 95th percentile", functions[int(len(functions) * 0.95)], 5
        ),
        HouseFigure("lines of a function, at most", functions[-1]),
        HouseFigure("modules of ours that one module imports, at most", max(fans)),
        HouseFigure("modules directly in one folder, at most", max(flat.values()), 5),
        HouseFigure("public class names used twice", sum(n > 1 for n in names.values())),
    ]


def markup_calls(rooms_found: Mapping[str, Sequence[ModuleFacts]]) -> HouseFigure:
    """HTML that Python writes; templates have the rest."""
    every = [module.path for found in rooms_found.values() for module in found]
    return HouseFigure("calls of Markup", sum(p.read_text().count("Markup(") for p in every), 5)


def changes(modules: Sequence[ModuleFacts]) -> list[HouseFigure]:
    """How many modules name a thing that changes."""
    keys = len(change_cost.key_modules(modules))
    page = len(change_cost.own_page_modules(modules, OWN_PAGE))
    return [
        HouseFigure("modules that hash a recipe: a page's cache key", keys),
        HouseFigure(
            "modules that name a quality threshold", change_cost.threshold_modules(modules)
        ),
        HouseFigure(
            "modules that name an output format, median", change_cost.format_modules(modules)
        ),
        HouseFigure(f"modules that name an own page ({OWN_PAGE})", page),
        HouseFigure(
            "modules that name an extractor, median", change_cost.extractor_modules(modules)
        ),
    ]


def _composes(path: Path) -> bool:
    return path.relative_to(ROOT).as_posix().startswith(COMPOSITION_ROOT)


def bounds() -> dict[str, dict[str, int]]:
    """What ``house.toml`` holds: the bounds, ``at-most``, and what is aimed at, ``goal``."""
    return tomllib.loads(BOUNDS.read_text("utf-8"))


def lower(figures: Sequence[HouseFigure]) -> None:
    """Lower bounds to the figures where those are less; a figure without a bound gets one."""
    most = bounds()["at-most"]
    held = tomlkit.parse(BOUNDS.read_text("utf-8"))
    for figure in figures:
        least = min(most.get(figure.what, figure.rounded), figure.rounded)
        held["at-most"][figure.what] = least
    BOUNDS.write_text(tomlkit.dumps(held), "utf-8")
    before, heading, size = MAP.read_text("utf-8").partition("## Size\n")
    prose = size.partition("\n    ")[0].rstrip()
    MAP.write_text(f"{before}{heading}{prose}\n\n{size_table()}", "utf-8")


def size_table() -> str:
    """The table of ARCHITECTURE.md: bounds and goals; each commit moves the figures themselves."""
    held = bounds()
    goals = held["goal"]
    rows = [
        f"{what:58} {most:>8} {goals.get(what, ''):>8}" for what, most in held["at-most"].items()
    ]
    return "".join(
        f"    {row.rstrip()}\n" for row in (f"{'':58} {'at most':>8} {'goal':>8}", *rows)
    )


def report(figures: Sequence[HouseFigure], arguments: Sequence[str]) -> int:
    """Print figures beside their bounds, and return 1 where one is exceeded."""
    if "--lower" in arguments:
        lower(figures)
    most = bounds()["at-most"]
    above = [figure for figure in figures if figure.value > most[figure.what]]
    sys.stdout.write(f"{'':58} {'is':>8} {'at most':>8}\n")
    for figure in figures:
        mark = "  above" if figure in above else ""
        sys.stdout.write(f"{figure.what:58} {figure.value:>8g} {most[figure.what]:>8}{mark}\n")
    return 1 if above else 0


def main() -> int:
    """Print the figures that the source alone gives."""
    modules = product()
    every = [module for room in modules.values() for module in room]
    return report(
        [*sizes(modules), own_lines(), markup_calls(modules), *changes(every)], sys.argv[1:]
    )


if __name__ == "__main__":
    sys.exit(main())
