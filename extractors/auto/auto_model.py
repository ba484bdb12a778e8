"""The model on disk: numbers and a manifest."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from winnow.extractors.auto.features.attribute_tokens import Lexicon
from winnow.extractors.auto.features.page_tokens import TypeLexicon
from winnow.extractors.auto.page_runs import STRETCHES
from winnow.extractors.auto.trees import NODE, Forest
from winnow.extractors.errors import ModelError

NUMBERS, MANIFEST = "model.npz", "manifest.json"
PAGE_TYPES: Final = (
    "article", "documentation", "service", "forum", "collection", "listing", "product",
)  # fmt: skip

STAGES: Final = ((40, 2.5), (80, 3.0))
"""So many trees, and the log-odds from which on a block needs no more (extractor.scores).

Against asking all of 300 trees this moved the F1 (training.f1) of held-out pages by -.0002 to .0012
a package; no committed command prints it.
"""
PAGE_FEATURES: Final = ("page: ", "address: ")
"""What the names of features begin with that are the same for all blocks of a page."""

SWITCH: Final = tuple(f"switch{at}" for at in range(len(STRETCHES)))
"""Names of forests, which models of before have not."""
NO_OFFSETS: Final = np.zeros((2, len(PAGE_TYPES)), dtype=np.float32)
"""Those of a model of before."""

Arrays = Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True, eq=False)
class AutoModel:
    """What was learned. ``forest``: trees whose sum is the log-odds of a block being content.

    ``kinds``: what tokens say of page types. ``types``: trees of each page type, in the order of
    PAGE_TYPES, or none. ``good``: trees whose sum is the log-odds of a good result. ``switch``:
    trees of each of page_runs.STRETCHES whose sums say what it gains, or none. ``offsets``: what
    pages in other languages and in English, of each page type, add to the log-odds of ``good``,
    (2, types). ``typical``: a usual value of each feature, which explanations compare with.
    ``names``: the features' names.
    """

    lexicon: Lexicon
    kinds: TypeLexicon
    forest: Forest
    types: tuple[Forest, ...]
    good: Forest
    switch: tuple[Forest, ...]
    offsets: npt.NDArray[np.float32]
    typical: npt.NDArray[np.float32]
    names: tuple[str, ...]
    digest: str

    @cached_property
    def stages(self) -> tuple[tuple[Forest, float], ...]:
        """The trees of each stage, and the log-odds that end the matter behind it."""
        ends, plain = zip(*STAGES, (len(self.forest.roots), 0.0), strict=True)
        edges = zip((0, *ends), ends, plain, strict=False)
        return tuple((self.forest.of(self.forest.roots[a:b]), limit) for a, b, limit in edges)

    def offset(self, page_type: str | None, *, is_english: bool) -> float:
        """What a page's language and type add to the log-odds of a good result: nothing where they
        take from it, since nobody is served by a page that is refused for its kind."""
        known = page_type in PAGE_TYPES
        found = self.offsets[int(is_english), PAGE_TYPES.index(page_type)] if known else 0.0
        return max(float(found), 0.0)

    @cached_property
    def page_columns(self) -> npt.NDArray[np.intp]:
        """The columns of features that are the same for all blocks of a page."""
        return np.flatnonzero([name.startswith(PAGE_FEATURES) for name in self.names])


@cache
def shipped() -> AutoModel:
    """The model that comes with Winnow; read once a process."""
    return read(_shipped())


@cache
def shipped_digest() -> str:
    """Its digest, to identify the model without loading it."""
    return hashlib.sha256((_shipped() / NUMBERS).read_bytes()).hexdigest()


def _shipped() -> Traversable:
    return files("winnow.extractors") / "models" / "auto"


def manifest() -> Mapping[str, Any]:
    """What the shipped model was learned from, how, and what its folds reached."""
    text = (files("winnow.extractors") / "models" / "auto" / MANIFEST).read_bytes()
    found: Mapping[str, Any] = json.loads(text)
    return found


def read(folder: Traversable) -> AutoModel:
    """A model from its folder. Raises ModelError if a file is missing or not what it should be."""
    try:
        numbers = (folder / NUMBERS).read_bytes()
        manifest = json.loads((folder / MANIFEST).read_bytes())
        with np.load(io.BytesIO(numbers), allow_pickle=False) as arrays:
            return from_arrays(arrays, manifest, hashlib.sha256(numbers).hexdigest())
    except (OSError, ValueError, KeyError) as error:
        raise ModelError(f"The model in {folder} cannot be read: {error}.") from error


def from_arrays(arrays: Arrays, manifest: Mapping[str, Any], digest: str) -> AutoModel:
    """A model from what ``to_arrays`` gave and the manifest's feature names."""
    return AutoModel(
        Lexicon(arrays["lexicon"]),
        TypeLexicon(arrays["kinds"]),
        _forest(arrays, "forest"),
        tuple(_forest(arrays, f"type{kind}") for kind in range(int(arrays["types"]))),
        _forest(arrays, "good"),
        tuple(_forest(arrays, name) for name in SWITCH if f"{name}.roots" in arrays),
        arrays.get("offsets", NO_OFFSETS),
        arrays["typical"],
        tuple(manifest["features"]),
        digest,
    )


def to_arrays(model: AutoModel) -> dict[str, npt.NDArray[Any]]:
    """Everything numeric of a model, by name."""
    found: dict[str, npt.NDArray[Any]] = {
        "lexicon": model.lexicon.scores,
        "kinds": model.kinds.scores,
        "typical": model.typical,
        "offsets": model.offsets,
        "types": np.array(len(model.types)),
    }
    forests = {"forest": model.forest, "good": model.good}
    forests.update((f"type{kind}", forest) for kind, forest in enumerate(model.types))
    forests.update(zip(SWITCH, model.switch, strict=False))
    for name, forest in forests.items():
        found[f"{name}.roots"] = forest.roots
        for field in NODE.names or ():
            found[f"{name}.{field}"] = forest.nodes[field]
    return found


def write(model: AutoModel, manifest: Mapping[str, Any], folder: Path) -> None:
    """Write a model's two files; the manifest gets the digest of the numbers."""
    folder.mkdir(parents=True, exist_ok=True)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **to_arrays(model))  # type: ignore[arg-type]  # numpy's stub: keywords are arrays
    numbers = buffer.getvalue()
    (folder / NUMBERS).write_bytes(numbers)
    content = {
        **manifest,
        "features": list(model.names),
        "sha256": hashlib.sha256(numbers).hexdigest(),
    }
    (folder / MANIFEST).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _forest(arrays: Arrays, name: str) -> Forest:
    roots = arrays[f"{name}.roots"]
    nodes = np.empty(len(arrays[f"{name}.feature"]), dtype=NODE)
    for field in NODE.names or ():
        nodes[field] = arrays[f"{name}.{field}"]
    return Forest(nodes, roots)
