"""F1 against the number of training sources, as the paper's figure 2 (section 7.3)."""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from winnow.evaluation.labelling import LabelledEntries, labelled, source_of
from winnow.evaluation.mss.folds import articles, opened, scored
from winnow.evaluation.packages import Package, PackageEntry
from winnow.evaluation.reporting.line_chart import from_tenth, line_chart
from winnow.evaluation.statistic import mean
from winnow.evaluation.tables import aligned
from winnow.extractors.mss.mss_training import Training

MOST: Final = 12
SEED: Final = 2009
NAMES: Final = ("simple-mss", "mss", "mss:shapes=true")


def report(packages: Sequence[Package], arguments: argparse.Namespace) -> str:
    """Mean word F1 on the pages of all sites that a training did not see, by number of sources."""
    entries = [
        entry
        for _, entry in articles(packages)
        if entry.meta.get("language") == arguments.language or not arguments.language
    ]
    sources = sorted({source_of(entry) for entry in entries})
    common = _common(entries)
    parts = {source: Training(common) for source in sources}
    for page in labelled(entries):
        _add(parts, page)
    scores = [
        _scores(entries, parts, count, arguments.subsets)
        for count in range(1, min(MOST, len(sources) - 1) + 1)
    ]
    if arguments.svg is not None:
        arguments.svg.write_text(_chart(scores) + "\n", encoding="utf-8")
    lines = [
        (str(count), *(f"{value:.1f}" for value in values))
        for count, values in enumerate(scores, 1)
    ]
    return aligned(("sources", *NAMES), lines, 1)


def _chart(scores: Sequence[Sequence[float]]) -> str:
    lines = {
        name: dict(enumerate(values, 1))
        for name, values in zip(NAMES, zip(*scores, strict=True), strict=True)
    }
    title = "Word F1 against the number of training sources"
    return line_chart(lines, title, "sources", from_tenth(lines, 100.0, ".0f"))


def _common(entries: Sequence[PackageEntry]) -> list[str]:
    """The common tags are found once, in all pages, so that one source can be learned from."""
    training = Training()
    for page in labelled(entries):
        if page.example is not None:
            training.add(page.example)
    return training.common


def _add(parts: dict[str, Training], page: LabelledEntries) -> None:
    if page.example is not None:
        parts[source_of(page.entry)].add(page.example)


def _scores(
    entries: Sequence[PackageEntry], parts: dict[str, Training], count: int, subsets: int
) -> list[float]:
    draw = random.Random(SEED + count)  # noqa: S311  # an experiment is to be repeated, not secret
    found: dict[str, list[float]] = {name: [] for name in NAMES}
    for _ in range(subsets):
        chosen = draw.sample(sorted(parts), count)
        with TemporaryDirectory() as folder:
            training = Training.merged(parts[source] for source in chosen)
            extractors = opened(NAMES, training, Path(folder))
            for entry in entries:
                if source_of(entry) not in chosen:
                    for result in scored("", entry, extractors):
                        found[result.extractor].append(result.score.f1)
    return [100 * mean(values) for values in found.values()]
