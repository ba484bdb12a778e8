"""A token holds for its purpose, for half a day, and for nobody who merely guesses."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.proxy.access.credentials.tokens import LIFE, FormTokens

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
TOKENS = FormTokens(b"k" * 32)
TOKEN = TOKENS.make("choose example.com", NOW)


def test_it_holds_for_its_purpose_until_it_ends() -> None:
    assert TOKENS.holds(TOKEN, "choose example.com", NOW)
    assert TOKENS.holds(TOKEN, "choose example.com", NOW + LIFE - timedelta(seconds=1))
    assert not TOKENS.holds(TOKEN, "choose example.com", NOW + LIFE + timedelta(hours=6))


def test_a_page_loaded_again_has_the_same_token() -> None:
    later = NOW + timedelta(hours=5, minutes=59)
    assert TOKENS.make("choose example.com", later) == TOKEN


def test_it_does_not_hold_for_another_site() -> None:
    assert not TOKENS.holds(TOKEN, "choose other.example", NOW)


def test_who_adopts_a_key_takes_what_others_made_and_what_was_made_before() -> None:
    other = FormTokens()
    before = other.make("pause", NOW)
    other.adopt(TOKENS.key)
    other.adopt(TOKENS.key)
    assert other.make("choose example.com", NOW) == TOKEN
    assert other.holds(TOKEN, "choose example.com", NOW)
    assert other.holds(before, "pause", NOW)
    assert not TOKENS.holds(before, "pause", NOW)
    assert not other.holds(before, "choose example.com", NOW)


def test_it_does_not_hold_for_another_run() -> None:
    assert not FormTokens().holds(TOKEN, "choose example.com", NOW)


def test_its_end_cannot_be_moved() -> None:
    end, _, mac = TOKEN.partition(".")
    assert not TOKENS.holds(f"{int(end, 16) + 60:x}.{mac}", "choose example.com", NOW)


def test_the_key_is_not_shown() -> None:
    assert "kkk" not in repr(TOKENS)


def test_it_may_stand_in_an_address() -> None:
    assert TOKEN.replace(".", "").replace("-", "").replace("_", "").isalnum()


@pytest.mark.parametrize("token", ["", ".", "zz.zz", "\ud800.\ud800", "f" * 10_000])
def test_nonsense_does_not_hold(token: str) -> None:
    assert not TOKENS.holds(token, "choose example.com", NOW)


@given(st.text(max_size=80))
def test_guesses_do_not_hold(token: str) -> None:
    assert not TOKENS.holds(token, "choose example.com", NOW)
