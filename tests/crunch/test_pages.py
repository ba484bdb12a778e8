"""What each of Crunch's levels makes of the pages written for its filters."""

import re

import pytest

from tests.crunch.golden import FILES, FOLDER, all_levels, expected, names
from winnow.extractors.crunch.relax_levels import Filter

_RUNS = re.compile(r"<script|<iframe|<object|<embed|\son\w+=|javascript:")


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("name", names())
def test_every_level_gives_what_a_person_found_right(name: str, file: str) -> None:
    assert all_levels(name, FILES[file]) == expected(name, file)


@pytest.mark.parametrize("name", names())
def test_no_pruned_page_holds_anything_that_runs(name: str) -> None:
    assert not _RUNS.search(expected(name, "pruned.html"))


@pytest.mark.parametrize("kind", Filter)
def test_every_filter_has_pages_of_its_own(kind: Filter) -> None:
    assert list(FOLDER.glob(f"{kind}*/source.html"))


def test_there_are_at_least_forty_pages() -> None:
    assert len(names()) >= 40
