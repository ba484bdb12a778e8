"""A feature imports those that it names in ``needs``, and what those need; no other one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import winnow.features
from winnow.feature import Feature
from winnow.feature_list import FEATURES
from winnow.proxy.app.app import App

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


GUIDE = Path(__file__).parents[2] / "docs" / "writing-a-feature.md"


def named_of_the_app() -> set[str]:
    """What the guide says that an App has."""
    (table,) = re.findall(r"\n\| of the `App`.*?\n\n", GUIDE.read_text(), re.DOTALL)
    first = [row.split("|")[1] for row in table.strip().splitlines()]
    return {name for each in first for name in re.findall(r"`([a-z_.]+)", each)}


def test_features_use_of_the_app_what_the_guide_names() -> None:
    text = "".join(file.read_text() for file in FOLDER.rglob("*.py"))
    used = set(re.findall(r"(?<![\w.])app\.([a-z_]+(?:\.[a-z_]+)*)", text))
    named = named_of_the_app()
    whole = named | {"own.forward"}  # whose members are named
    assert not [each for each in used if not any(f"{each}.".startswith(f"{n}.") for n in whole)]


@pytest.mark.parametrize("name", sorted(named_of_the_app()))
def test_what_the_guide_names_is_there(name: str) -> None:
    found: Any = App
    for part in name.split("."):
        found = get_type_hints(found).get(part) or getattr(found, part)
    assert found
