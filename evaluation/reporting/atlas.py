"""All packages and subjects as three images and a page of tables: what the docs show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from winnow.evaluation.measuring.statistic import mean
from winnow.evaluation.reporting.figures import WORD, FigureLine, grouped, lines
from winnow.evaluation.reporting.panels import Packages, exactness, likeness, steadiness
from winnow.evaluation.running.runs import ResultRow

IMAGES = {"figure-1.svg": likeness, "figure-2.svg": exactness, "figure-3.svg": steadiness}
_CAPTIONS = {
    "figure-1.svg": "Word F1 by package",
    "figure-2.svg": "Precision against recall, means over the packages",
    "figure-3.svg": "Deviation and time, means over the packages",
}
_VALUES = (("Word F1", WORD), ("Precision", "word.precision"), ("Recall", "word.recall"))


def write_atlas(folder: Path, rows: Sequence[ResultRow], groups: Mapping[str, str]) -> None:
    """Write images and ``README.md``; ``groups``: the kind of each subject, in order."""
    folder.mkdir(parents=True, exist_ok=True)
    packages: Packages = {package: lines(subjects) for package, subjects in grouped(rows).items()}
    for name, draw in IMAGES.items():
        (folder / name).write_text(draw(packages, groups) + "\n", encoding="utf-8")
    (folder / "README.md").write_text(_page(packages, groups), encoding="utf-8")


def _page(packages: Packages, groups: Mapping[str, str]) -> str:
    pages = {
        package: max(line.summary.pages for line in found) for package, found in packages.items()
    }
    table = ", ".join(f"{package} {count}" for package, count in pages.items())
    parts = ["# Every method on every package", f"Made by `make figures`. Pages measured: {table}."]
    parts += [f"![{_CAPTIONS[name]}]({name})" for name in IMAGES]
    for title, value in _VALUES:
        parts.append(f"## {title}\n\n{_table(packages, groups, value)}")
    parts.append(f"## Cost and failures\n\n{_costs(packages, groups)}")
    return "\n\n".join(parts) + "\n"


def _table(packages: Packages, groups: Mapping[str, str], value: str) -> str:
    """A line a subject, a column a package; the best of each column is bold."""
    cells = {
        package: {line.summary.subject: line.summary.values[value] for line in found}
        for package, found in packages.items()
    }
    best = {package: max(found.values()) for package, found in cells.items()}
    table = [["", *packages, "mean"]]
    for name in groups:
        found = [cells[package].get(name) for package in packages]
        values = [each for each in found if each is not None]
        shown = [
            "" if each is None else f"**{each:.3f}**" if each == best[package] else f"{each:.3f}"
            for package, each in zip(packages, found, strict=True)
        ]
        table.append([f"`{name}`", *shown, f"{mean(values):.3f}"])
    return _markdown(table)


def _costs(packages: Packages, groups: Mapping[str, str]) -> str:
    table = [["", "deviation", "ms/kB", "× parse", "failed pages"]]
    for name in groups:
        found = [line.summary for line in _lines(packages, name)]
        table.append(
            [
                f"`{name}`",
                f"{mean([each.deviation for each in found]):.3f}",
                f"{1000 * mean([each.seconds_per_kilobyte for each in found]):.3f}",
                f"{mean([each.ratio for each in found]):.1f}",
                str(sum(each.errors for each in found)),
            ]
        )
    return _markdown(table)


def _lines(packages: Packages, name: str) -> list[FigureLine]:
    return [line for found in packages.values() for line in found if line.summary.subject == name]


def _markdown(rows: Sequence[Sequence[str]]) -> str:
    heading, *others = rows
    rule = ["---", *("---:" for _ in heading[1:])]
    return "\n".join(f"| {' | '.join(row)} |" for row in (heading, rule, *others))
