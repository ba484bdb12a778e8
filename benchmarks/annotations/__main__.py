"""``python -m benchmarks.annotations``: 198 pages of wcxb-dev that two annotators labelled anew.

``table`` prints how far they agree with each other and with the given gold, by page type; ``auto``
how far ``auto`` agrees with each, cross-validated by domain; ``packages`` writes them as packages
for ``winnow evaluate``; ``save`` makes the committed files from what ``/-/annotate`` saved.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks.annotations.offsets import (
    ANNOTATORS,
    DATA,
    annotated,
    digest_of,
    marked,
    read,
    write,
)
from winnow.commands.train_auto import TrainingEntry, training_entries
from winnow.evaluation.conversion.writing import write_package
from winnow.evaluation.errors import PackageError
from winnow.evaluation.measures import word_f1
from winnow.evaluation.packages import Package, PackageEntry, find, load
from winnow.evaluation.statistic import bootstrap
from winnow.evaluation.subjects import text_of_spans
from winnow.evaluation.tables import aligned
from winnow.extractors.auto.auto_extractor import Auto
from winnow.extractors.auto.auto_training import held_out
from winnow.extractors.auto.fitting import AutoTrainingPlan
from winnow.extractors.auto.prediction import PagePrediction

WCXB: Final = "wcxb-dev"
GIVEN: Final = "given gold"
Golds = dict[str, dict[str, PackageEntry]]
"""By annotator, or GIVEN, and by name of the page: the entry with that gold."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what is asked."""
    options = _parser().parse_args(arguments)
    try:
        options.act(options)
    except PackageError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def _table(options: argparse.Namespace) -> None:
    golds = all_golds(load(find(WCXB)))
    pairs = [(ANNOTATORS[0], ANNOTATORS[1]), *((each, GIVEN) for each in ANNOTATORS)]
    columns = {
        f"{one}, {two}": {name: golds[one][name].gold for name in golds[one]} for one, two in pairs
    }
    other = {f"{one}, {two}": golds[two] for one, two in pairs}
    _print(scores_by_type(columns, other, _types(golds)))


def _auto(options: argparse.Namespace) -> None:
    golds = all_golds(load(find(WCXB)))
    entries = list(training_entries([load(find(name)) for name in options.package]))
    found: dict[str, str] = {}

    def score(index: int, prediction: PagePrediction) -> float:
        one = entries[index]
        text = _text(one, prediction)
        if one.package == WCXB and one.entry.id in golds[GIVEN]:
            found[one.entry.id] = text
        return word_f1(text, one.entry.gold).f1

    def say(step: str) -> None:
        sys.stderr.write(step + "\n")

    for _ in held_out([one.example for one in entries], AutoTrainingPlan(), score, say):
        pass  # ``score`` keeps the texts
    texts = {name: found.get(name, "") for name in golds[GIVEN]}
    _print(scores_by_type(dict.fromkeys(golds, texts), golds, _types(golds)))


def _text(one: TrainingEntry, prediction: PagePrediction) -> str:
    extraction = Auto().extraction(one.example.document, prediction)
    return text_of_spans(one.example.document.text, extraction)


def _packages(options: argparse.Namespace) -> None:
    package = load(find(WCXB))
    for name, entries in all_golds(package).items():
        folder = options.out / name.replace(" ", "-")
        write_package(folder, {**package.description, "name": folder.name}, entries.values())


def _save(options: argparse.Namespace) -> None:
    package = load(find(WCXB))
    names = {digest_of(package.page(name).body): name for name in package.ids}
    for annotator in ANNOTATORS:
        saved = load(options.folder / annotator)
        pages = [annotated(names[digest_of(entry.body)], entry) for entry in saved]
        write(DATA / f"{annotator}.json", sorted(pages, key=lambda page: page.name))


def all_golds(package: Package) -> Golds:
    """The pages that both annotated, whose text is today what they saw; says which is not."""
    pages = {who: {page.name: page for page in read(DATA / f"{who}.json")} for who in ANNOTATORS}
    golds: Golds = {who: {} for who in (*ANNOTATORS, GIVEN)}
    for name in sorted(set.intersection(*(set(each) for each in pages.values()))):
        entry = package.entry(name)
        try:
            of_page = {who: marked(pages[who][name], entry) for who in ANNOTATORS}
        except PackageError as error:
            sys.stderr.write(f"Left out: {error}\n")
            continue
        for who, found in {**of_page, GIVEN: entry}.items():
            golds[who][name] = found
    return golds


def _types(golds: Golds) -> dict[str, str]:
    return {name: entry.page_type or "" for name, entry in golds[GIVEN].items()}


def scores_by_type(
    texts: Mapping[str, Mapping[str, str]],
    golds: Mapping[str, Mapping[str, PackageEntry]],
    types: Mapping[str, str],
) -> list[list[str]]:
    """A row for all pages and one for each type: pages, then each column's word F1."""
    names = defaultdict(list)
    for name, kind in types.items():
        names["all"].append(name)
        names[kind].append(name)
    rows = [["pages of", "count", *texts]]
    for kind in sorted(names, key=lambda each: (each != "all", each)):
        of_kind = names[kind]
        columns = (
            [word_f1(texts[column][name], golds[column][name].gold).f1 for name in of_kind]
            for column in texts
        )
        estimates = [bootstrap(values) for values in columns]
        cells = [f"{each.mean:.3f} ± {each.plus_minus:.3f}" for each in estimates]
        rows.append([kind, str(len(of_kind)), *cells])
    return rows


def _print(rows: list[list[str]]) -> None:
    sys.stdout.write(aligned(rows[0], rows[1:], 1) + "\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchmarks.annotations", description=__doc__)
    acts = parser.add_subparsers(required=True)
    acts.add_parser("table").set_defaults(act=_table)
    auto = acts.add_parser("auto", help="trains five times: a quarter of an hour")
    auto.add_argument("package", nargs="+", help="those that auto is trained on")
    auto.set_defaults(act=_auto)
    packages = acts.add_parser("packages")
    packages.add_argument("out", type=Path, help="a folder for the packages")
    packages.set_defaults(act=_packages)
    save = acts.add_parser("save")
    save.add_argument("folder", type=Path, help="annotation.folder")
    save.set_defaults(act=_save)
    return parser


if __name__ == "__main__":
    sys.exit(main())
