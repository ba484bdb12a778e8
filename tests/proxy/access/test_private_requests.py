"""What a page causes at an address of its reader's network, by all that browsers say of it."""

from __future__ import annotations

import pytest

from winnow.proxy.access.private_requests import (
    PrivateAnswer,
    decide,
    is_inside,
    is_of_a_browser,
    private_request,
)
from winnow.proxy.http.headers import Headers

CHROME = "User-Agent: Mozilla/5.0"
PAGE = "Accept: text/html,*/*;q=0.8"
PUBLIC, ROUTER = "http://evil.example", "http://192.168.1.1"
CROSS = ("Sec-Fetch-Site: cross-site",)
ALLOW, ASK, REFUSE = PrivateAnswer.ALLOW, PrivateAnswer.ASK, PrivateAnswer.REFUSE


def fields(*lines: str) -> Headers:
    return Headers(tuple((line.partition(": ")[0], line.partition(": ")[2]) for line in lines))


def answer(method: str, *lines: str, host: str = "192.168.1.7", names: str = "") -> PrivateAnswer:
    return decide(private_request(host, method, fields(*lines), frozenset(names.split())))


@pytest.mark.parametrize(
    ("method", "lines", "expected"),
    [
        ("GET", ("Accept: image/*", f"Referer: {PUBLIC}/"), REFUSE),
        ("GET", ("Accept: image/*",), REFUSE),
        ("GET", ("Accept: */*", f"Origin: {PUBLIC}"), REFUSE),
        ("GET", (PAGE, f"Referer: {PUBLIC}/"), ASK),
        ("GET", (PAGE,), ASK),
        ("POST", (PAGE, f"Origin: {PUBLIC}", f"Referer: {PUBLIC}/"), REFUSE),
        ("POST", (PAGE, "Origin: null"), REFUSE),
        ("POST", (PAGE,), REFUSE),
        ("POST", (PAGE, f"Referer: {PUBLIC}/"), REFUSE),
        ("GET", ("Upgrade: websocket", f"Origin: {PUBLIC}"), REFUSE),
        ("GET", ("Upgrade: websocket", PAGE), REFUSE),
        ("OPTIONS", (f"Origin: {PUBLIC}", "Access-Control-Request-Method: GET"), REFUSE),
        ("GET", (*CROSS, "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"), REFUSE),
        ("GET", (*CROSS, "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe", PAGE), REFUSE),
        ("GET", (*CROSS, "Sec-Fetch-Mode: websocket", f"Origin: {PUBLIC}"), REFUSE),
        (
            "POST",
            (*CROSS, "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document", f"Origin: {PUBLIC}"),
            REFUSE,
        ),
        ("GET", ("Sec-Fetch-Site: same-site", f"Referer: {PUBLIC}/"), REFUSE),
        ("GET", (f"Referer: {ROUTER}.evil.example/", "Accept: image/*"), REFUSE),
        ("GET", ("Referer: http://x.2.0.ip6.arpa/", "Accept: image/*"), REFUSE),
    ],
)
def test_a_page_of_a_public_site_reaches_nothing(
    method: str, lines: tuple[str, ...], expected: PrivateAnswer
) -> None:
    assert answer(method, CHROME, *lines) is expected


@pytest.mark.parametrize(
    ("method", "lines"),
    [
        ("GET", (*CROSS, "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document", PAGE)),
        ("GET", ("Sec-Fetch-Site: none", PAGE)),
        ("POST", ("Sec-Fetch-Site: same-origin", "Origin: null")),
        ("POST", (f"Origin: {ROUTER}",)),
        ("GET", (f"Referer: {ROUTER}/menu", "Accept: image/*")),
        ("GET", ("Referer: http://fritz.lan/", "Accept: image/*")),
        ("GET", ("Upgrade: websocket", "Origin: http://192.168.1.7")),
        ("GET", ("Origin: moz-extension://a-1",)),
    ],
)
def test_a_person_and_a_page_of_the_network_do(method: str, lines: tuple[str, ...]) -> None:
    assert answer(method, CHROME, *lines) is ALLOW


def test_programs_are_not_asked() -> None:
    assert answer("POST", "User-Agent: curl/8.5.0") is ALLOW
    assert answer("GET") is ALLOW
    assert not is_of_a_browser(fields("User-Agent: curl/8.5.0"))
    assert is_of_a_browser(fields("User-Agent: Odd/1.0", "Referer: http://evil.example/"))


def test_an_address_that_was_allowed_is_opened_without_a_question() -> None:
    """But not from a page of a public site, as far as the browser says that one asks."""
    allowed = "192.168.1.7"
    assert answer("GET", CHROME, PAGE, names=allowed) is ALLOW
    assert answer("GET", CHROME, PAGE, f"Referer: {PUBLIC}/", names=allowed) is ASK
    assert answer("GET", CHROME, "Accept: image/*", f"Referer: {PUBLIC}/", names=allowed) is REFUSE
    assert answer("POST", CHROME, f"Origin: {PUBLIC}", names=allowed) is REFUSE
    assert answer("GET", CHROME, PAGE, host="192.168.1.8", names=allowed) is ASK


def test_which_hosts_are_of_the_network() -> None:
    names = frozenset({".corp.example", "nas.example"})
    for host in ("10.0.0.1", "router", "nas.lan", "x.corp.example", "corp.example", "nas.example"):
        assert is_inside(host, names), host
    for host in ("9.9.9.9", "example", "corp.example.com", "a.nas.example", "acorp.example"):
        assert is_inside(host, names) is (host == "example"), host
