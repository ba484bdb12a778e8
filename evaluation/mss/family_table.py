"""The family's table: a line for each method and package, the paper's own lines beneath."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from winnow.evaluation.measuring.statistic import mean
from winnow.evaluation.mss.family import FamilyPlan, Scored
from winnow.evaluation.mss.page_scores import ALONE, ANSWERS, LEAST, METHODS, Values
from winnow.evaluation.mss.published_scores import PUBLISHED, Published
from winnow.evaluation.reporting.tables import aligned

HEADING: Final = (
    *("method", "pages of", "pages", "word F1", "P", "R"),
    *("short", "P", "R", "best", "text-only"),
)
_COLUMNS: Final = (
    *("word.f1", "word.precision", "word.recall"),
    *("sequence.f1", "sequence.precision", "sequence.recall", "best.f1", "cleaneval"),
)
_NONE: Final = "-"
_ALL: Final = "all of these"


def family_table(plan: FamilyPlan, results: Sequence[Scored]) -> str:
    """The table in %, with notes beneath it."""
    packages = [package.name for package in plan.packages]
    lines = [line for method in METHODS for line in _lines(method, packages, results)]
    return "\n".join((aligned(HEADING, lines, 2), "", *_notes(plan, results)))


def _lines(
    method: str, packages: Sequence[str], results: Sequence[Scored]
) -> Iterator[Sequence[str]]:
    found = {
        name: [
            each.sat.values[method]
            for each in results
            if each.package == name and method in each.sat.values
        ]
        for name in packages
    }
    for name in packages:
        yield _line(method, name, found[name])
    if len(packages) > 1:
        yield _line(method, _ALL, [values for name in packages for values in found[name]])
    for published in PUBLISHED:
        if published.method == method:
            yield _published(published)


def _line(method: str, name: str, values: Sequence[Values]) -> Sequence[str]:
    if not values:
        return (method, name, *(_NONE for _ in HEADING[2:]))
    means = (mean([each[column] for each in values]) for column in _COLUMNS)
    return (method, name, str(len(values)), *(f"{100 * value:.1f}" for value in means))


def _published(published: Published) -> Sequence[str]:
    numbers = (
        *(published.bag, published.bag_precision, published.bag_recall),
        *(
            published.short,
            published.precision,
            published.recall,
            published.best,
            published.text_only,
        ),
    )
    cells = (_NONE if number is None else f"{number:.1f}" for number in numbers)
    return (published.method, f"the paper, {published.data}", str(published.pages), *cells)


def _notes(plan: FamilyPlan, results: Sequence[Scored]) -> Iterator[str]:
    if plan.every > 1:
        yield f"A sample: one article in {plan.every} of each package."
    yield (
        "word: bags of words. short: words in order (longest common subsequence) against the main "
        "text alone,\nbest: against the best right answer, which may begin at the headline or a "
        "byline and end with one."
    )
    if plan.learned:
        names = ", ".join(package.name for package in plan.learned)
        yield (
            f"{names}: scored by models that saw no "
            f"page of the same site\n({plan.folds} folds); all others by the shipped model."
        )
    for package in plan.packages:
        yield _of_package(package.name, [each for each in results if each.package == package.name])


def _of_package(name: str, results: Sequence[Scored]) -> str:
    sat = [each.sat.values for each in results if each.sat.values]
    several = sum(values[ALONE[0]][ANSWERS] > 1 for values in sat)
    grouped = sum(len(values) > len(ALONE) for values in sat)
    cells = [
        f"{several} of {len(sat)} pages have other right answers"
        if several
        else "best is short, as no page names a headline or byline that is found",
        f"mss-site applies to {grouped} pages, whose site has more than {LEAST}"
        if grouped
        else f"mss-site does not apply: no site of these has more than {LEAST} pages",
    ]
    lost = [f"{each.sat.error}" for each in results if each.sat.error]
    cells += [f"{len(lost)} pages could not be scored ({lost[0]})"] if lost else []
    return f"{name}: {'; '.join(cells)}."
