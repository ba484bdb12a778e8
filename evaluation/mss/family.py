"""``winnow evaluate --family mss``: the family over all packages beside the paper's figures."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from winnow.evaluation.gold.labelling import of_types
from winnow.evaluation.gold.packages import Package, PackageEntry
from winnow.evaluation.mss.folds import TYPES, fold_of, trained, without
from winnow.evaluation.mss.page_scores import ALONE, SITE, Sat, Sitting, groups, lose, sit
from winnow.evaluation.running.process_pool import spread
from winnow.evaluation.running.progress import watched
from winnow.extractors.mss.mss_model import load_model
from winnow.extractors.registry import make

PACKAGES: Final = (
    *("newspaper4k-424", "fundus-publishers", "wcxb-dev", "big9-2005-2013", "daniel-sites"),
    *("cleaneval-dev", "canola", "zh-69"),
)
"""What is measured where no package is named."""
FOLDS: Final = 5
JOURNAL: Final = "unfinished-family.jsonl"
_VERSION: Final = "1"
"""Another one where the same page and methods would be scored otherwise."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A page and what every method made of it."""

    package: str
    sat: Sat


@dataclass(frozen=True, slots=True)
class FamilyPlan:
    """What is to be done: every ``every``-th article, on ``workers`` processes.

    ``folder``: where an unfinished run is noted, to go on from; None: nowhere.
    """

    packages: Sequence[Package]
    every: int = 1
    workers: int = 1
    folds: int = FOLDS
    folder: Path | None = None

    @property
    def learned(self) -> list[Package]:
        """The packages that the shipped model was trained on: they need models of their own."""
        names = {str(note["name"]) for note in load_model().manifest["packages"]}
        return [package for package in self.packages if package.name in names]


def scored(plan: FamilyPlan) -> list[Scored]:
    """The results of all pages, in the packages' order."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        models = _models(plan, folder)
        wanted = list(_sittings(plan, models))
        sat = _carried_out([sitting for _, sitting in wanted], plan)
        return [Scored(package, sat[sitting.key]) for package, sitting in wanted]


def _models(plan: FamilyPlan, folder: Path) -> list[str]:
    """A model for each fold, by the articles of all other folds; empty where no fold needs one."""
    if not plan.learned:
        return []
    total = sum(map(len, plan.learned))
    entries = watched(chain.from_iterable(plan.learned), total, "train")
    made = trained(of_types(entries, TYPES), plan.folds)
    for fold in range(plan.folds):
        without(made, fold).model({}).save(folder / str(fold))
    return [str(folder / str(fold)) for fold in range(plan.folds)]


def _sittings(plan: FamilyPlan, models: Sequence[str]) -> Iterator[tuple[str, Sitting]]:
    prints = {model: _fingerprints(model) for model in ("", *models)}
    learned = {package.name for package in plan.learned}
    for package in plan.packages:
        site_of = {page: name for name, pages in groups(package).items() for page in pages}
        for entry in islice(of_types(package, TYPES), 0, None, plan.every):
            model = models[fold_of(entry, plan.folds)] if package.name in learned else ""
            site = site_of.get(entry.id, "")
            key = _digest(package.name, entry, site, prints[model])
            yield package.name, Sitting(package.path, entry.id, model, site, key)


def _fingerprints(model: str) -> str:
    methods = (make(name).fingerprint for name in (*ALONE, SITE))
    return " ".join((load_model(model).digest, *methods))


def _digest(package: str, entry: PackageEntry, site: str, prints: str) -> str:
    text = "\n".join((_VERSION, package, entry.id, site, prints))
    return sha256(text.encode()).hexdigest()[:24]


def _carried_out(wanted: Sequence[Sitting], plan: FamilyPlan) -> Mapping[str, Sat]:
    """Those of an interrupted run are not done again; its journal is removed when all is done."""
    journal = plan.folder / JOURNAL if plan.folder else None
    sat = dict(_recalled(journal))
    left = [sitting for sitting in wanted if sitting.key not in sat]
    done = spread(left, sit, lose, plan.workers)
    with journal.open("a", encoding="utf-8") if journal else nullcontext() as out:
        for each in watched(done, len(left), "pages"):
            sat[each.key] = each
            if out is not None:
                out.write(json.dumps(asdict(each)) + "\n")
                out.flush()
    if journal is not None:
        journal.unlink()
    return sat


def _recalled(journal: Path | None) -> Iterator[tuple[str, Sat]]:
    if journal is None or not journal.exists():
        return
    for line in journal.read_text("utf-8").splitlines():
        try:
            found = Sat(**json.loads(line))
        except (ValueError, TypeError):
            continue  # the line that the interruption cut short: its page is done again
        yield found.key, found
