"""Committed figures: read, merged by key, written so that a diff reads well."""

from pathlib import Path

from benchmarks.figures import Figure, merge, read, write


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = write("methods", [{"method": "bte", "ratio": 3.84619}, {"method": "dsc"}], tmp_path)
    assert path.read_text() == '[\n{"method": "bte", "ratio": 3.8462},\n{"method": "dsc"}\n]\n'
    assert read("methods", tmp_path) == [{"method": "bte", "ratio": 3.8462}, {"method": "dsc"}]


def test_without_stored_figures_there_are_none(tmp_path: Path) -> None:
    assert read("methods", tmp_path) == []


def test_a_new_figure_replaces_its_predecessor() -> None:
    old: list[Figure] = [
        {"package": "a", "subject": "x", "f1": 0.5},
        {"package": "b", "subject": "x", "f1": 0.6},
    ]
    new: list[Figure] = [
        {"package": "a", "subject": "x", "f1": 0.7},
        {"package": "a", "subject": "w", "f1": 0.1},
    ]
    assert merge(old, new, ("package", "subject")) == [new[1], new[0], old[1]]
