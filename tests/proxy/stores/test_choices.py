"""What was chosen for a site holds for the hosts below it, and only there."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.proxy.stores.memories import at
from winnow.proxy.http.request_target import Origin
from winnow.proxy.stores.choices import (
    EVERYBODY,
    MAX_OWNED,
    MAX_PASSED,
    MAX_PASSED_EACH,
    UNTIL_RESTART,
    Choices,
    Owned,
    PassThrough,
)
from winnow.proxy.stores.site_choice import NO_CHOICE, Choice, SiteMode
from winnow.proxy.stores.site_keys import site_key

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
NEVER = Choice(SiteMode.NEVER)
ALWAYS = Choice(SiteMode.ALWAYS)


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
    remembered = Choices().with_choice(EVERYBODY, "example.com", NEVER)
    assert (
        remembered.with_choice(EVERYBODY, "blog.example.com", ALWAYS).choice(EVERYBODY, at(host))
        == choice
    )


def test_an_address_has_no_domain_above_it() -> None:
    remembered = Choices().with_choice(EVERYBODY, "0.0.1", NEVER)
    assert remembered.choice(EVERYBODY, at("127.0.0.1")) == NO_CHOICE


def test_a_choice_for_a_top_level_domain_reaches_nobody_below() -> None:
    assert (
        Choices().with_choice(EVERYBODY, "com", NEVER).choice(EVERYBODY, at("example.com"))
        == NO_CHOICE
    )


def test_an_empty_choice_undoes() -> None:
    remembered = Choices().with_choice(EVERYBODY, "example.com", NEVER)
    assert remembered.with_choice(EVERYBODY, "example.com", NO_CHOICE) == Choices()


def refused(host: str, age: float = 0, client: str = "::1", hello: str = "abc") -> PassThrough:
    return PassThrough(host, "refused", NOW - timedelta(seconds=age), True, client, hello)


def test_a_refusal_holds_for_one_host_and_one_client() -> None:
    remembered = Choices().with_passed(refused("API.example.com"))
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
    remembered = Choices().with_passed(refused("a.example", age * 86_400))
    assert remembered.passes("a.example", "::1", "abc", NOW) is holds


def test_lapsed_refusals_go_with_the_next_one() -> None:
    remembered = Choices().with_passed(refused("old.example", 8 * 86_400))
    assert set(remembered.with_passed(refused("new.example")).passed) == {"new.example ::1 abc"}


def test_only_so_many_are_learned_and_the_oldest_goes() -> None:
    entries = [refused(f"h{age}", age, f"10.0.{age // 100}.1") for age in range(MAX_PASSED)]
    remembered = Choices(passed={entry.key: entry for entry in entries})
    remembered = remembered.with_passed(refused("new"))
    assert len(remembered.passed) == MAX_PASSED
    assert remembered.refused_at("new")
    assert not remembered.refused_at(f"h{MAX_PASSED - 1}")


def test_a_client_pushes_out_its_own_and_no_other_s() -> None:
    remembered = Choices().with_passed(refused("other.example", 60, "::2"))
    for number in range(MAX_PASSED_EACH + 20):
        remembered = remembered.with_passed(refused(f"h{number}", 30 - number / 1000))
    assert remembered.refused_at("other.example")
    assert len(remembered.passed) == MAX_PASSED_EACH + 1


def test_doubtful_entries_are_those_of_clients_without_our_authority() -> None:
    remembered = Choices().with_passed(refused("pinned.example"))
    doubtful = PassThrough("any.example", "refused", NOW, False, "::1", "abc")
    remembered = remembered.with_passed(doubtful)
    assert remembered.refused_by("::1", "abc", doubtful=True) == {doubtful.key}
    assert len(remembered.refused_by("::1", "abc")) == 2
    assert not remembered.refused_by("::1", "def")


@pytest.mark.parametrize(("minutes", "paused"), [(-1, True), (0, False), (1, False)])
def test_a_pause_ends_by_itself(minutes: int, paused: bool) -> None:
    remembered, then = Choices().with_pause(EVERYBODY, NOW), NOW + timedelta(minutes=minutes)
    assert remembered.is_paused(EVERYBODY, then) is paused


def test_a_clock_that_is_set_back_ends_a_pause() -> None:
    choices = Choices().with_pause(ANNA, NOW + timedelta(hours=1))
    assert choices.is_paused(ANNA, NOW)
    assert not choices.is_paused(ANNA, NOW - timedelta(days=1))
    assert Choices().with_pause(ANNA, UNTIL_RESTART).is_paused(ANNA, NOW - timedelta(days=1))


def test_without_a_pause_nothing_is_paused() -> None:
    assert not Choices().is_paused(EVERYBODY, NOW)


ANNA, BEN = "user:anna", "192.168.1.9"


def test_a_choice_counts_for_its_owner_and_everybodys_for_all() -> None:
    remembered = Choices().with_choice(ANNA, "example.com", NEVER)
    remembered = remembered.with_choice(EVERYBODY, "example.com", Choice(SiteMode.ALWAYS, "bte"))
    here = at("example.com")
    assert remembered.choice(ANNA, here) == Choice(SiteMode.NEVER, "bte")
    assert remembered.choice(BEN, here) == Choice(SiteMode.ALWAYS, "bte")
    assert remembered.choice("", here) == Choice(SiteMode.ALWAYS, "bte")
    undone = remembered.with_choice(ANNA, "example.com", NO_CHOICE)
    assert undone.choice(ANNA, here).mode == "always"


def test_a_level_is_a_method_and_takes_the_place_of_everybodys() -> None:
    remembered = Choices().with_choice(EVERYBODY, "example.com", Choice(None, "bte"))
    remembered = remembered.with_choice(ANNA, "example.com", Choice(level=3))
    assert remembered.choice(ANNA, at("example.com")) == Choice(None, None, 3)


def test_a_pause_counts_for_its_owner() -> None:
    later = NOW + timedelta(hours=1)
    remembered = Choices().with_pause(ANNA, later)
    assert remembered.is_paused(ANNA, NOW)
    assert not remembered.is_paused(BEN, NOW)
    assert remembered.with_pause(EVERYBODY, later).is_paused(BEN, NOW)
    assert remembered.with_pause(ANNA, None) == Choices()


@pytest.mark.parametrize(
    ("scheme", "host", "port", "key"),
    [
        ("http", "example.com", 80, "example.com"),
        ("https", "www.example.com", 443, "example.com"),
        ("http", "example.com", 443, "example.com"),
        ("http", "www.example.com", 8081, "example.com:8081"),
        ("http", "127.0.0.1", 8081, "127.0.0.1:8081"),
        ("http", "::1", 8081, "[::1]:8081"),
        ("http", "::1", 80, "::1"),
    ],
)
def test_the_key_of_a_site_has_the_port_where_it_is_a_rare_one(
    scheme: str, host: str, port: int, key: str
) -> None:
    assert site_key(Origin(scheme, host, port)) == key


def test_a_choice_for_one_port_does_not_govern_another() -> None:
    remembered = Choices().with_choice(ANNA, "example.com:8081", NEVER)
    assert remembered.choice(ANNA, at("example.com", 8081)) == NEVER
    assert remembered.choice(ANNA, at("sub.example.com", 8081)) == NEVER
    for port in (80, 443, 8080):
        assert remembered.choice(ANNA, at("example.com", port)) == NO_CHOICE
    plain = Choices().with_choice(ANNA, "example.com", NEVER)
    assert plain.choice(ANNA, at("example.com", 443)) == NEVER
    assert plain.choice(ANNA, at("example.com", 8081)) == NO_CHOICE


def test_who_has_most_loses_the_oldest_beyond_the_bound() -> None:
    many = {f"s{number}.example": NEVER for number in range(MAX_OWNED - 2)}
    one = {"example.com": NEVER}
    full = Choices({BEN: Owned(many), EVERYBODY: Owned(one), ANNA: Owned(one)})
    more = full.with_choice(ANNA, "example.org", NEVER)
    assert set(more.of(ANNA).choices) == {"example.com", "example.org"}
    assert more.of(EVERYBODY).choices == one
    assert len(more.of(BEN).choices) == MAX_OWNED - 3
    assert "s0.example" not in more.of(BEN).choices
    assert len(more.with_pause(ANNA, NOW).of(BEN).choices) == MAX_OWNED - 4


def test_of_owners_with_one_choice_each_the_oldest_goes_but_never_everybodys() -> None:
    owners = {f"10.0.{n >> 8}.{n & 255}": Owned({"a.example": NEVER}) for n in range(MAX_OWNED - 1)}
    full = Choices({EVERYBODY: Owned({"a.example": NEVER}), **owners})
    more = full.with_choice(ANNA, "a.example", NEVER)
    assert len(more.owners) == MAX_OWNED
    assert EVERYBODY in more.owners
    assert ANNA in more.owners
    assert "10.0.0.0" not in more.owners
