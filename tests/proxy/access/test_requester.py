"""Whom a request's work is counted against."""

from __future__ import annotations

import pytest

from winnow.proxy.access.requester import client_key


@pytest.mark.parametrize(
    ("user", "address", "key"),
    [
        ("", "192.0.2.7", "192.0.2.7"),
        ("", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("", "2001:db8:1:2:ffff::", "2001:db8:1:2::"),
        ("", "2001:db8:1:3::", "2001:db8:1:3::"),
        ("", "::ffff:192.0.2.7", "::ffff:192.0.2.7"),
        ("", "", ""),
        ("ann", "192.0.2.7", "user ann"),
        ("192.0.2.7", "192.0.2.8", "user 192.0.2.7"),
    ],
)
def test_a_user_by_name_and_a_stranger_by_address(user: str, address: str, key: str) -> None:
    assert client_key(user, address) == key
