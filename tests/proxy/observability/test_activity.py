"""The list of the pages opened last: whose they are, what is kept of them, and for how long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, replace

import pytest

from tests.proxy.origins import Origin, ask, get, html
from tests.proxy.proxies import proxying
from winnow.document.values import Purpose
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.headers import Headers
from winnow.proxy.observability.activity import (
    LONGEST_ADDRESS,
    MAX_CLIENTS,
    PAGES_EACH,
    Activities,
    ActivityChange,
    ActivityLog,
    is_listed,
)
from winnow.proxy.observability.events import Event, PageOpened

OPENED = PageOpened(
    "127.0.0.1", "https://a.example:8443/b?c=d", True, 1.0, "extracted", "page", "bte", "", 0.1
)
PLAIN = replace(OPENED, url="http://a.example/b", is_intercepted=False)
PAGE = b"<html><body><p>A page that somebody wrote.</p></body></html>"
BROWSER = "Accept: text/html,application/xhtml+xml,*/*;q=0.8"


@pytest.mark.parametrize(
    ("client", "user", "field", "expected"),
    [
        ("127.0.0.1", "", "", True),
        ("::1", "", "", True),
        ("192.168.1.6", "", "", False),
        ("192.168.1.6", "anna", "", True),
        ("", "", "", False),
        ("127.0.0.1", "", "X-Forwarded-For", False),
        ("127.0.0.1", "", "Forwarded", False),
        ("127.0.0.1", "", "Via", False),
        ("127.0.0.1", "anna", "Via", True),
    ],
)
def test_only_a_person_s_own_requests_are_listed(
    client: str, user: str, field: str, expected: bool
) -> None:
    headers = Headers(((field, "x"),) if field else ())
    assert is_listed(RequestHead("GET", "/", headers, client, user=user)) is expected


async def test_the_path_of_an_intercepted_page_needs_consent_and_goes_with_it() -> None:
    log = ActivityLog()
    log(OPENED)
    log(PLAIN)
    first, second = log.of("127.0.0.1")
    assert (first.url, first.is_whole) == ("https://a.example:8443", False)
    assert second == PLAIN
    await log.change("192.168.1.6", ActivityChange.PATHS)
    assert not log.lists_paths("127.0.0.1")
    await log.change("127.0.0.1", ActivityChange.PATHS)
    log(OPENED)
    assert log.of("127.0.0.1")[-1] == OPENED
    await log.change("127.0.0.1", ActivityChange.NO_PATHS)
    assert [page.url for page in log.of("127.0.0.1")] == [first.url, PLAIN.url, first.url]


async def test_each_sees_and_clears_the_own_list_alone() -> None:
    log = ActivityLog()
    reported: list[Sequence[str]] = []

    async def notify(change: Sequence[str]) -> None:
        reported.append(change)

    log.notify = notify
    log(PLAIN)
    log(replace(PLAIN, owner="user:anna"))
    await log.change("user:anna", ActivityChange.CLEAR)
    assert (len(log.of("127.0.0.1")), log.of("user:anna")) == (1, ())
    other = ActivityLog()
    other(replace(PLAIN, owner="user:anna"))
    other.on_notify(reported[0])
    assert other.of("user:anna") == ()


def test_it_is_bounded() -> None:
    log = ActivityLog()
    log(replace(PLAIN, url="http://a.example/" + "x" * LONGEST_ADDRESS))
    assert log.of("127.0.0.1")[0].url == "http://a.example"
    for number in range(PAGES_EACH + 1):
        log(replace(PLAIN, at=number))
    assert len(log.of("127.0.0.1")) == PAGES_EACH
    for number in range(MAX_CLIENTS):
        log(replace(PLAIN, owner=f"user:{number}"))
    assert log.of("127.0.0.1") == ()


def test_switched_off_it_keeps_nothing() -> None:
    log = ActivityLog()
    log(PLAIN)
    log.switch(enabled=False)
    log(PLAIN)
    assert log.of("127.0.0.1") == ()
    assert not log.keeps(RequestHead("GET", "/", Headers()))


async def test_what_a_person_opens_is_an_event_and_nothing_else(
    origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("winnow.proxy.observability.activity.time.time", lambda: 5.0)
    origin.replies["/a"] = html(PAGE)
    origin.replies["/moved"] = b"HTTP/1.1 302 Found\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n"
    events: list[Event] = []
    async with proxying() as proxy:
        proxy.transform.purpose = Purpose.ARTICLE
        object.__setattr__(proxy.front, "observe", events.append)
        for path, *fields in (
            ("/a", BROWSER),
            ("/a", BROWSER, "Sec-Fetch-Dest: image"),
            ("/a", "Accept: */*"),
            ("/moved", BROWSER),
            ("/missing", BROWSER),
        ):
            await ask(proxy.port, get(origin.url(path), *fields))
        await ask(proxy.port, get("http://127.0.0.1:1/", BROWSER))
    opened = [event for event in events if isinstance(event, PageOpened)]
    found = [(page.url, page.action, page.reason, page.purpose) for page in opened]
    assert found == [
        (origin.url("/a"), "extracted", "page", "article"),
        (origin.url("/missing"), "original", "status", ""),
        ("http://127.0.0.1:1/", "failed", "origin-unreachable", ""),
    ]
    assert all(page.at == 5.0 - page.seconds for page in opened)
    assert opened[0].method == "auto"
    assert all(0 < page.seconds < 60 for page in opened)


async def test_a_request_s_number_leads_to_a_whole_address_alone() -> None:
    """The path of an opened HTTPS page is not kept: what is left would be another page."""
    log, there = ActivityLog(), replace(PLAIN, number="3")

    async def elsewhere(_owner: str) -> list[object]:
        return [[list(astuple(there))], None]

    for opened in (replace(OPENED, number="1"), replace(PLAIN, number="2")):
        log(opened)
    found = [await Activities(log, elsewhere).address(PLAIN.owner, each) for each in "1234"]
    assert found == ["", PLAIN.url, PLAIN.url, ""]
    assert await Activities(ActivityLog(), elsewhere).address("user:ben", "2") == ""
