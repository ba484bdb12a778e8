"""Training and testing apart: pages of one site are never on both sides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from winnow.document.document import Document
from winnow.document.values import Page
from winnow.evaluation.gold.labelling import labelled, of_types, source_of
from winnow.evaluation.gold.packages import Package, PackageEntry
from winnow.evaluation.measuring.measures import Score, word_f1
from winnow.evaluation.subjects.subject import text_of_spans
from winnow.extractors.extractor_protocol import Extractor
from winnow.extractors.mss.mss_training import BITS, Training
from winnow.extractors.registry import make

TYPES = ("article",)


@dataclass(frozen=True, slots=True)
class Result:
    """What one extractor made of one page."""

    package: str
    site: str
    extractor: str
    score: Score


def fold_of(entry: PackageEntry, folds: int) -> int:
    """The same for all pages of a site, on every machine."""
    return crc32(source_of(entry).encode()) % folds


def articles(packages: Sequence[Package]) -> Iterator[tuple[str, PackageEntry]]:
    """Package name and entry of every article."""
    for package in packages:
        for entry in of_types(package, TYPES):
            yield package.name, entry


def trained(entries: Iterable[PackageEntry], folds: int) -> list[Training]:
    """A training for each fold, in one pass over the pages."""
    made = [Training() for _ in range(folds)]
    for page in labelled(entries):
        if page.example is not None:
            made[fold_of(page.entry, folds)].add(page.example)
    return made


def without(trainings: Sequence[Training], fold: int) -> Training:
    """The training of all folds but one."""
    return Training.merged(each for index, each in enumerate(trainings) if index != fold)


def opened(
    specifications: Iterable[str],
    training: Training,
    folder: Path,
    bits: Mapping[str, int] = BITS,
) -> dict[str, Extractor]:
    """The extractors of the family with a model of this training; others as they are."""
    training.model({}, bits).save(folder)
    return {name: make(with_model(name, folder)) for name in specifications}


def with_model(name: str, folder: Path | str) -> str:
    """The specification with a model of its own, if it can have one and a folder is named."""
    if not folder or not name.startswith("mss"):
        return name
    return f"{name}{',' if ':' in name else ':'}model={folder}"


def scored(
    package: str, entry: PackageEntry, extractors: Mapping[str, Extractor]
) -> Iterator[Result]:
    """Each extractor's word score on a page, which is parsed once."""
    document = Document.parse(Page(entry.body, entry.url))
    for name, extractor in extractors.items():
        text = text_of_spans(document.text, extractor.extract(document))
        yield Result(package, source_of(entry), name, word_f1(text, entry.gold))
