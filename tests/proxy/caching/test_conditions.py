"""Conditions and ranges answered from a stored reply (RFC 9110, sections 13 and 14)."""

from __future__ import annotations

import pytest

from tests.proxy.caching.making import entry, fields, http_date, reply
from winnow.proxy.caching.conditions import answer, has_validator, is_unchanged, of_304, validating

CHANGED = http_date(-1000)
BODY = b"0123456789"


@pytest.mark.parametrize(
    ("requested", "reported", "unchanged"),
    [
        (('If-None-Match: "1"',), ('ETag: "1"',), True),
        (('If-None-Match: "0", "1"',), ('ETag: "1"',), True),
        (('If-None-Match: "0"', 'If-None-Match: "1"'), ('ETag: "1"',), True),
        (('If-None-Match: W/"1"',), ('ETag: "1"',), True),
        (('If-None-Match: "1"',), ('ETag: W/"1"',), True),
        (('If-None-Match: "a,b"',), ('ETag: "a,b"',), True),
        (('If-None-Match: "2"',), ('ETag: "1"',), False),
        (("If-None-Match: *",), (), True),
        (('If-None-Match: "1"',), (), False),
        (
            ('If-None-Match: "2"', f"If-Modified-Since: {CHANGED}"),
            ('ETag: "1"', f"Last-Modified: {CHANGED}"),
            False,
        ),
        ((f"If-Modified-Since: {CHANGED}",), (f"Last-Modified: {CHANGED}",), True),
        ((f"If-Modified-Since: {http_date(-1001)}",), (f"Last-Modified: {CHANGED}",), False),
        ((f"If-Modified-Since: {http_date()}",), (f"Last-Modified: {CHANGED}",), True),
        ((f"If-Modified-Since: {http_date()}",), (f"Date: {CHANGED}",), True),
        (("If-Modified-Since: nonsense",), (f"Last-Modified: {CHANGED}",), False),
        ((), ('ETag: "1"',), False),
    ],
)
def test_whether_the_client_has_it(
    requested: tuple[str, ...], reported: tuple[str, ...], unchanged: bool
) -> None:
    assert is_unchanged(fields(*requested), fields(*reported)) is unchanged


def test_who_has_it_gets_304_with_the_fields_that_count() -> None:
    stored = entry('ETag: "1"', "Content-Type: text/html", "Cache-Control: max-age=1", "Vary: A")
    head, body = answer(fields('If-None-Match: "1"'), stored, stored.headers)
    assert (head.status, body) == (304, b"")
    assert {name.lower() for name, _ in head.headers} == {"date", "etag", "cache-control", "vary"}


def test_only_a_200_answers_conditions_and_ranges() -> None:
    stored = entry('ETag: "1"', status=404)
    for requested in ('If-None-Match: "1"', "Range: bytes=0-1"):
        head, body = answer(fields(requested), stored, stored.headers)
        assert (head.status, body) == (404, BODY)


@pytest.mark.parametrize(
    ("wanted", "status", "content", "part"),
    [
        ("bytes=0-3", 206, "bytes 0-3/10", b"0123"),
        ("bytes=4-", 206, "bytes 4-9/10", b"456789"),
        ("bytes=-3", 206, "bytes 7-9/10", b"789"),
        ("bytes=-30", 206, "bytes 0-9/10", BODY),
        ("bytes=8-99", 206, "bytes 8-9/10", b"89"),
        ("Bytes = 0-0 ", 206, "bytes 0-0/10", b"0"),
        ("bytes=10-", 416, "bytes */10", b""),
        ("bytes=-0", 416, "bytes */10", b""),
        ("bytes=5-4", 200, "", BODY),
        ("bytes=0-1,4-5", 200, "", BODY),
        ("bytes=-", 200, "", BODY),
        ("bytes=a-b", 200, "", BODY),
        ("lines=0-1", 200, "", BODY),
        ("bytes=0-" + "9" * 5000, 200, "", BODY),
        ("nonsense", 200, "", BODY),
    ],
)
def test_ranges(wanted: str, status: int, content: str, part: bytes) -> None:
    stored = entry()
    head, body = answer(fields(f"Range: {wanted}"), stored, stored.headers)
    assert (head.status, head.headers.get("content-range"), body) == (status, content, part)


def test_no_range_of_nothing_can_be_had() -> None:
    stored = entry(body=b"")
    assert answer(fields("Range: bytes=0-"), stored, stored.headers)[0].status == 416


@pytest.mark.parametrize(
    ("condition", "reported", "status"),
    [
        ('"1"', ('ETag: "1"',), 206),
        ('"2"', ('ETag: "1"',), 200),
        ('W/"1"', ('ETag: W/"1"',), 200),
        ('"1"', ('ETag: W/"1"',), 200),
        (CHANGED, (f"Last-Modified: {CHANGED}",), 206),
        (http_date(), (f"Last-Modified: {CHANGED}",), 200),
        ('"1"', (), 200),
    ],
)
def test_if_range_holds_for_the_very_same_only(
    condition: str, reported: tuple[str, ...], status: int
) -> None:
    stored, requested = entry(*reported), fields("Range: bytes=0-3", f"If-Range: {condition}")
    assert answer(requested, stored, stored.headers)[0].status == status


def test_a_condition_goes_before_a_range() -> None:
    stored = entry('ETag: "1"')
    requested = fields("Range: bytes=0-3", 'If-None-Match: "1"')
    assert answer(requested, stored, stored.headers)[0].status == 304


def test_the_origin_is_requested_with_our_validators_and_for_the_whole() -> None:
    requested = fields('If-None-Match: "theirs"', "If-Range: x", "Range: bytes=0-1", "Accept: a")
    stored = entry('ETag: "ours"', f"Last-Modified: {CHANGED}")
    assert validating(requested, stored) == fields(
        "Accept: a", 'If-None-Match: "ours"', f"If-Modified-Since: {CHANGED}"
    )


def test_without_a_validator_nothing_can_be_requested() -> None:
    assert has_validator(entry('ETag: "1"'))
    assert has_validator(entry(f"Last-Modified: {CHANGED}"))
    assert not has_validator(entry("Cache-Control: max-age=1"))


def test_a_304_repeats_no_field_of_the_body() -> None:
    assert "content-type" not in of_304(reply("Content-Type: text/html").headers)
