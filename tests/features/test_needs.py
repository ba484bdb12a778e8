"""A feature imports those that it names in ``needs``, and what those need; no other one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import winnow.features
from winnow.feature import Feature
from winnow.feature_list import FEATURES

FOLDER = Path(winnow.features.__path__[0])
BY_NAME = {each.name: each for each in FEATURES}


def needed(name: str) -> set[str]:
    """All features below one, itself among them."""
    return {name}.union(*map(needed, BY_NAME[name].needs))


def imported(folder: Path) -> Iterator[str]:
    """The features that the modules of a folder import."""
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
                "winnow.features."
            ):
                yield str(node.module).split(".")[2]


@pytest.mark.parametrize(
    "feature",
    [each for each in FEATURES if (FOLDER / each.name).is_dir()],
    ids=lambda each: each.name,
)
def test_it_imports_what_it_needs(feature: Feature) -> None:
    assert set(imported(FOLDER / feature.name)) <= needed(feature.name)
