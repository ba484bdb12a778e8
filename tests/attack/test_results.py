"""Results of families in a file: one product's alone, whole families, nothing that got through."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attack import results
from tests.attack.results import Result, Results

CLEAN, BROKEN = Result(7, [], 1.5, 0.0, 0.2), Result(7, ["one: status 500"], 1.5, 0.0, 0.2)


def test_results_of_one_product_are_taken_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "results.jsonl"
    monkeypatch.setattr(results, "product", lambda: "one")
    found = Results(file)
    found.add("a", BROKEN)
    assert found.stored("a", 7) is None, "it is tried again"
    found.add("a", CLEAN)
    assert Results(file).stored("a", 7) == CLEAN
    assert found.stored("a", 8) is None, "it has more attempts by now"
    assert Results(None).stored("a", 7) is None
    monkeypatch.setattr(results, "product", lambda: "another")
    with pytest.raises(ValueError, match="results of one"):
        Results(file).stored("a", 7)
    with pytest.raises(ValueError, match="results of another"):
        found.add("b", CLEAN)


def test_a_product_is_all_of_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "ROOT", tmp_path)
    monkeypatch.setattr(results, "rooms", lambda: ["proxy"])
    (tmp_path / "proxy").mkdir()
    before = results.product()
    (tmp_path / "proxy" / "page.html").write_text("x")
    assert results.product() != before
