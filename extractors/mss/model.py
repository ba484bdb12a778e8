"""A trained Naive Bayes classifier of tokens: its tables, its manifest, its log-odds.

Knows features and files; no training and no segmentation. A model is a folder: ``model.json`` and
the tables as plain .npy files, which are mapped into memory. Nothing in it can run.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from document import tags
from document.document import Document
from extractors.errors import ModelError
from extractors.mss.features import Features, features
from extractors.mss.stems import Mask
from extractors.mss.table import Floats, Table

FORMAT: Final = 1
MANIFEST: Final = "model.json"
TRIGRAMS: Final = "trigrams.npy"
UNIGRAMS: Final = "unigrams.npy"
SHIPPED: Final = Path(__file__).parents[1] / "models" / "mss"


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """P(in) and P(feature | in or out) as log-odds in nats.

    ``open_odds``: of each tag code as the most recent unclosed tag, shape (codes,). ``common``:
    tag codes seen in more than one training source. ``prior``: log P(in) / P(out). ``manifest``:
    where the model comes from (sizes, sources, digests of the training data).
    """

    trigrams: Table
    unigrams: Table
    open_odds: Floats
    common: Mask
    prior: float
    manifest: Mapping[str, Any]

    def features(self, document: Document) -> Features:
        """The features of a document, with the tags that this model knows."""
        return features(document, self.common)

    def log_odds(self, seen: Features, unigram: bool = False, mrut: bool = True) -> Floats:
        """log P(in | token) / P(out | token), shape (n,); section 6.2.3.

        An unseen trigram is no evidence. ``unigram`` is the variant for CleanEval (section 7.7):
        unigrams for trigrams, and both neighbours for an unseen one. ``mrut``: whether the most
        recent unclosed tag counts.
        """
        odds = self._unigram_odds(seen) if unigram else self.trigrams.look_up(seen.trigrams)[0]
        odds = odds + np.float32(self.prior)
        return odds + self.open_odds[seen.open] if mrut else odds

    def _unigram_odds(self, seen: Features) -> Floats:
        odds, known = self.unigrams.look_up(seen.unigrams)
        beside = np.pad(odds, 1)
        return np.where(known, odds, beside[:-2] + beside[2:])

    @property
    def digest(self) -> str:
        """Names the tables' content; part of every fingerprint."""
        return str(self.manifest["digest"])

    def save(self, folder: Path) -> None:
        """Write the model as a folder; the manifest last, so that half a model is none."""
        folder.mkdir(parents=True, exist_ok=True)
        self.trigrams.save(folder / TRIGRAMS)
        self.unigrams.save(folder / UNIGRAMS)
        text = json.dumps(self.manifest, indent=2, sort_keys=True, ensure_ascii=False)
        (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")

    @classmethod
    def of(
        cls,
        trigrams: Table,
        unigrams: Table,
        open_odds: Mapping[str, float],
        prior: float,
        notes: Mapping[str, Any],
    ) -> Model:
        """A model from its parts; ``open_odds`` names the common tags, ``notes`` the origin."""
        manifest = {
            **notes,
            "format": FORMAT,
            "digest": _digest(trigrams, unigrams, open_odds, prior),
            "prior": prior,
            "tags": dict(open_odds),
        }
        return cls(trigrams, unigrams, *_by_code(open_odds), prior, manifest)

    @classmethod
    def load(cls, folder: Path) -> Model:
        """The model in a folder. Raises ModelError where there is none that this version reads."""
        try:
            manifest = json.loads((folder / MANIFEST).read_bytes())
            tables = Table.load(folder / TRIGRAMS), Table.load(folder / UNIGRAMS)
        except (OSError, ValueError) as error:
            raise ModelError(
                f"{folder} holds no model ({error}): train one with `winnow train mss`."
            ) from error
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            raise ModelError(f"The model in {folder} is of another version: train it again.")
        return cls(*tables, *_by_code(manifest["tags"]), manifest["prior"], manifest)


def _by_code(open_odds: Mapping[str, float]) -> tuple[Floats, Mask]:
    odds = np.zeros(len(tags.NAMES), dtype=np.float32)
    common = np.zeros(len(tags.NAMES), dtype=bool)
    for name, value in open_odds.items():
        if code := tags.CODES.get(name):
            odds[code], common[code] = value, True
    return odds, common


def _digest(trigrams: Table, unigrams: Table, open_odds: Mapping[str, float], prior: float) -> str:
    digest = hashlib.sha256(json.dumps([dict(open_odds), prior], sort_keys=True).encode())
    for table in (trigrams, unigrams):
        digest.update(table.slots.tobytes())
    return digest.hexdigest()[:16]


@lru_cache(maxsize=4)
def load_model(folder: str = "") -> Model:
    """The model in a folder, the shipped one by default; loaded once. Raises ModelError."""
    return Model.load(Path(folder) if folder else SHIPPED)
