"""What is weaker through Winnow is seen; the whole table is a run of ``make attack``."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.attack import comparison
from tests.attack.comparison import ATTACKS, compared, weaker
from tests.attack.network import Network


def test_what_winnow_lets_through_alone_is_weaker() -> None:
    assert weaker([False, True, True])
    assert weaker([None, False, True])
    assert not weaker([True, True, True])
    assert not weaker([None, True, True])
    assert not weaker([False, True, False])


@pytest.mark.release
def test_a_pages_requests_and_another_address_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = ("a page loads an image, hidden", "a name leads inside too")
    monkeypatch.setattr(comparison, "ATTACKS", {name: ATTACKS[name] for name in chosen})
    with asyncio.Runner(loop_factory=Network) as runner:
        found = runner.run(compared(tmp_path))
    assert found == {
        chosen[0]: [False, True, False, False],
        chosen[1]: [None, True, False, None],
    }
