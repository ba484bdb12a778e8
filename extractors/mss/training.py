"""Labelled pages to a model, in one pass that keeps counts only (section 6.2.3 and 6.2.5).

Knows features and labels; refuses to know gold texts and packages: who trains aligns them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from document import tags
from document.document import Document
from extractors.errors import ModelError
from extractors.mss.counts import Pile, Tally
from extractors.mss.features import features
from extractors.mss.model import Model
from extractors.mss.stems import Mask
from extractors.mss.table import Floats, Table

Numbers = npt.NDArray[np.integer]

SMOOTHING: Final = 0.03
"""Pseudo-counts that a feature is given, shared as the tokens are: an unseen one stays neutral."""
BITS: Final = 21
UNIGRAM_BITS: Final = 17
SEVERAL: Final = "*"


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A labelled page: tokens ``[first, last)`` are its main content; ``source`` is its site."""

    document: Document
    first: int
    last: int
    source: str


class Training:
    """Counts that grow page by page and can become a model at any time.

    A tag is common once pages of two sources had it; until then it is counted as unknown. Given a
    list ``common`` (names), that list holds from the first page on. ``origin``: notes on what was
    learned from, kept with the counts.
    """

    def __init__(self, common: Iterable[str] | None = None) -> None:
        self.pages = 0
        self.origin: list[Any] = []
        self.tokens = np.zeros(2, dtype=np.int64)
        self._trigrams, self._unigrams = Pile(), Pile()
        self._open = np.zeros((len(tags.NAMES), 2), dtype=np.int64)
        self._sources: dict[str, str] = dict.fromkeys(common or (), SEVERAL)
        self._fixed = common is not None

    def add(self, example: Example) -> None:
        """Count one page."""
        if not self._fixed:
            self._note_tags(example)
        seen = features(example.document, self._common())
        inside = np.zeros(len(seen.unigrams), dtype=bool)
        inside[example.first : example.last] = True
        self._trigrams.add(Tally.of(seen.trigrams, inside))
        self._unigrams.add(Tally.of(seen.unigrams, inside))
        for column, chosen in enumerate((inside, ~inside)):
            self._open[:, column] += np.bincount(seen.open[chosen], minlength=len(tags.NAMES))
            self.tokens[column] += chosen.sum()
        self.pages += 1

    def model(
        self, notes: Mapping[str, Any], bits: int = BITS, smoothing: float = SMOOTHING
    ) -> Model:
        """The classifier that the counts amount to. Raises ModelError where a side has no token."""
        if not self.tokens.all():
            raise ModelError("There is no page with text inside and outside: add pages to train.")
        trigrams, unigrams = self._trigrams.total(), self._unigrams.total()
        made = {"pages": self.pages, "tokens": self.tokens.tolist(), "smoothing": smoothing}
        return Model.of(
            self._table(trigrams, bits, smoothing),
            self._table(unigrams, min(bits, UNIGRAM_BITS), smoothing),
            self._open_odds(smoothing),
            float(np.log(self.tokens[0] / self.tokens[1])),
            {**notes, **made, "distinct_trigrams": len(trigrams)},
        )

    def save(self, folder: Path) -> None:
        """Write the counts, so that training can go on later."""
        folder.mkdir(parents=True, exist_ok=True)
        self._trigrams.total().save(folder, "trigrams")
        self._unigrams.total().save(folder, "unigrams")
        state = {
            "pages": self.pages,
            "origin": self.origin,
            "tokens": self.tokens.tolist(),
            "sources": self._sources,
            "fixed": self._fixed,
            "open": dict(zip(tags.NAMES, self._open.tolist(), strict=True)),
        }
        (folder / "counts.json").write_text(json.dumps(state), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Training:
        """Go on from saved counts. Raises ModelError where there are none."""
        made = cls()
        try:
            state = json.loads((folder / "counts.json").read_bytes())
            made._trigrams = Pile(Tally.load(folder, "trigrams"))
            made._unigrams = Pile(Tally.load(folder, "unigrams"))
        except (OSError, ValueError) as error:
            raise ModelError(
                f"{folder} holds no counts ({error}): train without --update."
            ) from error
        made.pages, made.origin, made._sources = state["pages"], state["origin"], state["sources"]
        made._fixed, made.tokens = state["fixed"], np.array(state["tokens"], dtype=np.int64)
        for name, row in state["open"].items():
            made._open[tags.CODES.get(name, 0)] += row
        return made

    def _note_tags(self, example: Example) -> None:
        for code in np.unique(example.document.elements.tag).tolist():
            name = tags.NAMES[code]
            if name and self._sources.setdefault(name, example.source) != example.source:
                self._sources[name] = SEVERAL

    def _common(self) -> Mask:
        common = np.zeros(len(tags.NAMES), dtype=bool)
        for name, source in self._sources.items():
            common[tags.CODES.get(name, 0)] |= source == SEVERAL
        common[0] = False
        return common

    def _table(self, tally: Tally, bits: int, smoothing: float) -> Table:
        """What tells most comes first: where the table is full, rare and undecided ones go."""
        odds = self._odds(tally.inside, tally.outside, smoothing)
        worth = (tally.inside.astype(np.float32) + tally.outside) * np.abs(odds)
        order = np.argsort(-worth, kind="stable")
        return Table.of(tally.keys[order], odds[order], bits)

    def _odds(self, inside: Numbers, outside: Numbers, smoothing: float) -> Floats:
        """log P(f | in) / P(f | out), shrunk to 0 as the smoothing says."""
        shares = self.tokens / self.tokens.sum()
        odds = np.log((inside + smoothing * shares[0]) / (outside + smoothing * shares[1]))
        found: Floats = (odds - np.log(shares[0] / shares[1])).astype(np.float32)
        return found

    def _open_odds(self, smoothing: float) -> dict[str, float]:
        odds = self._odds(self._open[:, 0], self._open[:, 1], smoothing)
        common = self._common()
        return {tags.NAMES[code]: round(float(odds[code]), 4) for code in np.flatnonzero(common)}
