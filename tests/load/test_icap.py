"""Many clients at once, by ICAP itself and through Squid: each gets its own answers, whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.load.icap import run
from tests.load.icap_costs import measured


@pytest.mark.release
@pytest.mark.parametrize("through_squid", [False, True])
async def test_nobody_gets_a_wrong_answer(tmp_path: Path, through_squid: bool) -> None:
    counted = await run(tmp_path, 64, 10, through_squid=through_squid)
    assert not counted.wrong, counted.told()
    assert counted.got["pages extracted as page"]


@pytest.mark.release
async def test_what_is_none_of_ours_costs_less_than_a_request_by_proxy(tmp_path: Path) -> None:
    spent = await measured(tmp_path)
    assert spent["RESPMOD"] < 0.7 * spent["passed"], spent
