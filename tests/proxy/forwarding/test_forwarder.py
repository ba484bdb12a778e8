"""What a client of the forward proxy sees: pages extracted, everything else as it was."""

from __future__ import annotations

import asyncio
import gzip
import tracemalloc
from dataclasses import replace

import pytest

from tests.proxy.origins import Origin, ask, get, html, read_answer, reply
from tests.proxy.proxies import FakeTransform, Proxy, proxying
from winnow.document.values import Format, Treatment
from winnow.proxy.decisions.policy import Policy

PAGE = b"<html><body><p>A page that somebody wrote.</p></body></html>"
BROWSER = "Accept: text/html,application/xhtml+xml,*/*;q=0.8"


async def test_a_page_is_extracted_and_everything_reported_of_it_is_true(
    origin: Origin, proxy: Proxy
) -> None:
    origin.replies["/a"] = html(
        PAGE, 'ETag: "theirs"', "Accept-Ranges: bytes", "Set-Cookie: a=b", "Alt-Svc: h3=x"
    )
    answer = await ask(proxy.port, get(origin.url("/a"), BROWSER))
    assert answer.status == 200
    assert b"extracted" in answer.body
    assert b"winnow:bar" not in answer.body
    assert int(answer.field("content-length")) == len(answer.body)
    assert answer.field("etag") not in ("", '"theirs"')
    assert answer.field("accept-ranges") == "none"
    assert answer.field("set-cookie") == "a=b"
    assert answer.field("alt-svc") == ""
    assert answer.field("winnow-action") == "extracted"
    assert answer.field("winnow-reason") == "page"
    assert answer.field("winnow-extractor") == "auto"
    assert answer.field("via") == "1.1 winnow-test"
    assert answer.field("server-timing").startswith("fetch;dur=")
    assert "Accept-Encoding" in answer.field("vary")
    assert proxy.transform.pages[0].body == PAGE
    assert proxy.transform.pages[0].charset == "utf-8"
    assert proxy.transform.pages[0].url == origin.url("/a")


async def test_what_is_no_page_goes_through_byte_for_byte(origin: Origin, proxy: Proxy) -> None:
    image = bytes(range(256)) * 1000
    origin.replies["/i"] = reply(image, "Content-Type: image/png", 'ETag: "theirs"')
    answer = await ask(proxy.port, get(origin.url("/i"), BROWSER))
    assert answer.body == image
    assert answer.field("etag") == '"theirs"'
    assert answer.field("winnow-action") == "original"
    assert answer.field("winnow-reason") == "not-html"


async def test_the_origin_sees_no_field_of_ours_nor_of_the_connection(
    origin: Origin, proxy: Proxy
) -> None:
    fields = ("Winnow-Mode: original", "Proxy-Authorization: Basic eDp5", "Connection: x-hop")
    await ask(proxy.port, get(origin.url("/"), *fields, "X-Hop: 1", "X-End: 2", "TE: trailers"))
    head = origin.requests[0].lower()
    assert head.startswith(b"get / http/1.1\r\nhost: 127.0.0.1:%d\r\n" % origin.port)
    assert b"x-end: 2" in head
    assert b"via: 1.1 winnow-test" in head
    for gone in (b"winnow-mode", b"proxy-authorization", b"x-hop", b"te:", b"connection:"):
        assert gone not in head


@pytest.mark.parametrize("coding", ["gzip", "identity"])
async def test_a_transformed_body_is_coded_as_the_client_likes(
    origin: Origin, proxy: Proxy, coding: str
) -> None:
    origin.replies["/a"] = html(gzip.compress(PAGE), "Content-Encoding: gzip")
    answer = await ask(proxy.port, get(origin.url("/a"), BROWSER, f"Accept-Encoding: {coding}"))
    body = gzip.decompress(answer.body) if coding == "gzip" else answer.body
    assert b"extracted" in body
    assert answer.field("content-encoding") == ("gzip" if coding == "gzip" else "")
    assert proxy.transform.pages[0].body == PAGE


@pytest.mark.parametrize("name", ["text", "markdown", "json", "spans"])
async def test_a_field_chooses_the_format(origin: Origin, proxy: Proxy, name: str) -> None:
    origin.replies["/a"] = html(PAGE)
    answer = await ask(proxy.port, get(origin.url("/a"), f"Winnow-Format: {name}"))
    assert answer.field("content-type") == f"text/{name}"


async def test_an_unknown_format_is_refused_by_name(origin: Origin, proxy: Proxy) -> None:
    answer = await ask(proxy.port, get(origin.url("/a"), "Winnow-Format: parchment"))
    assert answer.status == 400
    assert "parchment" in answer.body.decode()


FAULTY_PAGES = {
    "empty": (b"", (), "empty"),
    "blank": (b" \r\n\t", (), "empty"),
    "nul bytes": (b"\x00" * 4000, (), "empty"),
    "no markup": (b"just words, labelled text/html", (), "not-markup"),
    "json": (b'{"a": "<b>"}', (), "not-markup"),
    "a picture": (b"\x89PNG\r\n\x1a\n<", (), "not-markup"),
    "cut gzip": (gzip.compress(PAGE * 100)[:-20], ("Content-Encoding: gzip",), "coding"),
    "no gzip": (PAGE, ("Content-Encoding: gzip",), "coding"),
    "unknown coding": (PAGE, ("Content-Encoding: sdch",), "coding"),
}


@pytest.mark.parametrize("name", FAULTY_PAGES)
async def test_a_faulty_page_goes_through_as_it_was(
    origin: Origin, proxy: Proxy, name: str
) -> None:
    body, fields, reason = FAULTY_PAGES[name]
    origin.replies["/a"] = html(body, *fields)
    origin.replies["/next"] = html(PAGE)
    answer = await ask(proxy.port, get(origin.url("/a"), BROWSER))
    assert (answer.status, answer.body) == (200, body)
    assert (answer.field("winnow-action"), answer.field("winnow-reason")) == ("original", reason)
    following = await ask(proxy.port, get(origin.url("/next"), BROWSER))
    assert following.field("winnow-action") == "extracted"


async def test_a_forty_byte_page_is_a_page(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/a"] = html(b"<p>Forty bytes of a page, no more.</p> .")
    answer = await ask(proxy.port, get(origin.url("/a"), BROWSER))
    assert answer.field("winnow-action") == "extracted"


def small(policy: Policy) -> Policy:
    """Pages of at most 100,000 bytes, decoded 200,000."""
    bounds = type(policy.bounds)(bytes=200_000)
    return Policy(policy.name, policy.own_names, bounds=bounds, largest_body=100_000)


@pytest.mark.parametrize("declared", [True, False])
async def test_a_page_above_the_limit_streams(origin: Origin, declared: bool) -> None:
    body = b"<p>" + b"x" * 300_000
    origin.replies["/a"] = reply(body, "Content-Type: text/html", length=declared)
    async with proxying(change=small) as proxy:
        answer = await ask(proxy.port, get(origin.url("/a"), BROWSER))
        assert answer.body == body
        assert answer.field("winnow-reason") == "too-large"


async def test_a_bomb_streams_as_it_came(origin: Origin) -> None:
    bomb = gzip.compress(b"<p>" + b"\x00" * 30_000_000)
    origin.replies["/a"] = html(bomb, "Content-Encoding: gzip")
    async with proxying(change=small) as proxy:
        answer = await ask(proxy.port, get(origin.url("/a"), BROWSER))
        assert answer.body == bomb
        assert answer.field("content-encoding") == "gzip"
        assert answer.field("winnow-reason") == "too-large"


async def test_a_page_of_many_codings_streams_as_it_came(origin: Origin) -> None:
    body = PAGE
    for _ in range(990):
        body = gzip.compress(body, 1)
    origin.replies["/a"] = html(body, "Content-Encoding: " + ", ".join(["gzip"] * 990))
    async with proxying() as proxy:
        answer = await ask(proxy.port, get(origin.url("/a"), BROWSER))
        posted = await ask(proxy.port, _posted(body, 990))
    assert (answer.status, answer.body) == (200, body)
    assert answer.field("winnow-reason") == "coding"
    assert posted.status == 400


async def test_codings_without_end_cost_no_memory(origin: Origin) -> None:
    origin.replies["/a"] = html(PAGE, "Content-Encoding: " + ",".join(["gzip"] * 40_000))
    async with proxying() as proxy:
        requested = get(origin.url("/a"), BROWSER)
        await asyncio.gather(*[ask(proxy.port, requested) for _ in range(16)])
        tracemalloc.start()
        try:
            answers = await asyncio.gather(*[ask(proxy.port, requested) for _ in range(16)])
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert {answer.field("winnow-reason") for answer in answers} == {"coding"}
    assert peak < 32 * 1024 * 1024  # heads and their copies, 16 times


def _posted(body: bytes, codings: int) -> bytes:
    coded = "Content-Encoding: " + ", ".join(["gzip"] * codings)
    url = "/-/api/extract?format=text"
    return get(url, coded, f"Content-Length: {len(body)}", method="POST") + body


@pytest.mark.parametrize(("alone", "kind"), [(True, "e"), (False, "b")])
async def test_a_page_that_depends_on_more_than_the_reply_has_an_etag_of_its_own(
    origin: Origin, alone: bool, kind: str
) -> None:
    origin.replies["/a"] = html(PAGE, 'ETag: "theirs"')
    async with proxying(FakeTransform(by_page_alone=alone)) as proxy:
        answer = await ask(proxy.port, get(origin.url("/a"), BROWSER))
    assert answer.field("etag").startswith(f'W/"winnow-{kind}-')


async def test_a_failed_extraction_shows_the_original_with_a_line(origin: Origin) -> None:
    origin.replies["/a"] = html(PAGE, 'ETag: "theirs"')
    async with proxying(FakeTransform(failure="deadline")) as proxy:
        answer = await ask(proxy.port, get(origin.url("/a"), BROWSER))
    assert b"A page that somebody wrote." in answer.body
    assert b"Winnow shows the original page: extraction took too long." in answer.body
    assert int(answer.field("content-length")) == len(answer.body)
    assert answer.field("etag").startswith('W/"winnow-b-000000000000-')
    assert answer.field("cache-control") == "no-cache"
    assert "Winnow-Mode" in answer.field("vary")
    assert answer.field("winnow-action") == "original"
    assert answer.field("winnow-reason") == "deadline"


async def test_without_a_body_tag_or_with_the_bar_off_no_line_is_put(origin: Origin) -> None:
    origin.replies["/bare"] = html(b"<p>no body tag</p>")
    origin.replies["/a"] = html(PAGE)
    async with proxying(FakeTransform(failure="deadline")) as proxy:
        bare = await ask(proxy.port, get(origin.url("/bare"), BROWSER))
        off = await ask(proxy.port, get(origin.url("/a"), BROWSER, "Winnow-Bar: off"))
    assert bare.body == b"<p>no body tag</p>"
    assert off.body == PAGE


async def test_a_poor_extraction_shows_the_original_with_a_line(origin: Origin) -> None:
    origin.replies["/a"] = html(PAGE, 'ETag: "theirs"')
    async with proxying(FakeTransform(poor="few-words")) as proxy:
        answer = await ask(proxy.port, get(origin.url("/a"), BROWSER))
        program = await ask(proxy.port, get(origin.url("/a"), "Accept: */*"))
    assert b"Winnow shows the original page: too few words were found." in answer.body
    assert answer.field("winnow-reason") == "few-words"
    assert (program.body, program.field("etag")) == (PAGE, '"theirs"')


async def test_a_page_that_is_not_for_reading_is_the_untouched_original(origin: Origin) -> None:
    origin.replies["/a"] = html(PAGE, 'ETag: "theirs"')
    transform = FakeTransform(poor="not-for-reading", treatment=Treatment.ORIGINAL)
    async with proxying(transform) as proxy:
        answer = await ask(proxy.port, get(origin.url("/a"), BROWSER, "Winnow-Level: 7"))
    assert answer.body == PAGE
    assert answer.field("winnow-action") == "original"
    assert answer.field("winnow-reason") == "not-for-reading"


async def test_by_proxy_a_page_that_scripts_write_is_the_untouched_original(origin: Origin) -> None:
    origin.replies["/a"] = html(PAGE, 'ETag: "theirs"')
    async with proxying(FakeTransform(failure="script-shell")) as proxy:
        answer = await ask(proxy.port, get(origin.url("/a"), BROWSER))
    assert (answer.body, answer.field("etag")) == (PAGE, '"theirs"')
    assert answer.field("winnow-reason") == "script-shell"


async def test_a_tidied_page_says_so_and_keeps_the_policy_of_its_scripts(origin: Origin) -> None:
    origin.replies["/a"] = html(PAGE, "Content-Security-Policy: script-src 'self'")
    async with proxying(FakeTransform(treatment=Treatment.TIDY)) as proxy:
        answer = await ask(proxy.port, get(origin.url("/a"), BROWSER))
        head = f"GET /{origin.url('/a')} HTTP/1.1\r\nHost: 127.0.0.1\r\n{BROWSER}\r\n\r\n"
        gateway = await ask(proxy.port, head.encode())
    assert answer.field("winnow-action") == gateway.field("winnow-action") == "tidied"
    assert answer.field("content-security-policy") == "script-src 'self'"
    assert "script-src 'self'" not in gateway.field("content-security-policy")
    assert "default-src 'none'" in gateway.field("content-security-policy")


@pytest.mark.parametrize(
    ("asked", "reason"), [((), "price-lost"), (("Winnow-Mode: tidy",), "requested")]
)
async def test_why_a_page_is_tidied_is_said_unless_it_was_asked_for(
    origin: Origin, asked: tuple[str, ...], reason: str
) -> None:
    origin.replies["/a"] = html(PAGE)
    async with proxying(FakeTransform(treatment=Treatment.TIDY, instead="price-lost")) as proxy:
        answer = await ask(proxy.port, get(origin.url("/a"), BROWSER, *asked))
    assert answer.field("winnow-action") == "tidied"
    assert answer.field("winnow-reason") == reason


async def test_an_upload_is_streamed_on_and_its_framing_stored(
    origin: Origin, proxy: Proxy
) -> None:
    origin.replies["/u"] = reply(b"thanks")
    head = get(origin.url("/u"), "Content-Length: 300000", method="POST")
    answer = await ask(proxy.port, head + b"x" * 300_000)
    assert answer.body == b"thanks"
    assert origin.bodies[-1] == b"x" * 300_000
    chunked = get(origin.url("/u"), "Transfer-Encoding: chunked", method="POST")
    await ask(proxy.port, chunked + b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
    assert origin.bodies[-1] == b"abcde"


async def test_connections_to_the_client_and_to_the_origin_are_stored(
    origin: Origin, proxy: Proxy
) -> None:
    origin.replies["/a"] = html(PAGE)
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    for _ in range(3):
        writer.write(get(origin.url("/a"), BROWSER))
        assert (await read_answer(reader)).status == 200
    writer.close()
    await writer.wait_closed()
    assert origin.connections == 1


async def test_an_origin_that_cannot_be_reached_is_a_502(proxy: Proxy) -> None:
    answer = await ask(proxy.port, get("http://127.0.0.1:1/", BROWSER))
    assert answer.status == 502
    assert answer.field("winnow-reason") == "origin-unreachable"
    assert answer.field("content-type").startswith("text/html")


async def test_a_redirect_is_passed_to_the_client(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/r"] = reply(b"", "Location: /elsewhere", status="302 Found")
    answer = await ask(proxy.port, get(origin.url("/r"), BROWSER))
    assert (answer.status, answer.field("location")) == (302, "/elsewhere")
    assert len(origin.requests) == 1


async def test_a_tunnel_carries_any_bytes_both_ways(origin: Origin, proxy: Proxy) -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data[::-1])
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    writer.write(b"CONNECT 127.0.0.1:%d HTTP/1.1\r\nHost: x\r\n\r\n" % port)
    assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
    writer.write(b"\x00\xff any bytes")
    assert await reader.readexactly(12) == b"setyb yna \xff\x00"
    writer.write_eof()
    assert await reader.read() == b""
    writer.close()
    await writer.wait_closed()
    server.close()
    await server.wait_closed()


async def test_a_tunnel_to_nowhere_is_refused(proxy: Proxy) -> None:
    answer = await ask(proxy.port, b"CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: x\r\n\r\n")
    assert answer.status == 502


async def test_a_request_that_came_through_us_before_is_refused(proxy: Proxy) -> None:
    answer = await ask(proxy.port, get("http://127.0.0.1:9/", "Via: 1.1 a, 1.1 winnow-test"))
    assert (answer.status, answer.field("winnow-reason")) == (508, "loop")


async def test_a_page_that_keeps_its_scripts_keeps_its_own_policy(
    origin: Origin, proxy: Proxy
) -> None:
    own = "Content-Security-Policy: script-src 'self'"
    origin.replies["/a"] = html(PAGE, own)
    for level, rules in (("10", "default-src 'none'"), ("11", "script-src 'self'")):
        answer = await ask(proxy.port, get(origin.url("/a"), BROWSER, f"Winnow-Level: {level}"))
        assert answer.field("content-security-policy").startswith(rules)
        assert proxy.transform.recipes[-1].scripts is (level == "11")


async def test_next_pages_of_the_same_origin_are_joined_where_requested_for(origin: Origin) -> None:
    def several(policy: Policy) -> Policy:
        return replace(policy, recipe=replace(policy.recipe, pages=3, format=Format.TEXT))

    transform = FakeTransform(following={"/1": "/2", "/2": "http://other.example/3"})
    origin.replies["/1"] = html(PAGE, 'ETag: "theirs"')
    origin.replies["/2"] = html(PAGE + b" ")
    async with proxying(transform, change=several) as proxy:
        answer = await ask(proxy.port, get(origin.url("/1"), BROWSER, "Cookie: a=b"))
    assert answer.body == b"extracted\n\nextracted\n"
    assert "Cookie: a=b" in origin.requests[-1].decode()
    assert "theirs" not in answer.field("etag")
