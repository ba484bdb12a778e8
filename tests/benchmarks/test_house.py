"""The table of bounds of the code: what is counted, and bounds that hold now stay kept."""

from __future__ import annotations

from benchmarks import change_cost
from benchmarks.house import HouseFigure, product_files, worker_job


def test_the_module_of_the_cache_key_is_found() -> None:
    found = change_cost.key_modules(change_cost.parsed(product_files()))
    assert "rendering_key.py" in {path.name for path in found}


def test_a_quality_threshold_is_named_where_it_is_defined_and_where_it_is_set() -> None:
    assert change_cost.threshold_modules(change_cost.parsed(product_files())) == 2


def test_an_own_page_is_named_by_its_handler_and_its_registration() -> None:
    trees = change_cost.parsed(product_files())
    assert len(change_cost.own_page_modules(trees, "RulesPage")) == 2


def test_rooms_are_counted_once_though_winnow_links_to_them() -> None:
    files = [path.resolve() for path in product_files()]
    assert len(files) == len(set(files))


def test_a_page_enters_the_worker() -> None:
    assert "engine/worker.py" in worker_job()


def test_a_figure_above_its_bound_is_marked() -> None:
    assert str(HouseFigure("lines", 3, 2)).endswith("above")
    assert HouseFigure("lines", 2, 2).holds
    assert HouseFigure("lines", 2).holds
