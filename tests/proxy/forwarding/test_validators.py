"""A transformed page is a representation of its own: its fields, its validators, its ranges."""

from __future__ import annotations

import gzip
from dataclasses import replace

from tests.proxy.origins import Answer, Origin, ask, get, html, reply
from tests.proxy.proxies import Proxy
from winnow.document.values import Treatment, treated

PAGE = b"<html><body><p>A page that somebody wrote.</p></body></html>"
BROWSER = "Accept: text/html,application/xhtml+xml,*/*;q=0.8"


async def test_head_says_what_get_would_say(origin: Origin, proxy: Proxy) -> None:
    fields = (
        "Content-Type: text/html",
        "Content-Length: 5000",
        'ETag: "e"',
        "Accept-Ranges: bytes",
    )
    origin.replies["/a"] = reply(b"", *fields, length=False)
    origin.replies["/i"] = reply(b"", "Content-Type: image/png", "Content-Length: 77", length=False)
    page = await ask(proxy.port, get(origin.url("/a"), BROWSER, method="HEAD"))
    assert page.field("content-length") == ""
    assert page.field("accept-ranges") == "none"
    assert page.field("winnow-action") == "extracted"
    origin.replies["/a"] = html(PAGE, 'ETag: "e"')
    whole = await ask(proxy.port, get(origin.url("/a"), BROWSER))
    assert page.field("etag") == whole.field("etag") != ""
    image = await ask(proxy.port, get(origin.url("/i"), BROWSER, method="HEAD"))
    assert image.field("content-length") == "77"


async def test_a_range_is_untouched(origin: Origin, proxy: Proxy) -> None:
    part = reply(b"cd", "Content-Type: text/html", "Content-Range: bytes 2-3/9", status="206 Part")
    origin.replies["/a"] = part
    fields = (BROWSER, "Range: bytes=2-3", 'If-Range: "e"', "Accept-Encoding: sdch")
    answer = await ask(proxy.port, get(origin.url("/a"), *fields))
    assert (answer.status, answer.body) == (206, b"cd")
    assert answer.field("content-range") == "bytes 2-3/9"
    sent = origin.requests[0].lower()
    assert b'range: bytes=2-3\r\nif-range: "e"\r\naccept-encoding: sdch' in sent


async def revisited(origin: Origin, proxy: Proxy, *validators: str) -> tuple[Answer, Answer]:
    """A page, and what comes when the browser asks for it again with what it was told."""
    origin.replies["/a"] = html(PAGE, *validators)
    first = await ask(proxy.port, get(origin.url("/a"), BROWSER))
    if validators:
        origin.replies["/a"] = reply(b"", *validators, status="304 Not Modified", length=False)
    again = f"If-None-Match: {first.field('etag')}"
    return first, await ask(proxy.port, get(origin.url("/a"), BROWSER, again))


async def test_a_star_is_any_page(origin: Origin, proxy: Proxy) -> None:
    for fields in ((), ('ETag: "theirs"',)):
        origin.replies["/a"] = html(PAGE, *fields)
        answer = await ask(proxy.port, get(origin.url("/a"), BROWSER, "If-None-Match: *"))
        assert (answer.status, answer.body) == (304, b"")
        assert answer.field("etag").startswith('W/"winnow-')


async def test_head_is_validated_as_get_is(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/a"] = html(PAGE, 'ETag: "theirs"')
    url = origin.url("/a")
    shown = await ask(proxy.port, get(url, BROWSER, method="HEAD"))
    tag = shown.field("etag")
    for condition, status in (("*", 304), (tag, 304), ('"theirs"', 200)):
        fields = (BROWSER, f"If-None-Match: {condition}")
        answer = await ask(proxy.port, get(url, *fields, method="HEAD"))
        assert (answer.status, answer.field("etag")) == (status, tag)
        assert (await ask(proxy.port, get(url, *fields))).status == status


async def test_head_of_a_page_whose_purpose_decides_is_validated_too(
    origin: Origin, proxy: Proxy
) -> None:
    origin.replies["/a"] = html(PAGE)
    proxy.policy = replace(proxy.policy, treatments=treated(Treatment.TIDY))
    answer = await ask(
        proxy.port, get(origin.url("/a"), BROWSER, "If-None-Match: *", method="HEAD")
    )
    assert answer.status == 304


async def test_a_page_that_did_not_change_is_not_sent_again(origin: Origin, proxy: Proxy) -> None:
    first, second = await revisited(origin, proxy, 'ETag: "theirs"')
    assert (second.status, second.field("etag")) == (304, first.field("etag"))
    assert b'if-none-match: "theirs"' in origin.requests[-1].lower()
    assert second.field("vary") == first.field("vary")
    assert len(proxy.transform.pages) == 1


async def test_an_origin_that_knows_dates_only_is_requested_by_date(
    origin: Origin, proxy: Proxy
) -> None:
    date = "Sat, 21 Nov 2026 12:00:00 GMT"
    first, second = await revisited(origin, proxy, f"Last-Modified: {date}")
    assert first.field("last-modified") == ""
    assert (second.status, second.field("etag")) == (304, first.field("etag"))
    assert f"if-modified-since: {date}".lower().encode() in origin.requests[-1].lower()


async def test_an_origin_without_validators_costs_no_body_either(
    origin: Origin, proxy: Proxy
) -> None:
    first, second = await revisited(origin, proxy)
    assert (second.status, second.field("etag")) == (304, first.field("etag"))


async def test_the_original_s_validators_are_none_of_ours(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/a"] = html(PAGE, 'ETag: "theirs"')
    conditions = ('If-None-Match: "theirs"', "If-Modified-Since: Sat, 21 Nov 2026 12:00:00 GMT")
    answer = await ask(proxy.port, get(origin.url("/a"), BROWSER, *conditions))
    assert answer.status == 200
    assert b"if-none-match" not in origin.requests[0].lower()
    assert b"if-modified-since" not in origin.requests[0].lower()
    image = ("Accept: image/png", *conditions)
    await ask(proxy.port, get(origin.url("/a"), *image))
    assert b'if-none-match: "theirs"' in origin.requests[1].lower()


async def test_a_page_that_may_change_by_a_choice_is_requested_for_each_time(
    origin: Origin, proxy: Proxy
) -> None:
    origin.replies["/a"] = html(PAGE, "Cache-Control: max-age=600")
    answer = await ask(proxy.port, get(origin.url("/a"), BROWSER))
    assert answer.field("cache-control") == "max-age=600, no-cache"


async def test_fields_that_describe_the_original_are_gone(origin: Origin, proxy: Proxy) -> None:
    fields = (
        "Content-MD5: x", "Digest: x", "Content-Digest: x", "Repr-Digest: x", "Link: <a>; rel=x",
        "Content-Security-Policy: default-src 'self'; frame-ancestors 'none'", "X-Other: stays",
    )  # fmt: skip
    origin.replies["/a"] = html(PAGE, *fields)
    answer = await ask(proxy.port, get(origin.url("/a"), BROWSER))
    for gone in ("content-md5", "digest", "content-digest", "repr-digest", "link"):
        assert answer.field(gone) == ""
    policy = answer.field("content-security-policy")
    assert "style-src 'self' 'unsafe-inline'" in policy
    assert policy.endswith("frame-ancestors 'none'")
    assert answer.field("x-other") == "stays"


async def test_what_the_client_accepts_of_codings_is_cut_to_what_we_can_undo(
    origin: Origin, proxy: Proxy
) -> None:
    origin.replies["/a"] = html(gzip.compress(PAGE), "Content-Encoding: gzip")
    await ask(proxy.port, get(origin.url("/a"), BROWSER, "Accept-Encoding: sdch, gzip;q=0.5, exi"))
    assert b"accept-encoding: gzip;q=0.5\r\n" in origin.requests[0].lower()


async def test_a_304_says_whether_the_page_is_tidied(origin: Origin, proxy: Proxy) -> None:
    for treatment, action in ((Treatment.TIDY, "tidied"), (Treatment.EXTRACT, "extracted")):
        proxy.transform.treatment = treatment
        first, second = await revisited(origin, proxy, 'ETag: "theirs"')
        assert (first.field("winnow-action"), second.field("winnow-action")) == (action, action)
        assert (second.status, second.field("etag")) == (304, first.field("etag"))


async def test_a_head_does_not_say_what_the_purpose_of_a_page_decides(
    origin: Origin, proxy: Proxy
) -> None:
    proxy.policy = replace(proxy.policy, treatments=treated(Treatment.TIDY))
    fields = ("Content-Type: text/html", 'ETag: "e"', "Content-Security-Policy: default-src *")
    origin.replies["/a"] = reply(b"", *fields, length=False)
    head = await ask(proxy.port, get(origin.url("/a"), BROWSER, method="HEAD"))
    for name in ("winnow-action", "etag", "content-length", "content-security-policy"):
        assert head.field(name) == "", name
    assert head.field("winnow-reason") == "page"
    asked = get(origin.url("/a"), BROWSER, "Winnow-Mode: extract", method="HEAD")
    assert (await ask(proxy.port, asked)).field("winnow-action") == "extracted"


async def test_a_head_says_what_a_get_of_the_same_version_has_shown(
    origin: Origin, proxy: Proxy
) -> None:
    proxy.policy = replace(proxy.policy, treatments=treated(Treatment.TIDY))
    proxy.transform.treatment, proxy.transform.instead = Treatment.TIDY, "player-lost"
    names = (
        "winnow-action",
        "winnow-reason",
        "winnow-extractor",
        "etag",
        "content-security-policy",
        "vary",
    )
    origin.replies["/a"] = html(PAGE, 'ETag: "e"')
    got = await ask(proxy.port, get(origin.url("/a"), BROWSER))
    assert (got.field("winnow-action"), got.field("etag") != "") == ("tidied", True)
    assert got.field("winnow-reason") == "player-lost"
    origin.replies["/a"] = reply(b"", "Content-Type: text/html", 'ETag: "e"', length=False)
    head = await ask(proxy.port, get(origin.url("/a"), BROWSER, method="HEAD"))
    assert [head.field(name) for name in names] == [got.field(name) for name in names]
    other = await ask(proxy.port, get(origin.url("/a"), BROWSER, "Winnow-Level: 3", method="HEAD"))
    assert other.field("etag") != got.field("etag")
    origin.replies["/a"] = reply(b"", "Content-Type: text/html", 'ETag: "n"', length=False)
    changed = await ask(proxy.port, get(origin.url("/a"), BROWSER, method="HEAD"))
    assert (changed.field("winnow-action"), changed.field("etag")) == ("", "")
