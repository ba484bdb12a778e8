"""Fields as a value: case, order, lists, and what ends at this hop."""

from __future__ import annotations

import pytest

from winnow.proxy.http.headers import Headers, end_to_end, hop_by_hop, media_type, parameter

FIELDS = Headers((("A", "1"), ("b", "2"), ("a", "3"), ("C", "")))


def test_look_up_ignores_case_and_fields_stay_in_order() -> None:
    assert FIELDS.get("a") == FIELDS.get("A") == "1"
    assert FIELDS.every("a") == ("1", "3")
    assert FIELDS.joined("a") == "1, 3"
    assert "B" in FIELDS
    assert FIELDS.get("C", "x") == ""
    assert FIELDS.get("D", "x") == "x"
    assert tuple(FIELDS) == (("A", "1"), ("b", "2"), ("a", "3"), ("C", ""))


def test_a_change_makes_another_value() -> None:
    assert FIELDS.without(["A"]).fields == (("b", "2"), ("C", ""))
    assert FIELDS.replaced(("a", "4")).fields == (("b", "2"), ("C", ""), ("a", "4"))
    assert FIELDS.plus(("d", "5")).fields[-1] == ("d", "5")
    assert len(FIELDS.fields) == 4


def test_a_list_s_members_are_lower_case_and_empty_ones_are_none() -> None:
    listed = Headers((("Connection", "Close, ,X-A"), ("connection", " Keep-Alive ")))
    assert listed.items("connection") == ("close", "x-a", "keep-alive")


def test_what_the_connection_names_ends_here_but_what_makes_the_message() -> None:
    named = Headers(
        (("Connection", "X-Hop, Host, Content-Length, TE"), ("X-Hop", "1"), ("Host", "h"))
    )
    assert "x-hop" in hop_by_hop(named)
    assert "host" not in hop_by_hop(named)
    assert end_to_end(named).fields == (("Host", "h"),)


@pytest.mark.parametrize(
    ("value", "kind", "charset"),
    [
        ("text/html", "text/html", None),
        ('Text/HTML ; charset="UTF-8"', "text/html", "UTF-8"),
        ("text/html;charset=koi8-r;x=y", "text/html", "koi8-r"),
        ("text/html; charset=", "text/html", None),
        ("", "", None),
    ],
)
def test_a_media_type_is_read(value: str, kind: str, charset: str | None) -> None:
    assert media_type(Headers((("Content-Type", value),))) == kind
    assert parameter(value, "charset") == charset
