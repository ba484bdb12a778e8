"""Each guard stands where ``tests.attack.guards`` removes it, and its test is there."""

from __future__ import annotations

import pytest

from tests.attack.guards import GUARDS, ROOT, Guard


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.name)
def test_a_guard_stands_once_and_its_test_is_there(guard: Guard) -> None:
    assert (ROOT / guard.file).read_text().count(guard.old) == 1
    assert (ROOT / guard.test.partition("::")[0]).is_file()
