"""Every compiled part is there: where one does not compile, its slow definition runs unseen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.programs import require_module

ROOT = Path(__file__).parents[2]
NAMES = re.findall(r'"(winnow\.[\w.]+\._\w+)"', (ROOT / "setup.py").read_text())


@pytest.mark.parametrize("name", NAMES)
def test_a_compiled_part_is_built(name: str) -> None:
    require_module(name, "a C compiler (gcc) and Python's headers")
