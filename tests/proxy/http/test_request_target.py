"""An address is a value that cannot be malformed: two ways in, one type."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.request_target import (
    Origin,
    Target,
    absolute_url,
    origin_target,
    parse_authority,
    parse_target,
    parse_url,
    quoted,
)

HERE = Origin("http", "a.example", 80)
CONTROLS = [chr(code) for code in (*range(0x20), 0x7F)]
ANYTHING = st.text(st.characters(max_codepoint=0x250), max_size=30)


@pytest.mark.parametrize("control", CONTROLS)
def test_no_address_holds_a_control_character(control: str) -> None:
    for path in (f"/{control}", f"/a{control}b", f"/a{control}"):
        with pytest.raises(ClientFaultError):
            Target(HERE, path)
    for host in (control, f"a{control}b", f"a{control}"):
        with pytest.raises(ClientFaultError):
            Origin("http", host, 80)
        with pytest.raises(ClientFaultError):
            parse_authority(host, "https")
    for url in (
        f"http://a/{control}",
        f"{control}http://a/",
        f"http://a{control}/",
        f"http://a/{control}x",
    ):
        with pytest.raises(ClientFaultError):
            parse_url(url)
        with pytest.raises(ClientFaultError):
            parse_target(url)


@pytest.mark.parametrize("path", ["", "a", "/ ", "/#", "/€", "**", "//a b"])
def test_a_path_that_is_none_cannot_be_made(path: str) -> None:
    with pytest.raises(ClientFaultError):
        Target(HERE, path)


@pytest.mark.parametrize(
    ("scheme", "host", "port"),
    [
        ("ftp", "a", 80),
        ("http", "", 80),
        ("http", "a/b", 80),
        ("http", "a@b", 80),
        ("http", "a b", 80),
        ("http", "a" * 256, 80),
        ("http", "ä", 80),
        ("http", "a", 0),
        ("http", "a", 65536),
    ],
)
def test_an_origin_that_is_none_cannot_be_made(scheme: str, host: str, port: int) -> None:
    with pytest.raises(ClientFaultError):
        Origin(scheme, host, port)


@pytest.mark.parametrize(
    ("given_", "url"),
    [
        ("http://a.example/ä€", "http://a.example/%C3%A4%E2%82%AC"),
        ("https://пример.example/путь?имя=да", None),
        ("http://例え.example/日本", None),
        ("http://BÜCHER.example", "http://xn--bcher-kva.example/"),
        ("http://a.example/%zz%", "http://a.example/%zz%"),
        ("http://a.example/a b?c d", "http://a.example/a%20b?c%20d"),
        ("http://u:p@a.example/#f", "http://a.example/"),
        ("http://a.example?q", "http://a.example/?q"),
        ("http://a.example/?", "http://a.example/?"),
        ("http://a.example/b/../c", "http://a.example/c"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://[::1]:81/", "http://[::1]:81/"),
        ("http://a.example/%0d%0aX:%20y", "http://a.example/%0d%0aX:%20y"),
    ],
)
def test_what_people_give_is_read_as_browsers_read_it(given_: str, url: str | None) -> None:
    read = parse_url(given_)
    assert read.url.isascii()
    assert url is None or read.url == url
    assert parse_url(read.url) == read


@pytest.mark.parametrize("text", ["", "a", "ftp://a/", "javascript:1", "http://", "http://a:0/"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ClientFaultError):
        parse_url(text)


@given(ANYTHING.map(lambda text: f"http://a.example/{text}"))
@example('http://a.example/|[]{}"^`<>\\%zz%00?#x')
def test_a_forwarded_target_is_refused_or_stays_as_it_is(text: str) -> None:
    try:
        target = parse_target(text)
    except ClientFaultError:
        assert not all("!" <= letter <= "~" for letter in text)
        return
    assert target.url == text.partition("#")[0]
    assert target == origin_target(target.origin, target.path)


@given(ANYTHING, ANYTHING)
def test_whatever_is_read_can_be_sent(given_: str, reference: str) -> None:
    for url in (given_, f"http://{given_}", f"http://a.example/{given_}"):
        try:
            found = [parse_url(url), parse_url(absolute_url("http://a.example/b?c", reference))]
        except ClientFaultError:
            continue
        for target in found:
            assert target.url.isascii()
            assert target.url.isprintable()
            assert " " not in target.url


def test_a_location_in_raw_bytes_leads_where_a_browser_would_go() -> None:
    raw = "/ä€".encode().decode("latin-1")
    assert absolute_url("http://a.example/b", raw) == "http://a.example/%C3%A4%E2%82%AC"
    assert quoted("/\xff") == "/%FF"
    with pytest.raises(ClientFaultError):
        absolute_url("http://a.example/", "http://[")
