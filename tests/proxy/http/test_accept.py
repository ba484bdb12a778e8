"""What a client would rather have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.proxy.http.accept import accepts_coding, limited_to, preferences


@pytest.mark.parametrize(
    ("field", "names"),
    [
        ("a/b, c/d", ["a/b", "c/d"]),
        ("a/b;q=0.5, c/d", ["c/d", "a/b"]),
        ("A/B ; Q=0.5 ,, c/d;x=y;q=0.4", ["a/b", "c/d"]),
        ("a/b;q=high, c/d;q=0.1", ["c/d", "a/b"]),
        ("", []),
    ],
)
def test_the_most_wanted_comes_first(field: str, names: list[str]) -> None:
    assert [member.name for member in preferences(field)] == names


@given(st.text(max_size=60))
def test_no_field_raises(field: str) -> None:
    assert all(0 <= member.weight <= 1 for member in preferences(field))


@pytest.mark.parametrize(
    ("field", "coding", "expected"),
    [
        (None, "gzip", False),
        (None, "identity", True),
        ("gzip", "gzip", True),
        ("gzip;q=0", "gzip", False),
        ("*", "br", True),
        ("*;q=0", "identity", False),
        ("gzip, identity;q=0", "identity", False),
        ("gzip", "identity", True),
    ],
)
def test_a_coding_is_accepted_or_not(field: str | None, coding: str, expected: bool) -> None:
    assert accepts_coding(field, coding) is expected


def test_a_field_is_reduced_to_supported_codings() -> None:
    supported = frozenset({"gzip", "br"})
    assert (
        limited_to("gzip;q=0.5, sdch, BR, identity;q=0", supported)
        == "gzip;q=0.5, BR, identity;q=0"
    )
    assert limited_to("sdch", supported) == "identity"
