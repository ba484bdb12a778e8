"""Passwords are stored as slow, salted hashes; errors do not show them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from winnow.proxy.access.credentials.passwords import (
    PasswordError,
    hash_password,
    read_hash,
    read_users,
)

KEPT = hash_password("correct horse")


def test_the_right_password_matches_and_another_does_not() -> None:
    assert KEPT.matches("correct horse")
    assert not KEPT.matches("correct horse ")
    assert not KEPT.matches("")


def test_two_hashes_of_one_password_differ() -> None:
    assert str(hash_password("correct horse")) != str(KEPT)


def test_the_hash_does_not_contain_the_password() -> None:
    assert "correct" not in str(KEPT)


def test_what_was_written_is_read_back() -> None:
    assert read_hash(str(KEPT)) == KEPT


@settings(max_examples=8, deadline=None)
@given(st.text(max_size=40))
def test_any_text_can_be_a_password(password: str) -> None:
    assert read_hash(str(hash_password(password))).matches(password)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain",
        str(KEPT).replace("scrypt", "md5"),
        str(KEPT).replace("$16384$", "$999999999$"),
        str(KEPT).replace("$16384$", "$many$"),
        str(KEPT)[:-8],
        str(KEPT) + "$",
        str(KEPT).rpartition("$")[0] + "$not base64!",
    ],
    ids=[
        "empty",
        "plain",
        "md5",
        "costly",
        "many",
        "short",
        "long",
        "no base64",
    ],  # the salt is random
)
def test_a_damaged_hash_is_refused_unshown(text: str) -> None:
    with pytest.raises(PasswordError) as caught:
        read_users([f"ann:{text}"])
    assert str(caught.value).startswith("User ann: ")
    assert not text or text not in str(caught.value)


@pytest.mark.parametrize("line", ["", "ann", ":hash"])
def test_a_line_without_name_or_hash_says_how_one_looks(line: str) -> None:
    with pytest.raises(PasswordError, match="NAME:HASH"):
        read_users([line])


def test_users_are_read_by_name() -> None:
    assert read_users([f"ann:{KEPT}"]) == {"ann": KEPT}
