"""A byte costs no more than it may; what costs more is seen."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.attack.__main__ import run
from tests.attack.attempts import Attempt
from tests.attack.server_process import MIB, Weight
from tests.attack.shadow import shadowing
from tests.attack.web import throw
from tests.attack.weights import ATTEMPTS, serving, weights
from tests.attack.worlds import World

CHOSEN = ("unfinished body", "unfinished head", "JSON of objects", "malformed Referer")


def test_what_weighs_too_much_is_seen() -> None:
    ordinary = Weight("ordinary", 2000, 3 * MIB, 0.1)
    assert not Weight("as ordinary", 2000, 3 * MIB, 0.1).through(ordinary, 100)
    assert "for a byte" in Weight("bomb", 280_000, 521 * MIB, 0.5).through(ordinary, 20)
    assert not Weight("body", 300 * MIB, 300 * MIB, 0.5).through(ordinary, 100)
    assert "CPU" in Weight("search", MIB, 0, 3.5).through(ordinary, 1)


@pytest.mark.release
def test_no_attempt_weighs_too_much() -> None:
    assert set(CHOSEN) <= set(ATTEMPTS)
    with serving() as server:
        found = asyncio.run(weights(server, 30, list(CHOSEN)))
    assert [each.name for each, _ in found] == list(CHOSEN)
    assert not [f"{each.name}: {through}" for each, through in found if through]
    bodies = next(each for each, _ in found if each.name == "unfinished body")
    assert bodies.sent > 60 * MIB


@pytest.mark.release
def test_what_attempts_send_is_weighed_in_a_process_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unfinished bodies are held by the byte: no more, and seen where that would be too much."""

    async def unfinished(world: World) -> str:
        head = f"POST /-/api/extract HTTP/1.1\r\nHost: {world.own}\r\nContent-Length: 9000000"
        await throw(world.port, head.encode() + b"\r\n\r\n" + b"x" * MIB, silence=2)
        return ""

    attempts = [Attempt("weights", "unfinished", unfinished)]
    with shadowing(tmp_path / "light") as shadow:
        light = run(attempts, shadow, 40)
    monkeypatch.setattr("tests.attack.server_process.GROWTH", 0.2)
    with shadowing(tmp_path / "heavy") as shadow:  # another process: memory is kept for later
        heavy = run(attempts, shadow, 40)
    assert (light.through, light.sent > 30) == ([], True)
    assert 0.5 < light.held < 20
    assert [line.partition(":")[0] for line in heavy.through] == ["unfinished"]
