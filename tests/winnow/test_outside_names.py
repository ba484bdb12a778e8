"""No address, setting, field, command or stored file of an earlier version is lost."""

from __future__ import annotations

from tests.winnow.outside_names import LIST, names_of_now


def test_none_is_lost() -> None:
    now = names_of_now()
    assert set(LIST.read_text().splitlines()) - now == set()
