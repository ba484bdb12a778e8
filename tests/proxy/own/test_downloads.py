"""Files that a browser saves have names that are safe on any system."""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.proxy.http.headers import Headers
from winnow.proxy.own.downloads import file_name, file_response, in_ranges
from winnow.proxy.own.router import OwnResponse


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("The Flood: what we know?", "the-flood-what-we-know"),
        ("Über Äpfel", "über-äpfel"),
        ("../../etc/passwd", "etc-passwd"),
        ('"; filename=x.exe', "filename-x.exe"),
        ("...", "page"),
        ("", "page"),
    ],
)
def test_a_name_is_of_the_title(title: str, name: str) -> None:
    assert file_name(title) == name


@given(st.text())
def test_a_name_is_one_on_any_system(title: str) -> None:
    name = file_name(title)
    assert re.fullmatch(r"[\w.-]{1,80}", name)
    assert name[0] not in ".-"


@given(st.text())
def test_a_browser_reads_the_name_that_was_meant(title: str) -> None:
    name = f"{file_name(title)}.epub"
    (said,) = dict(file_response(b"", "application/epub+zip", name).fields).values()
    plain, _, encoded = said.removeprefix("attachment; filename=").partition("; filename*=UTF-8''")
    assert said.isascii()
    assert re.fullmatch(r'"[\w.-]+"', plain, re.ASCII)
    assert (unquote(encoded) or plain.strip('"')) == name


FILE = OwnResponse(b"0123456789", "audio/ogg")


@pytest.mark.parametrize(
    ("wanted", "status", "body", "said"),
    [
        ("", 200, b"0123456789", ""),
        ("bytes=0-", 206, b"0123456789", "bytes 0-9/10"),
        ("bytes=2-4", 206, b"234", "bytes 2-4/10"),
        ("bytes=-3", 206, b"789", "bytes 7-9/10"),
        ("bytes=8-99", 206, b"89", "bytes 8-9/10"),
        ("bytes=10-", 416, b"", "bytes */10"),
        ("bytes=4-2", 200, b"0123456789", ""),
        ("lines=1-2", 200, b"0123456789", ""),
    ],
)
def test_a_range_is_answered_by_its_part(wanted: str, status: int, body: bytes, said: str) -> None:
    answer = in_ranges(FILE, Headers((("Range", wanted),)))
    assert (answer.status, answer.body) == (status, body)
    assert dict(answer.fields).get("Content-Range", "") == said
    assert dict(answer.fields)["Accept-Ranges"] == "bytes"


def test_a_range_of_another_file_gets_the_whole_of_this_one() -> None:
    tag = dict(in_ranges(FILE, Headers(())).fields)["ETag"]
    part = Headers((("Range", "bytes=2-4"), ("If-Range", tag)))
    assert in_ranges(FILE, part).status == 206
    assert in_ranges(replace(FILE, body=b"another"), part).status == 200
