"""Users and open networks are admitted; guessing is slowed down."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from ipaddress import ip_network

import pytest

from winnow.proxy.access.credentials.authentication import (
    MOST_VERIFYING,
    Admitted,
    Authenticator,
    Denied,
)
from winnow.proxy.access.credentials.passwords import PasswordHash, hash_password

KEPT = hash_password("secret")
STRANGER = "203.0.113.9"


class Slow(PasswordHash):
    """Counts how often a password is really verified."""

    tried = 0

    def matches(self, password: str) -> bool:
        type(self).tried += 1
        return super().matches(password)


class Clock:
    """A clock that the test turns."""

    seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def gate(clock: Clock) -> Authenticator:
    Slow.tried = 0
    slow = Slow(KEPT.cost, KEPT.block, KEPT.lanes, KEPT.salt, KEPT.digest)
    return Authenticator({"ann": slow}, (ip_network("127.0.0.0/8"),), clock)


def basic(name: str, password: str) -> str:
    return "Basic " + b64encode(f"{name}:{password}".encode()).decode()


RIGHT = basic("ann", "secret")


async def test_a_trusted_network_needs_no_password(gate: Authenticator) -> None:
    assert await gate.admit("127.0.0.1", None) == Admitted()
    assert await gate.admit("::ffff:127.0.0.1", None) == Admitted()


async def test_a_stranger_needs_one(gate: Authenticator) -> None:
    assert await gate.admit(STRANGER, None) == Denied()
    assert await gate.admit(STRANGER, RIGHT) == Admitted("ann")


@pytest.mark.parametrize(
    "credentials",
    [
        basic("ann", "wrong"),
        basic("bob", "secret"),
        basic("", ""),
        "Basic",
        "Basic !!!",
        "Basic " + b64encode(b"\xff\xfe").decode(),
        "Bearer " + RIGHT.removeprefix("Basic "),
        "Basic " + "A" * 5000,
        "\udce4",
    ],
)
async def test_whatever_is_not_right_is_denied(gate: Authenticator, credentials: str) -> None:
    assert await gate.admit(STRANGER, credentials) == Denied()


async def test_the_scheme_may_be_written_small(gate: Authenticator) -> None:
    assert await gate.admit(STRANGER, RIGHT.replace("Basic", "basic")) == Admitted("ann")


async def test_a_password_may_hold_colons_and_umlauts(clock: Clock) -> None:
    gate = Authenticator({"ann": hash_password("a:ß")}, (), clock)
    assert await gate.admit(STRANGER, basic("ann", "a:ß")) == Admitted("ann")


async def test_the_same_credentials_are_verified_once(gate: Authenticator, clock: Clock) -> None:
    burst = await asyncio.gather(*(gate.admit(STRANGER, RIGHT) for _ in range(20)))
    assert set(burst) == {Admitted("ann")}
    assert Slow.tried == 1
    clock.seconds += 601
    assert await gate.admit(STRANGER, RIGHT) == Admitted("ann")
    assert Slow.tried == 2


async def test_guessing_ends_after_five_failures(gate: Authenticator) -> None:
    for number in range(5):
        assert await gate.admit(STRANGER, basic("ann", f"guess {number}")) == Denied()
    assert await gate.admit(STRANGER, RIGHT) == Denied(wait=300)
    assert Slow.tried == 5


async def test_guessing_at_once_ends_as_soon(gate: Authenticator) -> None:
    guesses = [basic("ann", f"guess {number}") for number in range(40)]
    await asyncio.gather(*(gate.admit(STRANGER, guess) for guess in guesses))
    assert Slow.tried == 5


async def test_other_places_are_not_punished(gate: Authenticator) -> None:
    for number in range(5):
        await gate.admit(STRANGER, basic("ann", f"guess {number}"))
    assert await gate.admit("203.0.113.10", RIGHT) == Admitted("ann")


async def test_who_was_in_stays_in_while_a_neighbour_guesses(gate: Authenticator) -> None:
    assert await gate.admit(STRANGER, RIGHT) == Admitted("ann")
    for number in range(6):
        await gate.admit(STRANGER, basic("ann", f"guess {number}"))
    assert await gate.admit(STRANGER, RIGHT) == Admitted("ann")


async def test_failures_are_forgiven(gate: Authenticator, clock: Clock) -> None:
    for number in range(5):
        await gate.admit(STRANGER, basic("ann", f"guess {number}"))
    clock.seconds += 301
    assert await gate.admit(STRANGER, RIGHT) == Admitted("ann")


async def test_success_clears_the_count(gate: Authenticator) -> None:
    for number in range(4):
        await gate.admit(STRANGER, basic("ann", f"guess {number}"))
    await gate.admit(STRANGER, RIGHT)
    assert await gate.admit(STRANGER, basic("ann", "guess")) == Denied()


async def test_addresses_of_one_ipv6_network_are_one_place(gate: Authenticator) -> None:
    for number in range(5):
        await gate.admit(f"2001:db8::{number}", basic("ann", f"guess {number}"))
    assert await gate.admit("2001:db8::ffff", RIGHT) == Denied(wait=300)
    assert await gate.admit("2001:db8:0:1::1", RIGHT) == Admitted("ann")


async def test_success_anywhere_in_an_ipv6_network_clears_its_count(gate: Authenticator) -> None:
    for number in range(4):
        await gate.admit(f"2001:db8::{number}", basic("ann", f"guess {number}"))
    await gate.admit("2001:db8::ffff", RIGHT)
    assert await gate.admit("2001:db8::1", basic("ann", "guess")) == Denied()


async def test_an_api_key_is_no_password_and_no_password_is_an_api_key(clock: Clock) -> None:
    networks = (ip_network("127.0.0.0/8"),)
    gate = Authenticator({"ann": hash_password("secret")}, networks, clock, keys={"robot": KEPT})
    assert await gate.admit(STRANGER, "Bearer robot.secret") == Admitted("robot", by_key=True)
    assert await gate.admit("127.0.0.1", "bearer robot.secret") == Admitted("robot", by_key=True)
    assert await gate.admit("127.0.0.1", "Bearer robot.guess") == Denied()
    assert await gate.admit("203.0.113.10", "Bearer ann.secret") == Denied()
    assert await gate.admit("203.0.113.10", basic("robot", "secret")) == Denied()


async def test_a_key_is_checked_where_no_password_is_needed(
    gate: Authenticator,
) -> None:
    assert await gate.admit("127.0.0.1", None, is_open=False) == Denied()
    assert await gate.admit("127.0.0.1", RIGHT, is_open=False) == Admitted("ann")


async def test_an_unknown_name_takes_as_long_as_any_other(
    gate: Authenticator, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []

    def matches(_: PasswordHash, password: str) -> bool:
        tried.append(password)
        return True

    monkeypatch.setattr(PasswordHash, "matches", matches)
    assert await gate.admit(STRANGER, basic("nobody", "secret")) == Denied()
    assert tried == ["secret"]


async def test_no_more_credentials_wait_than_may(
    gate: Authenticator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are verified one after the other, so each that waits delays those behind it."""
    hindered = asyncio.Event()

    async def never(*_: object) -> bool:
        return await hindered.wait()

    monkeypatch.setattr(asyncio, "to_thread", never)
    waiting = [
        asyncio.create_task(gate.admit(f"198.51.{number}.1", basic("ann", str(number))))
        for number in range(MOST_VERIFYING)
    ]
    await asyncio.sleep(0)
    assert await gate.admit(STRANGER, RIGHT) == Denied(60)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    for verifying in gate._verifying.values():
        verifying.cancel()
    await asyncio.sleep(0)
