"""Each guard stands where ``tests.attack.guards`` removes it, each threat has one."""

from __future__ import annotations

import re

import pytest

from tests.attack.guards import GUARDS, ROOT, Guard, edited
from tests.docs.test_security import ROWS


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.name)
def test_a_guard_stands_once_and_its_test_is_there(guard: Guard) -> None:
    text = (ROOT / guard.file).read_text()
    assert edited(guard, text) != text
    file, _, name = guard.test.partition("::")
    assert f"def {name.partition('[')[0]}" in (ROOT / file).read_text()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[1][:40])
def test_each_threat_has_a_guard_whose_removal_fails_one_of_its_tests(row: list[str]) -> None:
    named = set(re.findall(r"`(tests/[^`]+)`", row[4]))
    assert named & {guard.test for guard in GUARDS}
