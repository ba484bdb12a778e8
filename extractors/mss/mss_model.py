"""A trained Naive Bayes classifier of tokens: its tables, its manifest, its log-odds.

A model is a folder: ``model.json`` and
the tables as plain .npy files, which are mapped into memory. Nothing in it can run.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from winnow.document.document import Document
from winnow.document.parsing import tags
from winnow.extractors.errors import ModelError
from winnow.extractors.mss.hash_table import FeatureTable, Floats, HashTable
from winnow.extractors.mss.stems import Mask
from winnow.extractors.mss.token_features import Features, features

Tables = tuple[FeatureTable, FeatureTable, FeatureTable]

FORMAT: Final = 2
MANIFEST: Final = "model.json"
FILES: Final = ("trigrams.npy", "unigrams.npy", "shapes.npy")
SHIPPED: Final = Path(__file__).parents[1] / "models" / "mss"


@dataclass(frozen=True, slots=True)
class TokenEvidence:
    """What counts of a token. The defaults are those of section 6.2.3.

    ``unigram``: the variant for CleanEval (section 7.7), unigrams for trigrams, and both neighbours
    for an unseen one. ``mrut``: the most recent unclosed tag. ``shapes``: an unseen trigram counts
    as the same with any words (not in the paper: for languages that the training had few pages of).
    ``backoff``: with ``unigram``, a trigram that was seen counts in place of the unigram (ours).
    """

    unigram: bool = False
    mrut: bool = True
    shapes: bool = False
    backoff: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class MssModel:
    """P(in) and P(feature | in or out) as log-odds in nats.

    ``open_odds``: of each tag code as the most recent unclosed tag, shape (codes,). ``common``:
    tag codes seen in more than one training source. ``prior``: log P(in) / P(out). ``manifest``:
    where the model comes from (sizes, sources, digests of the training data).
    """

    trigrams: FeatureTable
    unigrams: FeatureTable
    shapes: FeatureTable
    open_odds: Floats
    common: Mask
    prior: float
    manifest: Mapping[str, Any]

    def features(self, document: Document) -> Features:
        """The features of a document, with this model's common tags."""
        return features(document, self.common)

    def log_odds(self, tokens: Features, evidence: TokenEvidence) -> Floats:
        """log P(in | token) / P(out | token), shape (n,); section 6.2.3.

        An unseen trigram is no evidence.
        """
        odds = self._odds(tokens, evidence) + np.float32(self.prior)
        if not evidence.mrut:
            return odds
        with np.errstate(invalid="ignore"):  # certain of both sides: no evidence
            both = odds + self.open_odds[tokens.open]
        return np.where(np.isnan(both), np.float32(0), both)

    def _odds(self, tokens: Features, evidence: TokenEvidence) -> Floats:
        if evidence.unigram and not evidence.backoff:
            return self._unigram_odds(tokens)
        odds, is_seen = self.trigrams.look_up(tokens.trigrams)
        if evidence.unigram:
            return np.where(is_seen, odds, self._unigram_odds(tokens))
        if evidence.shapes:
            return np.where(is_seen, odds, self.shapes.look_up(tokens.shapes())[0])
        return odds

    def _unigram_odds(self, tokens: Features) -> Floats:
        odds, is_seen = self.unigrams.look_up(tokens.unigrams)
        beside = np.pad(odds, 1)
        with np.errstate(invalid="ignore"):  # certain of both sides: no evidence
            both = beside[:-2] + beside[2:]
        return np.where(is_seen, odds, np.where(np.isnan(both), np.float32(0), both))

    @property
    def digest(self) -> str:
        """Names the tables' content; part of every fingerprint."""
        return str(self.manifest["digest"])

    def save(self, folder: Path) -> None:
        """Write the model as a folder; the manifest last, so that half a model is none."""
        folder.mkdir(parents=True, exist_ok=True)
        for table, name in zip((self.trigrams, self.unigrams, self.shapes), FILES, strict=True):
            if not isinstance(table, HashTable):
                raise TypeError("a model of plain counts is made of its counts each time")
            table.save(folder / name)
        text = json.dumps(self.manifest, indent=2, sort_keys=True, ensure_ascii=False)
        (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")

    @classmethod
    def of(
        cls,
        tables: Tables,
        open_odds: Mapping[str, float],
        prior: float,
        notes: Mapping[str, Any],
    ) -> MssModel:
        """A model from its parts: tables of trigrams, unigrams, shapes.

        ``open_odds`` names the common tags, ``notes`` go into the manifest.
        """
        manifest = {
            **notes,
            "format": FORMAT,
            "digest": _digest(tables, open_odds, prior),
            "prior": prior,
            "tags": dict(open_odds),
        }
        return cls(*tables, *_by_code(open_odds), prior, manifest)

    @classmethod
    def load(cls, folder: Path) -> MssModel:
        """The model in a folder. Raises ModelError where there is none that this version reads."""
        try:
            manifest = json.loads((folder / MANIFEST).read_bytes())
            tables = _tables(folder)
        except (OSError, ValueError) as error:
            raise ModelError(
                f"{folder} holds no model ({error}): train one with `winnow train mss`."
            ) from error
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            raise ModelError(f"The model in {folder} is of another version: train it again.")
        return cls(*tables, *_by_code(manifest["tags"]), manifest["prior"], manifest)


def _tables(folder: Path) -> Tables:
    trigrams, unigrams, shapes = (HashTable.load(folder / name) for name in FILES)
    return trigrams, unigrams, shapes


def _by_code(open_odds: Mapping[str, float]) -> tuple[Floats, Mask]:
    odds = np.zeros(len(tags.NAMES), dtype=np.float32)
    common = np.zeros(len(tags.NAMES), dtype=bool)
    for name, value in open_odds.items():
        if code := tags.CODES.get(name):
            odds[code], common[code] = value, True
    return odds, common


def _digest(tables: Iterable[FeatureTable], open_odds: Mapping[str, float], prior: float) -> str:
    digest = hashlib.sha256(json.dumps([dict(open_odds), prior], sort_keys=True).encode())
    for table in tables:
        digest.update(table.digest())
    return digest.hexdigest()[:16]


@lru_cache(maxsize=4)
def load_model(folder: str = "") -> MssModel:
    """The model in a folder, the shipped one by default; loaded once. Raises ModelError."""
    return MssModel.load(Path(folder) if folder else SHIPPED)
