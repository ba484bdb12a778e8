"""The bounds that docs/caching.md tells are those of the code."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from winnow.config.settings import Settings
from winnow.proxy.http.content_coding import DecodingBounds

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "caching.md").read_text()
BY_CONSTANT = re.findall(r"^\| .* \| (\d+) \| `([\w/]+)\.py` `(\w+)` \|$", TEXT, re.MULTILINE)
BY_SETTING = re.findall(r"^\| .* \| (\d+) \| `cache\.(\w+)` \|$", TEXT, re.MULTILINE)


def test_the_table_has_its_rows() -> None:
    assert (len(BY_CONSTANT), len(BY_SETTING)) == (10, 4)


@pytest.mark.parametrize(("value", "file", "name"), BY_CONSTANT)
def test_a_constant_is_as_the_table_says(value: str, file: str, name: str) -> None:
    assert getattr(import_module("winnow." + file.replace("/", ".")), name) == int(value)


@pytest.mark.parametrize(("value", "name"), BY_SETTING)
def test_a_default_is_as_the_table_says(value: str, name: str) -> None:
    assert getattr(Settings().cache, name) == int(value)


def test_the_bounds_of_decoding_are_as_the_table_says() -> None:
    assert f"and {DecodingBounds().ratio} times what came" in TEXT
