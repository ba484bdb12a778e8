"""Figures that are committed, so that the next run can be given as a ratio to the last."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

FOLDER = Path("benchmarks/figures_data")

Figure = Mapping[str, str | int | float]


def read(name: str, folder: Path = FOLDER) -> list[Figure]:
    """The figures stored under a name; none where there are none yet."""
    path = folder / f"{name}.json"
    return list(json.loads(path.read_text("utf-8"))) if path.exists() else []


def merge(old: Sequence[Figure], new: Sequence[Figure], keys: tuple[str, ...]) -> list[Figure]:
    """Old and new figures in the order of their keys; a new one replaces its predecessor."""
    found = {_key(figure, keys): figure for figure in (*old, *new)}
    return [found[key] for key in sorted(found)]


def write(name: str, figures: Sequence[Figure], folder: Path = FOLDER) -> Path:
    """Keep the figures, one a line so that a change is read in a diff; numbers to 4 digits."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    lines = ",\n".join(json.dumps(_rounded(figure), ensure_ascii=False) for figure in figures)
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    return path


def _key(figure: Figure, keys: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(str(figure[key]) for key in keys)


def _rounded(figure: Figure) -> Figure:
    return {
        key: round(value, 4) if isinstance(value, float) else value for key, value in figure.items()
    }
