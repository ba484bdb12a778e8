"""The report as one HTML file: sections, a row a page, and each page's view packed beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

from winnow.evaluation.gold.packages import PackageEntry
from winnow.evaluation.measuring.statistic import mean
from winnow.evaluation.reporting.figures import (
    WORD,
    bar_of,
    chart_section,
    grouped,
    summary_section,
    type_section,
)
from winnow.evaluation.reporting.views import packed_view
from winnow.evaluation.running.runs import ResultRow

_HERE = Path(__file__).parent
Key = tuple[str, str]


def write(
    path: Path,
    rows: Sequence[ResultRow],
    entries: Iterable[tuple[str, PackageEntry]],
    remarks: Sequence[str] = (),
) -> None:
    """Write the report; ``entries`` are the pages to view, with their packages' names; ``remarks``
    are sentences for the reader of the figures.

    Entries are read one at a time, so that a report of any size needs the memory of one view.
    """
    with path.open("w", encoding="utf-8") as out:
        out.writelines(_parts(rows, entries, remarks))


def hardest(rows: Sequence[ResultRow], count: int) -> set[Key]:
    """The ``count`` pages of each package that the subjects together do worst on."""
    found: dict[str, list[tuple[float, str]]] = {}
    for (package, page), answers in _pages(rows).items():
        found.setdefault(package, []).append((mean([row.values[WORD] for row in answers]), page))
    return {
        (package, page) for package, ranked in found.items() for _, page in sorted(ranked)[:count]
    }


def _parts(
    rows: Sequence[ResultRow], entries: Iterable[tuple[str, PackageEntry]], remarks: Sequence[str]
) -> Iterator[str]:
    groups = grouped(rows)
    yield _head()
    yield "<main><h1>How well the main content was found</h1>"
    yield _introduction(rows)
    yield from (f"<p><strong>{escape(remark)}</strong></p>" for remark in remarks)
    yield from _section("Summary", summary_section(groups))
    yield from _section("Charts", chart_section(groups))
    yield from _section("Page types", type_section(groups))
    pages = _pages(rows)
    yield from _section("Pages", _page_table(pages, _subjects(rows)))
    yield "</main>" + _dialog()
    numbers = {key: number for number, key in enumerate(pages)}
    for package, entry in entries:
        number = numbers[package, entry.id]
        texts = {row.subject: row.text for row in pages[package, entry.id]}
        view = packed_view(entry.gold, texts)
        yield f'<script type="text/plain" id="view{number}">{view}</script>\n'
    yield f"<script>{(_HERE / 'report.js').read_text('utf-8')}</script></body></html>"


def _head() -> str:
    style = (_HERE / "report.css").read_text("utf-8")
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Content extraction, measured</title><style>{style}</style></head><body>"
    )


def _introduction(rows: Sequence[ResultRow]) -> str:
    packages, subjects = len({row.package for row in rows}), len(_subjects(rows))
    return (
        f"<p>{len(rows)} answers of {subjects} subjects on {packages} "
        f"{'package' if packages == 1 else 'packages'}. "
        "<b>Word F1</b>: bags of lower-cased words, each page by itself, then the mean. ± is half "
        "of a 95 % interval (bootstrap over pages; differences over the same pages for both). "
        "<b>× parse</b>: time in bare lexbor parses of the same pages: CPU time for extractors, "
        "peers and programs, wall-clock time through a proxy. A failed page counts as an empty "
        "answer.</p>"
    )


def _section(title: str, parts: Iterable[str]) -> Iterator[str]:
    yield f"<section><h2>{title}</h2>"
    yield from parts
    yield "</section>"


def _subjects(rows: Sequence[ResultRow]) -> list[str]:
    return list(dict.fromkeys(row.subject for row in rows))


def _pages(rows: Sequence[ResultRow]) -> dict[Key, list[ResultRow]]:
    found: dict[Key, list[ResultRow]] = {}
    for row in rows:
        found.setdefault((row.package, row.page), []).append(row)
    return found


def _page_table(pages: Mapping[Key, Sequence[ResultRow]], subjects: Sequence[str]) -> Iterator[str]:
    names = ("page", "package", "type", "kB", *subjects)
    packages = dict.fromkeys(package for package, _ in pages)
    options = "".join(f"<option>{escape(name)}</option>" for name in packages)
    yield f'<p><label>Package <select id="package"><option value="">all</option>{options}</select>'
    yield '</label> <label>Page <input id="filter" type="search"></label> A heading sorts.</p>'
    head = "".join(
        f'<th scope="col"><button type="button">{escape(name)}</button></th>' for name in names
    )
    yield f'<div class="wide"><table id="pages"><thead><tr>{head}</tr></thead><tbody>'
    for number, ((package, page), rows) in enumerate(pages.items()):
        yield _page_row(number, package, page, rows, subjects)
    yield "</tbody></table></div>"


def _page_row(
    number: int, package: str, page: str, rows: Sequence[ResultRow], subjects: Sequence[str]
) -> str:
    by_subject = {row.subject: row for row in rows}
    opener = f'<button type="button" data-view="{number}">{escape(page)}</button>'
    cells = "".join(_score_cell(by_subject.get(name)) for name in subjects)
    about = f"<td>{escape(package)}</td><td>{escape(rows[0].page_type)}</td>"
    return f'<tr><th scope="row">{opener}</th>{about}<td>{rows[0].kilobytes:.0f}</td>{cells}</tr>\n'


def _score_cell(row: ResultRow | None) -> str:
    if row is None:
        return "<td></td>"
    if row.error:
        return f'<td class="error" title="{escape(row.error)}">failed</td>'
    return f"<td>{bar_of(row.values[WORD])}</td>"


def _dialog() -> str:
    return (
        '<dialog id="view" aria-labelledby="view-title"><header><h2 id="view-title"></h2>'
        '<label>Subject <select id="subject"></select></label>'
        '<button type="button" id="previous">Previous</button>'
        '<button type="button" id="next">Next</button>'
        '<button type="button" id="close">Close</button></header>'
        '<p id="note" role="status"></p><div class="sides">'
        '<section aria-label="Gold"><h3>Gold, with <del>what was missed</del></h3>'
        '<div id="gold" class="text"></div></section>'
        '<section aria-label="Output"><h3>Output, with <ins>what was added</ins></h3>'
        '<div id="output" class="text"></div></section></div></dialog>'
    )
