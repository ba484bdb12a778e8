"""``python -m benchmarks.papers``: writes docs/papers.md, every row of the papers beside ours.

The rows stand in figures_data/papers.toml. ``--measure`` first measures those anew that name
``methods`` and ``packages`` (folders below $WINNOW_PACKAGES), and writes what they reach there.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import fill
from typing import Any, Final

import tomlkit

from winnow.evaluation.gold.packages import find, load
from winnow.evaluation.running.runs import summarise
from winnow.evaluation.running.task_runner import run_tasks, tasks
from winnow.evaluation.subjects.subject_specs import Spec, SubjectKind

ROWS: Final = Path(__file__).parent / "figures_data" / "papers.toml"
PAGES: Final = 100
"""Of a package, evenly spaced."""
PAGE: Final = Path(__file__).parents[1] / "docs" / "papers.md"
_HEAD: Final = """# The papers, row by row

What each paper prints of its results, what is reached here, by which command, and why it differs.
F1 and text-only scores are in % where the paper has them so, else shares. `python -m
benchmarks.papers` writes this page; with `--measure` it first measures the rows that say so.
Several methods are in the order of the packages.
"""


def page(papers: Mapping[str, Any]) -> str:
    """The document."""
    return "\n".join([_HEAD, *(line for paper in papers["paper"] for line in _table(paper))])


def _table(paper: Mapping[str, Any]) -> Iterator[str]:
    about = f"{paper['about']} ([{paper['document']}]({paper['document']}))."
    yield f"## {paper['title']}\n\n{fill(about, 118)}\n"
    yield "| row | the paper | reached | by | why it differs |\n|---|---|---|---|---|"
    for row in paper["row"]:
        measured_on = f"`--measure`: at most {PAGES} pages of {', '.join(row.get('packages', ()))}"
        by = row.get("command", measured_on)
        yield f"| {row['what']} | {row['asked']} | {row['reached']} | {by} | {row['why']} |"
    yield ""


def measured(row: Mapping[str, Any]) -> str:
    """The means of a row's methods by its values on each package, in %."""
    specs = [Spec(SubjectKind.EXTRACTOR, str(name)) for name in row["methods"]]
    measures = tuple(value.partition(".")[0] for value in row["values"])
    packages = [load(find(name)) for name in row["packages"]]
    done = run_tasks(tasks(packages, specs, measures, limit=PAGES), os.cpu_count() or 1)
    cells = (
        summarise([one for one in done if (one.package, one.subject) == (package.name, spec.name)])
        for package in packages
        for spec in specs
    )
    return "; ".join(
        f"{cell.subject} {' / '.join(f'{100 * cell.values[name]:.1f}' for name in row['values'])}"
        for cell in cells
    )


def main() -> None:
    """Write the page, and with ``--measure`` the rows."""
    papers = tomlkit.parse(ROWS.read_text("utf-8"))
    if "--measure" in sys.argv[1:]:
        for row in (row for paper in papers["paper"] for row in paper["row"] if "methods" in row):
            row["reached"] = measured(row)
        ROWS.write_text(tomlkit.dumps(papers), "utf-8")
    PAGE.write_text(page(papers), "utf-8")


if __name__ == "__main__":
    main()
