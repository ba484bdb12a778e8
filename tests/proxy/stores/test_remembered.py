"""What was chosen for a site holds for the hosts below it, and only there."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from proxy.stores.remembered import (
    MAX_PASSED,
    MAX_PASSED_EACH,
    NO_CHOICE,
    Choice,
    Mode,
    PassThrough,
    Remembered,
)

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


def refused(host: str, age: float = 0, client: str = "::1", hello: str = "abc") -> PassThrough:
    return PassThrough(host, "refused", NOW - timedelta(seconds=age), True, client, hello)


def test_a_refusal_holds_for_one_host_and_one_client() -> None:
    remembered = Remembered().with_passed(refused("API.example.com"))
    assert remembered.passes("api.example.com.", "::1", "abc", NOW)
    assert not remembered.passes("example.com", "::1", "abc", NOW)
    assert not remembered.passes("api.example.com", "::1", "other", NOW)
    assert not remembered.passes("api.example.com", "::2", "abc", NOW)
    undone = remembered.without_passed(remembered.refused_at("api.example.com"))
    assert not undone.passed


@pytest.mark.parametrize(
    ("age", "holds"),
    [(0, True), (6.9, True), (7, False), (400, False), (-0.5, True), (-2, False)],
)
def test_a_refusal_lapses_also_when_the_clock_was_put_back(age: float, holds: bool) -> None:
    remembered = Remembered().with_passed(refused("a.example", age * 86_400))
    assert remembered.passes("a.example", "::1", "abc", NOW) is holds


def test_lapsed_refusals_go_with_the_next_one() -> None:
    remembered = Remembered().with_passed(refused("old.example", 8 * 86_400))
    assert set(remembered.with_passed(refused("new.example")).passed) == {"new.example ::1 abc"}


def test_only_so_many_are_learned_and_the_oldest_goes() -> None:
    entries = [refused(f"h{age}", age, f"10.0.{age // 100}.1") for age in range(MAX_PASSED)]
    remembered = Remembered(passed={entry.key: entry for entry in entries})
    remembered = remembered.with_passed(refused("new"))
    assert len(remembered.passed) == MAX_PASSED
    assert remembered.refused_at("new")
    assert not remembered.refused_at(f"h{MAX_PASSED - 1}")


def test_a_client_pushes_out_its_own_and_no_other_s() -> None:
    remembered = Remembered().with_passed(refused("other.example", 60, "::2"))
    for number in range(MAX_PASSED_EACH + 20):
        remembered = remembered.with_passed(refused(f"h{number}", 30 - number / 1000))
    assert remembered.refused_at("other.example")
    assert len(remembered.passed) == MAX_PASSED_EACH + 1


def test_doubtful_entries_are_those_of_clients_without_our_authority() -> None:
    remembered = Remembered().with_passed(refused("pinned.example"))
    doubtful = PassThrough("any.example", "refused", NOW, False, "::1", "abc")
    remembered = remembered.with_passed(doubtful)
    assert remembered.refused_by("::1", "abc", doubtful=True) == {doubtful.key}
    assert len(remembered.refused_by("::1", "abc")) == 2
    assert not remembered.refused_by("::1", "def")


@pytest.mark.parametrize(("minutes", "paused"), [(-1, True), (0, False), (1, False)])
def test_a_pause_ends_by_itself(minutes: int, paused: bool) -> None:
    assert Remembered(paused_until=NOW).is_paused(NOW + timedelta(minutes=minutes)) is paused


def test_without_a_pause_nothing_is_paused() -> None:
    assert not Remembered().is_paused(NOW)
