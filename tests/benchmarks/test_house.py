"""The bounds of the code: what is counted, and that they hold and are shown as they are."""

from __future__ import annotations

import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest

from benchmarks import change_cost, house
from benchmarks.house import HouseFigure
from benchmarks.module_facts import ModuleFacts

Rooms = dict[str, list[ModuleFacts]]


@pytest.fixture(scope="module")
def rooms() -> Rooms:
    return house.product()


@pytest.fixture(scope="module")
def every(rooms: Rooms) -> list[ModuleFacts]:
    return list(chain.from_iterable(rooms.values()))


def names(modules: list[ModuleFacts]) -> set[str]:
    return {module.path.name for module in modules}


def test_the_module_of_the_cache_key_is_found(every: list[ModuleFacts]) -> None:
    assert "rendering_key.py" in names(change_cost.key_modules(every))


def test_a_quality_threshold_is_named_where_it_is_defined_and_where_it_is_set(
    every: list[ModuleFacts],
) -> None:
    assert change_cost.threshold_modules(every) == 2


def test_an_own_page_is_named_by_its_handler_and_its_registration(
    every: list[ModuleFacts],
) -> None:
    assert len(change_cost.own_page_modules(every, "RulesPage")) == 2


def test_every_room_is_counted_once_though_winnow_links_to_it(
    rooms: Rooms, every: list[ModuleFacts]
) -> None:
    assert {"speech", "proxy", "evaluation", "winnow"} <= set(rooms)
    paths = [module.path for module in every]
    assert len(paths) == len({path.resolve() for path in paths})
    assert all(rooms.values())


def test_every_bound_holds(rooms: Rooms, every: list[ModuleFacts]) -> None:
    assert house.report([*house.sizes(rooms), *house.changes(every)], []) == 0


def test_the_files_that_a_page_enters_are_within_their_bounds() -> None:
    """In a process of its own: what ran before decides what a page enters."""
    command = [sys.executable, "-m", "benchmarks.house_traced", "--files"]
    done = subprocess.run(command, cwd=house.ROOT, capture_output=True, text=True, check=False)
    assert "engine/worker.py" in done.stdout
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_figure_above_its_bound_fails(capsys: pytest.CaptureFixture[str]) -> None:
    most = house.bounds()["at-most"]["lines of the core"]
    assert house.report([HouseFigure("lines of the core", most)], []) == 0
    assert house.report([HouseFigure("lines of the core", most + 1)], []) == 1
    assert capsys.readouterr().out.endswith("above\n")


def test_bounds_fall_and_never_rise(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(house, "BOUNDS", tmp_path / "house.toml")
    monkeypatch.setattr(house, "MAP", tmp_path / "map.md")
    house.MAP.write_text("# Map\n\n## Size\n\nProse.\n")
    house.BOUNDS.write_text("[at-most]\nlines = 500\nfiles = 9\n\n[goal]\nlines = 100\n")
    house.lower([HouseFigure("lines", 499, 100), HouseFigure("files", 4)])
    house.lower([HouseFigure("lines", 212, 100), HouseFigure("files", 7)])
    assert house.bounds()["at-most"] == {"lines": 300, "files": 4}
    assert house.MAP.read_text() == "# Map\n\n## Size\n\nProse.\n\n" + house.size_table()


def test_the_map_has_the_bounds() -> None:
    assert house.MAP.read_text().endswith("\n\n" + house.size_table())
