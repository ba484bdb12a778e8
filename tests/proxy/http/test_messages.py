"""A head has the lines that it was given, whatever stands in them, or it is an error."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow import proxy
from winnow.proxy.http.headers import Field, Headers
from winnow.proxy.http.messages import request_head, response_head
from winnow.proxy.http.proxy_errors import MalformedHeadError

BREAKING = ["\r\nX: y", "\n", "\r", "\0", "\r\n\r\nHTTP/1.1 200 OK"]
LIKELY = st.one_of(st.text(max_size=8), st.sampled_from(["", " ", "a: b", *BREAKING]))


@pytest.mark.parametrize("break_", BREAKING)
def test_no_part_of_a_head_holds_a_line_end_or_nul(break_: str) -> None:
    for field in (("X" + break_, "y"), ("X", f"y{break_}")):
        with pytest.raises(MalformedHeadError):
            response_head(200, "OK", Headers((field,)))
        with pytest.raises(MalformedHeadError):
            request_head("GET", "/", Headers((field,)))
    with pytest.raises(MalformedHeadError):
        response_head(200, f"OK{break_}", Headers())
    with pytest.raises(MalformedHeadError):
        request_head("GET", f"/{break_}", Headers())
    with pytest.raises(MalformedHeadError):
        request_head(f"GET{break_}", "/", Headers())


@pytest.mark.parametrize("name", ["", " ", "a b", "a:", "a(", "ä", "a\t", '"'])
def test_a_field_name_is_a_token(name: str) -> None:
    with pytest.raises(MalformedHeadError):
        response_head(200, "OK", Headers((("A", "b"), (name, "x"))))


def test_what_is_no_byte_is_an_error_and_no_traceback() -> None:
    with pytest.raises(MalformedHeadError):
        response_head(200, "OK", Headers((("Location", "/€"),)))


@pytest.mark.parametrize("target", ["", "/a b", "/\x7f", "/€", " /"])
def test_a_request_target_is_one_word(target: str) -> None:
    with pytest.raises(MalformedHeadError):
        request_head("GET", target, Headers())


def test_no_other_module_writes_a_head() -> None:
    root = Path(proxy.__file__).parent
    writing = re.compile(r"HTTP/1\.1(?! 100 Continue)(?:\\r\\n| [0-9%{]|\"[,\]])")
    found = {path.name for path in root.rglob("*.py") if writing.search(path.read_text())}
    assert found == {"messages.py"}


@given(LIKELY, st.lists(st.tuples(LIKELY, LIKELY), max_size=4))
def test_a_head_has_exactly_its_own_lines(phrase: str, fields: list[Field]) -> None:
    try:
        head = response_head(200, phrase, Headers(tuple(fields)))
    except MalformedHeadError:
        return
    first, *lines, empty, end = head.decode("latin-1").split("\r\n")
    assert first == f"HTTP/1.1 200 {phrase}"
    assert (empty, end) == ("", "")
    assert lines == [f"{name}: {value}" for name, value in fields]
    assert not set("\r\n\0") & set("".join([first, *lines]))


@given(st.lists(st.tuples(st.sampled_from([b"A", b"x-y"]), st.binary())))
def test_every_other_byte_survives(raw: list[tuple[bytes, bytes]]) -> None:
    plain = [(name, value.translate(None, b"\r\n\0")) for name, value in raw]
    expected = b"".join(name + b": " + value + b"\r\n" for name, value in plain)
    head = request_head("GET", "/", Headers.from_raw(plain))
    assert head == b"GET / HTTP/1.1\r\n" + expected + b"\r\n"
