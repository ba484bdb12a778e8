"""With Winnow on all day every task gets done, and every article is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.day import whole_day


@pytest.mark.release
async def test_a_day_of_browsing_ends_with_all_done_and_read(tmp_path: Path) -> None:
    person, lost = await whole_day(tmp_path)
    assert person.failures == []
    assert lost == []
    assert person.navigations >= 60
    assert person.detours == []
