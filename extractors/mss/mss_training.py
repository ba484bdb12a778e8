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

from winnow.document import tags
from winnow.document.document import Document
from winnow.extractors.errors import ModelError
from winnow.extractors.mss.counts import Pile, Tally
from winnow.extractors.mss.hash_table import Floats, HashTable
from winnow.extractors.mss.mss_model import MssModel
from winnow.extractors.mss.open_tags import OpenTags
from winnow.extractors.mss.stems import Mask
from winnow.extractors.mss.token_features import features

Numbers = npt.NDArray[np.integer]

SMOOTHING: Final = 0.03
"""Pseudo-counts that a feature is given, shared as the tokens are: an unseen one stays neutral."""
BITS: Final[Mapping[str, int]] = {"trigrams": 21, "unigrams": 17, "shapes": 16}
"""Sizes of the tables: 2**bits entries of two bytes."""
SEVERAL: Final = "*"
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
    list ``common`` (names), that list holds from the first page on. ``origin``: notes on what was
    learned from, kept with the counts.
    """

    def __init__(self, common: Iterable[str] | None = None) -> None:
        self.pages = 0
        self.origin: list[Any] = []
        self.tokens = np.zeros(2, dtype=np.int64)
        self._piles = {name: Pile() for name in BITS}
        self._open = OpenTags()
        self._sources: dict[str, str] = dict.fromkeys(common or (), SEVERAL)
        self._fixed = common is not None

    def add(self, example: MssExample) -> None:
        """Count one page."""
        if not self._fixed:
            self._note_tags(example)
        seen = features(example.document, self._common())
        inside = np.zeros(len(seen.unigrams), dtype=bool)
        inside[example.first : example.last] = True
        for name, keys in (
            ("trigrams", seen.trigrams),
            ("unigrams", seen.unigrams),
            ("shapes", seen.shapes()),
        ):
            self._piles[name].add(Tally.of(keys, inside))
        self._open.add(seen.open, inside, example.source)
        self.tokens += (inside.sum(), (~inside).sum())
        self.pages += 1

    def model(self, notes: Mapping[str, Any], bits: Mapping[str, int] = BITS) -> MssModel:
        """The classifier that the counts amount to. Raises ModelError where a side has no token."""
        if not self.tokens.all():
            raise ModelError("There is no page with text inside and outside: add pages to train.")
        made = {"pages": self.pages, "tokens": self.tokens.tolist(), "smoothing": SMOOTHING}
        distinct = {f"distinct_{name}": len(pile.total()) for name, pile in self._piles.items()}
        trigrams, unigrams, shapes = (self._table(name, bits[name]) for name in BITS)
        return MssModel.of(
            (trigrams, unigrams, shapes),
            self._open.odds(self._common()),
            float(np.log(self.tokens[0] / self.tokens[1])),
            {**notes, **made, **distinct},
        )

    @classmethod
    def merged(cls, parts: Iterable[Training]) -> Training:
        """What all parts teach together; the parts stay as they are."""
        made = cls()
        for part in parts:
            made.pages += part.pages
            made.origin += part.origin
            made.tokens = made.tokens + part.tokens
            made._fixed |= part._fixed
            made._open = made._open.merged(part._open)
            for name, pile in made._piles.items():
                pile.add(part._piles[name].total())
            for name, source in part._sources.items():
                made._note(name, source)
        return made

    @property
    def common(self) -> list[str]:
        """The names of the tags that more than one source has."""
        return [tags.NAMES[code] for code in np.flatnonzero(self._common())]

    def save(self, folder: Path) -> None:
        """Write the counts, so that training can go on later."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, pile in self._piles.items():
            pile.total().save(folder, name)
        state = {
            "pages": self.pages,
            "origin": self.origin,
            "tokens": self.tokens.tolist(),
            "sources": self._sources,
            "fixed": self._fixed,
            "open": self._open.as_json(),
        }
        (folder / _STATE).write_text(json.dumps(state), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Training:
        """Go on from saved counts. Raises ModelError where there are none."""
        made = cls()
        try:
            state = json.loads((folder / _STATE).read_bytes())
            made._piles = {name: Pile(Tally.load(folder, name)) for name in BITS}
        except (OSError, ValueError) as error:
            raise ModelError(
                f"{folder} holds no counts ({error}): train without --update."
            ) from error
        made.pages, made.origin, made._sources = state["pages"], state["origin"], state["sources"]
        made._fixed, made.tokens = state["fixed"], np.array(state["tokens"], dtype=np.int64)
        made._open = OpenTags.from_json(state["open"])
        return made

    def _note_tags(self, example: MssExample) -> None:
        for code in np.unique(example.document.elements.tag).tolist():
            if name := tags.NAMES[code]:
                self._note(name, example.source)

    def _note(self, name: str, source: str) -> None:
        if self._sources.setdefault(name, source) != source:
            self._sources[name] = SEVERAL

    def _common(self) -> Mask:
        common = np.zeros(len(tags.NAMES), dtype=bool)
        for name, source in self._sources.items():
            common[tags.CODES.get(name, 0)] |= source == SEVERAL
        common[0] = False
        return common

    def _table(self, name: str, bits: int) -> HashTable:
        """What tells most comes first: where the table is full, rare and undecided ones go."""
        tally = self._piles[name].total()
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
