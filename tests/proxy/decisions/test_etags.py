"""Validators of transformed pages: what goes out comes back, and nothing else does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.jobs.rendering_key import etag_mark
from winnow.proxy.decisions.etags import (
    Validator,
    derived,
    matches,
    of_body,
    origins_conditions,
    read,
    validator_of,
)
from winnow.proxy.http.headers import Headers

MARK, OTHER = etag_mark("bte|html"), etag_mark("dsc|html")
TAG = Validator("e", '"theirs"')
DATE = Validator("m", "Sat, 21 Nov 2026 12:00:00 GMT")

printable = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), max_size=60)


@given(printable, st.sampled_from("emb"), st.booleans())
def test_a_validator_comes_back_under_the_same_mark_only(
    value: str, kind: str, tidied: bool
) -> None:
    validator = Validator(kind, value, tidied)
    field = f'"x", {derived(validator, MARK)}, W/"y"'
    assert read(field, MARK) == (validator,)
    assert read(field, OTHER) == ()


@given(st.text(max_size=80))
def test_no_field_raises(field: str) -> None:
    assert all(item.kind in "emb" for item in read(field, MARK))


def test_the_origins_etag_counts_before_its_date() -> None:
    both = Headers((("Last-Modified", DATE.value), ("ETag", TAG.value)))
    assert validator_of(both) == TAG
    assert validator_of(both.without(["etag"])) == DATE
    assert validator_of(Headers()) is None


@pytest.mark.parametrize(
    ("fields", "sent"),
    [
        ((), ()),
        ((("If-None-Match", derived(TAG, MARK)),), (("If-None-Match", '"theirs"'),)),
        ((("If-None-Match", derived(DATE, MARK)),), (("If-Modified-Since", DATE.value),)),
        ((("If-None-Match", derived(TAG, OTHER)),), ()),
        ((("If-None-Match", '"theirs"'), ("If-Modified-Since", DATE.value)), ()),
        ((("If-None-Match", derived(of_body(b"x"), MARK)),), ()),
    ],
)
def test_the_origin_is_requested_with_its_own_validators(
    fields: tuple[tuple[str, str], ...], sent: tuple[tuple[str, str], ...]
) -> None:
    assert origins_conditions(Headers(fields), MARK).fields == sent


def test_a_validator_cannot_smuggle_a_field() -> None:
    evil = derived(Validator("e", '"x"\r\nHost: evil'), MARK)
    assert origins_conditions(Headers((("If-None-Match", evil),)), MARK).fields == ()


def test_our_own_body_is_known_again() -> None:
    known = Headers((("If-None-Match", derived(of_body(b"page"), MARK)),))
    assert matches(known, of_body(b"page"), MARK)
    assert not matches(known, of_body(b"other"), MARK)
