"""``import winnow`` is cheap, and every public name is there."""

from __future__ import annotations

import subprocess
import sys

import pytest

import winnow

HEAVY = {"aiohttp", "asyncio", "lxml", "numpy", "selectolax"}


def test_importing_winnow_imports_nothing_heavy() -> None:
    code = "import sys, winnow; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stdout.split())


@pytest.mark.parametrize("name", winnow.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(winnow, name) is not None
    assert name in dir(winnow)


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Docment'"):
        _ = winnow.Docment
