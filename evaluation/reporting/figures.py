"""The numbers of a report: tables with intervals and differences, and its charts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from winnow.evaluation.measuring.statistic import Estimate, bootstrap, bootstrap_shingles, paired
from winnow.evaluation.reporting.charts import Point, bars, scatter
from winnow.evaluation.reporting.svg import element
from winnow.evaluation.running.runs import ResultRow, Summary, by_type, summarise

WORD = "word.f1"
ITEMS = {"Str": "characters.f1", "Seq": "sequence.f1", "Vec": WORD, "Set": "set.f1"}
"""Gottron's four measures as his figure 1 labels them."""

_HEADING = (
    *("subject", "word F1", "behind the best", "P", "R", "dev", "ms/page", "× parse", "errors"),
)
_SHINGLES = "shingles.f1"
_MORE = {
    _SHINGLES: "shingles",
    "title.f1": "title",
    "heading.f1": "heading",
    "body.f1": "body",
    "voice.start": "s before content",
}
_BARS = 54  # in one chart, at most: more would be too small to read
Groups = Mapping[str, Mapping[str, Sequence[ResultRow]]]


@dataclass(frozen=True, slots=True)
class FigureLine:
    """A subject on a package: its summary, word F1 with interval, and how far behind the best."""

    summary: Summary
    estimate: Estimate
    behind: Estimate | None


def grouped(rows: Sequence[ResultRow]) -> dict[str, dict[str, list[ResultRow]]]:
    """Rows by package, then by subject, in the order of their first."""
    found: dict[str, dict[str, list[ResultRow]]] = {}
    for row in rows:
        found.setdefault(row.package, {}).setdefault(row.subject, []).append(row)
    return found


def lines(subjects: Mapping[str, Sequence[ResultRow]]) -> list[FigureLine]:
    """One package's subjects, the best first."""
    by_page = {
        name: {row.page: row.values[WORD] for row in rows} for name, rows in subjects.items()
    }
    ranked = sorted(subjects, key=lambda name: -summarise(subjects[name]).values[WORD])
    best = by_page[ranked[0]]
    return [
        FigureLine(
            summarise(subjects[name]),
            bootstrap(list(by_page[name].values())),
            paired(by_page[name], best) if name != ranked[0] else None,
        )
        for name in ranked
    ]


def summary_section(groups: Groups) -> Iterator[str]:
    """A table for each package."""
    for package, subjects in groups.items():
        pages = max(len(rows) for rows in subjects.values())
        yield f"<h3>{escape(package)} <small>{pages} pages</small></h3>"
        ranked = lines(subjects)
        more = [name for name in _MORE if any(name in line.summary.values for line in ranked)]
        cells = [
            (*_summary_cells(line), *_more_cells(line, subjects[line.summary.subject], more))
            for line in ranked
        ]
        yield table((*_HEADING, *(_MORE[name] for name in more)), cells)


def chart_section(groups: Groups) -> Iterator[str]:
    """Figures 1 to 3 of the paper, and accuracy against cost."""
    names = list(dict.fromkeys(name for subjects in groups.values() for name in subjects))
    summaries = {
        package: {name: summarise(rows) for name, rows in subjects.items()}
        for package, subjects in groups.items()
    }
    values = list(_values(summaries, WORD).items())
    across = max(_BARS // len(names), 1)
    for start in range(0, len(values), across):
        some = dict(values[start : start + across])
        yield bars("Word F1 by package", some, names=names)
    for package, found in summaries.items():
        yield f"<h3>{escape(package)}</h3>"
        yield from _package_charts(found, names)


def type_section(groups: Groups) -> Iterator[str]:
    """Word F1 by page type, where the package has types."""
    for package, subjects in groups.items():
        types = {
            name: {found.page_type: found for found in by_type(rows)}
            for name, rows in subjects.items()
        }
        types_found = sorted({kind for found in types.values() for kind in found})
        if types_found:
            yield f"<h3>{escape(package)}</h3>"
            yield bars("Word F1 by page type", _by_type(types, types_found))
            yield table(
                ("subject", *types_found),
                [_type_cells(name, found, types_found) for name, found in types.items()],
            )


def table(heading: Sequence[str], cells: Sequence[Sequence[str]]) -> str:
    """A table whose first column names the row; cells are text, not markup."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in heading)
    body = "".join(
        f'<tr><th scope="row">{escape(first)}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in rest)
        + "</tr>"
        for first, *rest in cells
    )
    inside = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f'<div class="wide"><table>{inside}</table></div>'


def _package_charts(found: Mapping[str, Summary], names: Sequence[str]) -> Iterator[str]:
    number = {name: index for index, name in enumerate(names)}
    if all("characters.f1" in summary.values for summary in found.values()):
        yield bars("F1 by measure", _by_item(found))
    exact = [
        Point(name, each.values["word.recall"], each.values["word.precision"], number[name])
        for name, each in found.items()
    ]
    yield scatter("Precision against recall", exact, "recall", "precision")
    timed = [
        Point(name, each.ratio, each.values[WORD], number[name])
        for name, each in found.items()
        if each.ratio
    ]
    if timed:
        title, cost = "Word F1 against cost", "cost in bare parses"
        yield scatter(title, timed, cost, "word F1", logarithmic=True)
    yield bars(
        "Deviation of word F1",
        {"": {name: each.deviation for name, each in found.items()}},
    )
    yield bars(
        "Milliseconds per kB",
        {"": {name: 1000 * each.seconds_per_kilobyte for name, each in found.items()}},
        " ms/kB",
    )


def _values(
    summaries: Mapping[str, Mapping[str, Summary]], value: str
) -> dict[str, dict[str, float]]:
    return {
        package: {name: each.values[value] for name, each in found.items()}
        for package, found in summaries.items()
    }


def _by_item(found: Mapping[str, Summary]) -> dict[str, dict[str, float]]:
    return {
        name: {item: each.values[value] for item, value in ITEMS.items() if value in each.values}
        for name, each in found.items()
    }


def _by_type(
    types: Mapping[str, Mapping[str, Summary]], types_found: Sequence[str]
) -> dict[str, dict[str, float]]:
    return {
        kind: {name: found[kind].values[WORD] for name, found in types.items() if kind in found}
        for kind in types_found
    }


def _summary_cells(line: FigureLine) -> tuple[str, ...]:
    summary, behind = line.summary, line.behind
    return (
        summary.subject,
        f"{line.estimate.mean:.3f} ± {line.estimate.plus_minus:.3f}",
        f"{behind.mean:+.3f} ± {behind.plus_minus:.3f}" if behind else "the best",
        f"{summary.values['word.precision']:.3f}",
        f"{summary.values['word.recall']:.3f}",
        f"{summary.deviation:.3f}",
        f"{summary.milliseconds:.2f}",
        f"{summary.ratio:.1f}",
        str(summary.errors),
    )


def _more_cells(line: FigureLine, rows: Sequence[ResultRow], names: Sequence[str]) -> Iterator[str]:
    for name in names:
        value = line.summary.values.get(name)
        if value is None:
            yield ""
        elif name == _SHINGLES:
            sure = bootstrap_shingles([row.values for row in rows])
            yield f"{value:.3f} ± {sure.plus_minus:.3f}"
        else:
            yield f"{value:.3f}" if name.endswith(".f1") else f"{value:.1f}"


def _type_cells(
    name: str, found: Mapping[str, Summary], types_found: Sequence[str]
) -> tuple[str, ...]:
    return (
        name,
        *(f"{found[kind].values[WORD]:.3f}" if kind in found else "" for kind in types_found),
    )


def bar_of(value: float) -> str:
    """A small bar behind a number, so that a column is read at a glance."""
    return element("span", f"{value:.3f}", class_="bar", style=f"--share: {100 * value:.0f}%")
