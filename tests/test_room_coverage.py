"""Coverage by room: what counts as a module that no test enters."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import room_coverage
from tests.room_coverage import folders, row, unreached

MODULE = "LIMIT = 1\n\n\ndef entered() -> int:\n    return 1\n"


@pytest.fixture
def modules(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(room_coverage, "ROOT", tmp_path)
    for name in ("imported", "entered"):
        (tmp_path / f"{name}.py").write_text(MODULE)
    (tmp_path / "constants.py").write_text("LIMIT = 1\n")


@pytest.mark.usefixtures("modules")
def test_a_module_is_reached_where_a_function_of_it_is_entered() -> None:
    lines = {"imported.py": [1, 4], "entered.py": [1, 4, 5], "constants.py": [1]}
    files = {name: {"executed_lines": found} for name, found in lines.items()}
    assert list(unreached({"files": files})) == ["imported.py"]
    totals = {"covered_lines": 3, "num_statements": 4, "covered_branches": 1, "num_branches": 4}
    told = row("room", {"files": files, "totals": totals}).split()
    assert told == ["room", "3", "4", "75.0%", "4", "25.0%", "1", "imported.py"]


def test_the_layers_of_the_proxy_are_measured_one_by_one() -> None:
    assert "proxy/caching" in folders("proxy")
    assert folders("engine") == ["engine"]
