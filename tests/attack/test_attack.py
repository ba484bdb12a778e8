"""A bounded sample of each family of ``make attack``, always the same: nothing gets through."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.attack.attempts import Attempt, made, sample
from tests.attack.catalogue import families
from tests.attack.network import Network
from tests.attack.worlds import World, world

MOST = 12
FEWER = {
    "certificate faults": 4,
    "claimed clients": 6,
    "messages of an extension": 30,
    "damaged files": 1,
    "expressions that backtrack": 1,
    "304 after never": 2,
    "choices across users": 2,
    "a full disk": 2,
    "a frozen Redis": 1,
    "two proxies": 1,
    "paths in replies": 1,
    "decoder bombs": 6,
    "large heads": 2,
    "unfair queue": 1,
    "slow readers": 1,
    "many idle clients": 1,
    "pages drawn in our browser": 1,
    "what is learned of a site": 4,
    "winnow setup": 4,
    "keys in Redis": 3,
    "our certificates": 6,
    "slow TLS handshakes": 2,
    "messages of ICAP": 6,
    "SOCKS5": 6,
}
"""Attempts of families of which each takes a second or more."""
IN_RELEASE = {"pages drawn in our browser": 3}
FAMILIES = families()


@dataclass(frozen=True)
class Attacked:
    """A proxy and the loop that it runs on."""

    runner: asyncio.Runner
    world: World

    def through(self, attempts: list[Attempt]) -> list[str]:
        return self.runner.run(self._tried(attempts))

    async def _tried(self, attempts: list[Attempt]) -> list[str]:
        outcomes = [await made(attempt, self.world) for attempt in attempts]
        return [str(outcome) for outcome in outcomes if outcome.through]


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    with asyncio.Runner(loop_factory=Network) as runner:
        opened = world(tmp_path_factory.mktemp("attack"))
        yield Attacked(runner, runner.run(opened.__aenter__()))
        runner.run(opened.__aexit__(None, None, None))


@pytest.mark.parametrize("family", FAMILIES)
def test_nothing_gets_through(family: str, attacked: Attacked) -> None:
    chosen = sample(FAMILIES[family], FEWER.get(family, MOST))
    assert attacked.through(chosen) == []


@pytest.mark.release
@pytest.mark.parametrize(("family", "most"), IN_RELEASE.items())
def test_nothing_gets_through_of_more(family: str, most: int, attacked: Attacked) -> None:
    assert attacked.through(sample(FAMILIES[family], most)) == []


def test_the_attacked_proxy_still_works(attacked: Attacked) -> None:
    """Or the families before it would have shown nothing."""
    assert attacked.through(FAMILIES["counter-proofs"]) == []


def test_there_are_enough_attempts() -> None:
    assert sum(map(len, FAMILIES.values())) > 10_000
    assert len(FAMILIES) >= 30
