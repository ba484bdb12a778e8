"""Labelled pages to a model, in one pass that keeps counts only (section 6.2.3 and 6.2.5)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from winnow.document.document import Document
from winnow.document.parsing import tags
from winnow.extractors.errors import ModelError
from winnow.extractors.mss.counts import Tally, TallySum
from winnow.extractors.mss.hash_table import ExactTable, Floats, HashTable
from winnow.extractors.mss.mss_model import MssModel
from winnow.extractors.mss.open_tags import OpenTags, plain_odds
from winnow.extractors.mss.stems import Mask
from winnow.extractors.mss.token_features import features

Numbers = npt.NDArray[np.integer]

SMOOTHING: Final = 0.03
"""Pseudo-counts that a feature is given, shared as the tokens are: an unseen one stays neutral."""
BITS: Final[Mapping[str, int]] = {"trigrams": 21, "unigrams": 17, "shapes": 16}
"""Sizes of the tables: 2**bits entries of two bytes."""
SEVERAL: Final = "*"
COUNTS: Final = "counts"
"""The folder of the counts beside a model, which --update and plain counts need."""
_STATE: Final = "counts.json"


@dataclass(frozen=True, slots=True, eq=False)
class MssExample:
    """A labelled page: tokens ``[first, last)`` are its main content; ``source`` is its site."""

    document: Document
    first: int
    last: int
    source: str


class Training:
    """Counts that grow page by page and can become a model at any time.

    A tag is common once pages of two sources had it; until then it is counted as unknown. Given a
    list ``common`` (names), that list holds from the first page on. ``origin``: notes on the
    training pages, stored with the counts.
    """

    def __init__(self, common: Iterable[str] | None = None) -> None:
        self.pages = 0
        self.origin: list[Any] = []
        self.tokens = np.zeros(2, dtype=np.int64)
        self._sums = {name: TallySum() for name in BITS}
        self._open = OpenTags()
        self._sources: dict[str, str] = dict.fromkeys(common or (), SEVERAL)
        self._tags_fixed = common is not None

    def add(self, example: MssExample) -> None:
        """Count one page."""
        if not self._tags_fixed:
            self._add_tags(example)
        found = features(example.document, self._common())
        inside = np.zeros(len(found.unigrams), dtype=bool)
        inside[example.first : example.last] = True
        for name, keys in (
            ("trigrams", found.trigrams),
            ("unigrams", found.unigrams),
            ("shapes", found.shapes()),
        ):
            self._sums[name].add(Tally.of(keys, inside))
        self._open.add(found.open, inside, example.source)
        self.tokens += (inside.sum(), (~inside).sum())
        self.pages += 1

    def model(self, notes: Mapping[str, Any], bits: Mapping[str, int] = BITS) -> MssModel:
        """The classifier that the counts amount to. Raises ModelError where a side has no token."""
        if not self.tokens.all():
            raise ModelError("There is no page with text inside and outside: add pages to train.")
        counts = {"pages": self.pages, "tokens": self.tokens.tolist(), "smoothing": SMOOTHING}
        distinct = {f"distinct_{name}": len(each.total()) for name, each in self._sums.items()}
        trigrams, unigrams, shapes = (self._table(name, bits[name]) for name in BITS)
        return MssModel.of(
            (trigrams, unigrams, shapes),
            self._open.odds(self._common()),
            float(np.log(self.tokens[0] / self.tokens[1])),
            {**notes, **counts, **distinct},
        )

    def plain_model(self) -> MssModel:
        """The classifier of the plain counts: nothing is smoothed, shrunk or quantised.

        What stood on one side alone is certain: infinite log-odds. Raises ModelError as ``model``.
        """
        if not self.tokens.all():
            raise ModelError("There is no page with text inside and outside: add pages to train.")
        trigrams, unigrams, shapes = (self._plain_table(name) for name in BITS)
        prior = float(np.log(self.tokens[0] / self.tokens[1]))
        odds = self._open.plain_odds(self._common())
        return MssModel.of((trigrams, unigrams, shapes), odds, prior, {"pages": self.pages})

    @classmethod
    def merged(cls, parts: Iterable[Training]) -> Training:
        """The sum of all parts, none changed."""
        training = cls()
        for part in parts:
            training.pages += part.pages
            training.origin += part.origin
            training.tokens = training.tokens + part.tokens
            training._tags_fixed |= part._tags_fixed
            training._open = training._open.merged(part._open)
            for name, each in training._sums.items():
                each.add(part._sums[name].total())
            for name, source in part._sources.items():
                training._add_source(name, source)
        return training

    @property
    def common(self) -> list[str]:
        """The names of the tags that more than one source has."""
        return [tags.NAMES[code] for code in np.flatnonzero(self._common())]

    def save(self, folder: Path) -> None:
        """Write the counts, so that training can go on later."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, each in self._sums.items():
            each.total().save(folder, name)
        state = {
            "pages": self.pages,
            "origin": self.origin,
            "tokens": self.tokens.tolist(),
            "sources": self._sources,
            "fixed": self._tags_fixed,
            "open": self._open.as_json(),
        }
        (folder / _STATE).write_text(json.dumps(state), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Training:
        """Go on from saved counts. Raises ModelError where there are none."""
        training = cls()
        try:
            state = json.loads((folder / _STATE).read_bytes())
            training._sums = {name: TallySum(Tally.load(folder, name)) for name in BITS}
        except (OSError, ValueError) as error:
            raise ModelError(
                f"{folder} holds no counts ({error}): train without --update."
            ) from error
        training.pages, training.origin, training._sources = (
            state["pages"],
            state["origin"],
            state["sources"],
        )
        training._tags_fixed, training.tokens = (
            state["fixed"],
            np.array(state["tokens"], dtype=np.int64),
        )
        training._open = OpenTags.from_json(state["open"])
        return training

    def _add_tags(self, example: MssExample) -> None:
        for code in np.unique(example.document.elements.tag).tolist():
            if name := tags.NAMES[code]:
                self._add_source(name, example.source)

    def _add_source(self, name: str, source: str) -> None:
        if self._sources.setdefault(name, source) != source:
            self._sources[name] = SEVERAL

    def _common(self) -> Mask:
        common = np.zeros(len(tags.NAMES), dtype=bool)
        for name, source in self._sources.items():
            common[tags.CODES.get(name, 0)] |= source == SEVERAL
        common[0] = False
        return common

    def _plain_table(self, name: str) -> ExactTable:
        tally = self._sums[name].total()
        return ExactTable(tally.keys, plain_odds(tally.inside, tally.outside, self.tokens))

    def _table(self, name: str, bits: int) -> HashTable:
        """The most informative features first: where the table is full, rare and neutral ones
        go."""
        tally = self._sums[name].total()
        odds = self._odds(tally.inside, tally.outside)
        worth = (tally.inside.astype(np.float32) + tally.outside) * np.abs(odds)
        order = np.argsort(-worth, kind="stable")
        return HashTable.of(tally.keys[order], odds[order], bits)

    def _odds(self, inside: Numbers, outside: Numbers) -> Floats:
        """log P(f | in) / P(f | out), shrunk to 0 as the smoothing says."""
        shares = SMOOTHING * self.tokens / self.tokens.sum()
        odds = np.log((inside + shares[0]) / (outside + shares[1]))
        found: Floats = (odds - np.log(shares[0] / shares[1])).astype(np.float32)
        return found


@lru_cache(maxsize=2)
def plain_model(folder: str) -> MssModel:
    """The classifier of the plain counts beside a model; the shipped one has none.

    Raises ModelError, or ValueError for no folder.
    """
    if not folder:
        raise ValueError(
            "the shipped model has no counts; make some with `winnow train mss PACKAGE... --out "
            "DIR` and name them, paper=true,model=DIR"
        )
    return Training.load(Path(folder) / COUNTS).plain_model()
