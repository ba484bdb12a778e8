"""What was chosen for a site holds for the hosts below it, and only there."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from proxy.stores.remembered import MAX_PASSED, NO_CHOICE, Choice, Mode, PassThrough, Remembered

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
NEVER = Choice(Mode.NEVER)
ALWAYS = Choice(Mode.ALWAYS)


@pytest.mark.parametrize(
    ("host", "choice"),
    [
        ("example.com", NEVER),
        ("www.example.com", NEVER),
        ("EXAMPLE.com.", NEVER),
        ("deep.blog.example.com", ALWAYS),
        ("shop.example.com", NEVER),
        ("notexample.com", NO_CHOICE),
        ("com", NO_CHOICE),
        ("127.0.0.1", NO_CHOICE),
    ],
)
def test_the_nearest_choice_counts(host: str, choice: Choice) -> None:
    remembered = Remembered().with_choice("www.Example.com", NEVER)
    assert remembered.with_choice("blog.example.com", ALWAYS).choice(host) == choice


def test_an_address_has_no_domain_above_it() -> None:
    remembered = Remembered().with_choice("0.0.1", NEVER)
    assert remembered.choice("127.0.0.1") == NO_CHOICE


def test_a_choice_for_a_top_level_domain_reaches_nobody_below() -> None:
    assert Remembered().with_choice("com", NEVER).choice("example.com") == NO_CHOICE


def test_an_empty_choice_undoes() -> None:
    remembered = Remembered().with_choice("example.com", NEVER)
    assert remembered.with_choice("example.com", NO_CHOICE) == Remembered()


def test_passing_is_learned_by_host_and_undone() -> None:
    remembered = Remembered().with_passed(PassThrough("API.example.com", "refused", NOW))
    assert remembered.passes("api.example.com.")
    assert not remembered.passes("example.com")
    assert not remembered.without_passed(frozenset({"api.example.com"})).passes("api.example.com")


def test_only_so_many_are_learned_and_the_oldest_goes() -> None:
    hosts = {
        f"h{age}": PassThrough(f"h{age}", "refused", NOW - timedelta(seconds=age))
        for age in range(MAX_PASSED)
    }
    remembered = Remembered(passed=hosts).with_passed(PassThrough("new", "refused", NOW))
    assert len(remembered.passed) == MAX_PASSED
    assert remembered.passes("new")
    assert not remembered.passes(f"h{MAX_PASSED - 1}")


def test_doubtful_entries_are_those_of_clients_without_our_authority() -> None:
    remembered = Remembered().with_passed(PassThrough("pinned.example", "refused", NOW))
    remembered = remembered.with_passed(PassThrough("any.example", "refused", NOW, sure=False))
    assert remembered.doubtful() == {"any.example"}


@pytest.mark.parametrize(("minutes", "paused"), [(-1, True), (0, False), (1, False)])
def test_a_pause_ends_by_itself(minutes: int, paused: bool) -> None:
    assert Remembered(paused_until=NOW).is_paused(NOW + timedelta(minutes=minutes)) is paused


def test_without_a_pause_nothing_is_paused() -> None:
    assert not Remembered().is_paused(NOW)
