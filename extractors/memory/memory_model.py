"""The model of ``memory``: instances, weights and where they come from.

A model is a folder: ``model.json`` and one file of plain arrays, which numpy
reads without executing anything.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import Ints
from winnow.extractors.errors import ModelError
from winnow.extractors.memory.element_features import NAMES, NUMERIC, SYMBOLS
from winnow.extractors.memory.feature_weights import WEIGHTS, FeatureWeights, Floats
from winnow.extractors.memory.igtree import Igtree
from winnow.extractors.memory.labelled_instances import CLASSES, LabelledInstances
from winnow.extractors.memory.nearest import InstanceBase
from winnow.extractors.memory.voting import ranked

FORMAT: Final = 1
MANIFEST: Final = "model.json"
ARRAYS: Final = "instances.npz"
SHIPPED: Final = Path(__file__).parents[1] / "models" / "memory"
_TAGS: Final = 11


@dataclass(frozen=True, eq=False)
class MemoryModel:
    """``instances``: what is stored; ``weights``: of all that was learned from, by weighting.

    ``frequencies``: of each class among all that was learned from, which decides ties; ``order``:
    TiMBL's of the features, see weights.search_order. What is stored may be fewer instances than
    what was learned from: see training.reduced.
    """

    instances: LabelledInstances
    weights: Mapping[str, Floats]
    order: Ints
    frequencies: Ints
    manifest: Mapping[str, Any]

    @classmethod
    def of(
        cls, learned: LabelledInstances, stored: LabelledInstances, notes: Mapping[str, Any]
    ) -> MemoryModel:
        """A model that keeps ``stored`` of what was ``learned`` from; ``notes`` go into the
        manifest."""
        feature_weights = FeatureWeights.of(*learned.expanded(), NUMERIC)
        manifest = {
            **notes,
            "format": FORMAT,
            "digest": _digest(stored),
            "learned": len(learned),
            "stored": len(stored),
            "tags": list(SYMBOLS),
            "classes": dict(zip(CLASSES, learned.frequencies.tolist(), strict=True)),
            "weights": {
                kind: dict(zip(NAMES, np.round(found, 6).tolist(), strict=True))
                for kind, found in feature_weights.weights.items()
            },
        }
        return cls(
            stored, feature_weights.weights, feature_weights.order, learned.frequencies, manifest
        )

    @property
    def digest(self) -> str:
        """Names what is stored; part of every fingerprint."""
        return str(self.manifest["digest"])

    @cached_property
    def rank(self) -> Ints:
        """The classes by frequency: the order in which ties are decided."""
        return ranked(self.frequencies)

    def base(self, weighting: str) -> InstanceBase:
        """The instances, ready to be searched."""
        return InstanceBase.weighted(self.instances, self.weights[weighting], self.order)

    def tree(self, weighting: str) -> Igtree:
        """The instances as a tree."""
        return Igtree.of(self.instances, self.weights[weighting], self.rank)

    def save(self, folder: Path) -> None:
        """Write the model as a folder; the manifest last, so that half a model is none."""
        folder.mkdir(parents=True, exist_ok=True)
        stored = self.instances
        values = stored.values
        np.savez_compressed(
            folder / ARRAYS,
            tags=values[:, :_TAGS].astype(np.uint8),
            lengths=values[:, NUMERIC].astype(np.int32),
            answers=values[:, np.flatnonzero(~NUMERIC)[_TAGS:]].astype(np.uint8),
            classes=stored.classes.astype(np.uint8),
            times=np.ones(len(stored)) if stored.times is None else stored.times,
            weights=np.array([self.weights[kind] for kind in WEIGHTS]),
            order=self.order,
            frequencies=self.frequencies,
        )
        text = json.dumps(self.manifest, indent=2, sort_keys=True, ensure_ascii=False)
        (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> MemoryModel:
        """The model in a folder. Raises ModelError where there is none that this version reads."""
        try:
            manifest = json.loads((folder / MANIFEST).read_bytes())
            with np.load(folder / ARRAYS, allow_pickle=False) as file:
                arrays = dict(file)
        except (OSError, ValueError) as error:
            raise ModelError(
                f"{folder} holds no model ({error}): train one with `winnow train memory`."
            ) from error
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            raise ModelError(f"The model in {folder} is of another version: train it again.")
        weights = dict(zip(WEIGHTS, arrays["weights"], strict=True))
        stored = _stored(arrays, manifest["tags"])
        return cls(stored, weights, arrays["order"], arrays["frequencies"], manifest)


def _stored(arrays: Mapping[str, npt.NDArray[Any]], tags: list[str]) -> LabelledInstances:
    """The instances of a file; its tags may have had other numbers."""
    numbers = {name: number for number, name in enumerate(SYMBOLS)}
    beyond = len(SYMBOLS)  # an unknown tag equals no other
    renamed = np.array([numbers.get(name, beyond + at) for at, name in enumerate(tags)], np.int32)
    values = np.empty((len(arrays["tags"]), len(NAMES)), dtype=np.int32)
    values[:, :_TAGS] = renamed[arrays["tags"]]
    values[:, NUMERIC] = arrays["lengths"]
    values[:, np.flatnonzero(~NUMERIC)[_TAGS:]] = arrays["answers"]
    classes, times = (arrays[name].astype(np.int32) for name in ("classes", "times"))
    return LabelledInstances(values, classes, NUMERIC, len(CLASSES), times)


def _digest(stored: LabelledInstances) -> str:
    digest = hashlib.sha256(stored.values.tobytes())
    digest.update(stored.classes.tobytes())
    return digest.hexdigest()[:16]


@lru_cache(maxsize=2)
def load_model(folder: str = "") -> MemoryModel:
    """The model in a folder, the shipped one by default; loaded once. Raises ModelError."""
    return MemoryModel.load(Path(folder) if folder else SHIPPED)


@lru_cache(maxsize=4)
def load_base(folder: str, weighting: str) -> InstanceBase:
    """A model's instances, ready to be searched; sorted once. Raises ModelError."""
    return load_model(folder).base(weighting)


@lru_cache(maxsize=4)
def load_tree(folder: str, weighting: str) -> Igtree:
    """A model's instances as a tree, grown once. Raises ModelError."""
    return load_model(folder).tree(weighting)
