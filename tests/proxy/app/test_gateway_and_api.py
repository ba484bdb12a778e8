"""The faces without a proxy setting: gateway, API and own pages."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from datetime import UTC, datetime
from urllib.parse import quote

import pytest

from tests.proxy.origins import Origin, ask, html, reply
from tests.proxy.proxies import FakeTransform, Proxy, proxying
from winnow.document.values import NO_KNOWLEDGE, Format, RenderMode, SiteKnowledge
from winnow.proxy.access.credentials.tokens import form_purpose
from winnow.proxy.decisions.policy import Policy, SiteRule

PAGE = b"<html><body><p>A page.</p></body></html>"
BROWSER = "Accept: text/html,*/*;q=0.8"


def direct(target: str, *fields: str, method: str = "GET", body: bytes = b"") -> bytes:
    lines = [f"{method} {target} HTTP/1.1", "Host: reader.example:8080", *fields]
    if body:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


async def test_the_gateway_shows_a_page_whose_links_stay_in_it(
    origin: Origin, proxy: Proxy
) -> None:
    origin.replies["/a?b=c"] = html(PAGE)
    answer = await ask(proxy.port, direct(f"/{origin.url('/a?b=c')}", BROWSER))
    assert b"extracted" in answer.body
    assert proxy.transform.recipes[0].link_prefix == "http://reader.example:8080/"
    assert proxy.transform.pages[0].url == origin.url("/a?b=c")


async def test_redirects_stay_in_the_gateway(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/r"] = reply(b"", "Location: /to?x=1", status="302 Found")
    answer = await ask(proxy.port, direct(f"/{origin.url('/r')}", BROWSER))
    location = f"http://reader.example:8080/{origin.url('/to?x=1')}"
    assert (answer.status, answer.field("location")) == (302, location)


async def test_what_is_no_page_streams_through_the_gateway(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/i"] = reply(b"\x89PNG", "Content-Type: image/png")
    answer = await ask(proxy.port, direct(f"/{origin.url('/i')}", "Accept: image/*"))
    assert answer.body == b"\x89PNG"


async def test_a_root_relative_address_finds_its_page_again(origin: Origin, proxy: Proxy) -> None:
    referer = f"Referer: http://reader.example:8080/{origin.url('/a/b')}"
    answer = await ask(proxy.port, direct("/style.css?v=1", referer))
    assert (answer.status, answer.field("location")) == (307, f"/{origin.url('/style.css?v=1')}")


async def test_the_gateway_can_be_off(origin: Origin) -> None:
    def closed(policy: Policy) -> Policy:
        return Policy(policy.name, policy.own_names, gateway=False)

    async with proxying(change=closed) as proxy:
        answer = await ask(proxy.port, direct(f"/{origin.url('/')}"))
    assert (answer.status, answer.field("winnow-reason")) == (403, "gateway-off")


async def test_a_page_that_scripts_write_is_neither_blank_nor_nonsense_in_gateway_and_api(
    origin: Origin,
) -> None:
    origin.replies["/a"] = html(PAGE)
    async with proxying(FakeTransform(failure="script-shell")) as proxy:
        shown = await ask(proxy.port, direct(f"/{origin.url('/a')}", BROWSER))
        api = await ask(proxy.port, direct(f"/-/api/extract?url={origin.url('/a')}"))
    assert (shown.status, shown.field("winnow-reason")) == (422, "script-shell")
    assert b"This page is written by scripts" in shown.body
    assert (api.status, json.loads(api.body)["type"]) == (422, "script-shell")


@pytest.mark.parametrize("asks", ["link", "program", "form"])
async def test_a_program_or_our_form_starts_a_browser_and_no_link_does(
    origin: Origin, proxy: Proxy, asks: str
) -> None:
    origin.replies["/a"] = html(PAGE)
    token = proxy.front.own.tokens.make(form_purpose("127.0.0.1"), datetime.now(UTC))
    query = f"url={origin.url('/a')}&render=always&format=text"
    query += f"&token={token}" if asks == "form" else ""
    fields = ("Sec-Fetch-Site: none", "User-Agent: Mozilla/5.0") if asks != "program" else ()
    await ask(proxy.port, direct(f"/-/read?{query}", BROWSER, *fields))
    wanted = RenderMode.NO if asks == "link" else RenderMode.ALWAYS
    assert proxy.transform.recipes[0].render is wanted


async def test_read_takes_an_address_and_wishes(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/a"] = html(PAGE)
    plain = await ask(proxy.port, direct(f"/-/read?url={origin.url('/a')}"))
    assert (plain.status, plain.field("location")) == (302, f"/{origin.url('/a')}")
    shown = await ask(
        proxy.port, direct(f"/-/read?url={origin.url('/a')}&format=markdown&extractor=bte")
    )
    assert shown.field("content-type") == "text/markdown"
    assert shown.field("winnow-extractor") == "bte"


async def test_the_api_extracts_what_is_posted(proxy: Proxy) -> None:
    target = "/-/api/extract?extractor=bte&url=http://a.example/"
    fields = ("Content-Type: text/html; charset=koi8-r", "Content-Encoding: gzip")
    answer = await ask(proxy.port, direct(target, *fields, method="POST", body=gzip.compress(PAGE)))
    assert answer.status == 200
    page, recipe = proxy.transform.pages[0], proxy.transform.recipes[0]
    assert (page.body, page.url, page.charset) == (PAGE, "http://a.example/", "koi8-r")
    assert (recipe.extractor, recipe.format) == ("bte", Format.JSON)


async def test_the_api_fetches_and_follows_redirects(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/r"] = reply(b"", "Location: a", status="301 Moved")
    origin.replies["/a"] = html(PAGE)
    answer = await ask(proxy.port, direct(f"/-/api/extract?url={origin.url('/r')}&format=text"))
    assert answer.status == 200
    assert proxy.transform.pages[0].url == origin.url("/a")


async def test_the_api_knows_what_was_learned_of_a_site_that_it_fetches(
    origin: Origin,
) -> None:
    """Of a page that is posted it knows nothing: what it left out would tell what others read."""
    known = SiteKnowledge(b"memory", b"key", learn=True, rows=True)

    def informed(policy: Policy) -> Policy:
        return replace(policy, rule_for=lambda origin, _: SiteRule(knowledge=known))

    origin.replies["/x"] = html(PAGE)
    async with proxying(change=informed) as proxy:
        for address in (origin.url("/x"), "no address"):
            target = f"/-/api/extract?url={quote(address)}"
            assert (await ask(proxy.port, direct(target, method="POST", body=PAGE))).status == 200
        fetched = direct(f"/-/api/extract?url={origin.url('/x')}")
        assert (await ask(proxy.port, fetched)).status == 200
        found = [recipe.knowledge for recipe in proxy.transform.recipes]
    assert found == [NO_KNOWLEDGE, NO_KNOWLEDGE, replace(known, learn=False, rows=False)]


async def problem_of(proxy: Proxy, request: bytes) -> tuple[int, str]:
    answer = await ask(proxy.port, request)
    problem = json.loads(answer.body)
    assert answer.field("content-type") == "application/problem+json"
    assert problem["status"] == answer.status
    return answer.status, problem["type"]


async def test_errors_of_the_api_are_problem_documents(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/loop"] = reply(b"", "Location: /loop", status="302 Found")
    origin.replies["/cut"] = html(gzip.compress(PAGE)[:-9], "Content-Encoding: gzip")
    api = "/-/api/extract"
    assert await problem_of(proxy, direct(api)) == (400, "no-url")
    assert await problem_of(proxy, direct(f"{api}?url=gopher://x/")) == (400, "bad-address")
    assert await problem_of(proxy, direct(f"{api}?format=x", method="POST")) == (400, "bad-format")
    assert await problem_of(proxy, direct(api, method="DELETE")) == (405, "method")
    assert await problem_of(proxy, direct("/-/nothing")) == (404, "not-found")
    missing = direct(f"{api}?url={origin.url('/missing')}")
    assert await problem_of(proxy, missing) == (404, "status")
    loop = direct(f"{api}?url={origin.url('/loop')}")
    assert await problem_of(proxy, loop) == (502, "origin-failed")
    cut = direct(f"{api}?url={origin.url('/cut')}")
    assert await problem_of(proxy, cut) == (400, "coding")


async def test_a_failed_extraction_is_a_problem_to_a_program() -> None:
    async with proxying(FakeTransform(failure="deadline")) as proxy:
        request = direct("/-/api/extract", method="POST", body=PAGE)
        assert await problem_of(proxy, request) == (504, "deadline")


async def test_a_body_above_the_limit_is_refused() -> None:
    def small(policy: Policy) -> Policy:
        return Policy(policy.name, policy.own_names, largest_body=1000)

    async with proxying(change=small) as proxy:
        request = direct("/-/api/extract", method="POST", body=b"x" * 2000)
        assert await problem_of(proxy, request) == (413, "too-large")


async def test_own_pages_answer_directly_and_through_the_proxy(proxy: Proxy) -> None:
    front = await ask(proxy.port, direct("/"))
    assert b'name="url"' in front.body
    assert "default-src 'none'" in front.field("content-security-policy")
    assert (await ask(proxy.port, direct("/-/health"))).body == b"ok\n"
    assert (await ask(proxy.port, direct("/-/ready"))).body == b"ready\n"
    behind = b"GET http://winnow.internal/-/health HTTP/1.1\r\nHost: winnow.internal\r\n\r\n"
    assert (await ask(proxy.port, behind)).body == b"ok\n"


async def test_sites_in_the_gateway_do_not_share_what_a_browser_keeps(
    origin: Origin, proxy: Proxy
) -> None:
    fields = ("Set-Cookie: a=b", "Strict-Transport-Security: max-age=9", "Clear-Site-Data: *")
    origin.replies["/"] = html(b"<p>short</p>", *fields)
    secrets = "Cookie: other=site\r\nAuthorization: Basic c2VjcmV0"
    head = f"GET /{origin.url('/')} HTTP/1.1\r\nHost: 127.0.0.1\r\n{secrets}\r\n\r\n"
    answer = await ask(proxy.port, head.encode())
    assert answer.status == 200
    for field in ("Set-Cookie", "Strict-Transport-Security", "Clear-Site-Data"):
        assert not answer.field(field)
    sent = origin.requests[0].lower()
    assert b"cookie" not in sent
    assert b"authorization" not in sent


@pytest.mark.parametrize("mode", ["original", "extract"])
async def test_a_page_in_the_gateway_cannot_act_in_our_name(
    origin: Origin, proxy: Proxy, mode: str
) -> None:
    origin.replies["/"] = html(b"<script>fetch('/-/settings')</script>")
    head = f"GET /{origin.url('/')} HTTP/1.1\r\nHost: 127.0.0.1\r\nWinnow-Mode: {mode}\r\n\r\n"
    answer = await ask(proxy.port, head.encode())
    policies = [
        line
        for line in answer.head.decode().split("\r\n")
        if line.lower().startswith("content-security-policy:")
    ]
    if mode == "extract":  # a page of our own making: its bar's buttons need our origin
        assert all("default-src 'none'" in policy for policy in policies)
        assert not any("script-src" in policy for policy in policies)
    else:
        assert any("sandbox" in policy and "allow-scripts" not in policy for policy in policies)


async def test_no_script_may_run_in_the_gateway_at_any_level(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/a"] = html(PAGE, "Content-Security-Policy: script-src *")
    for level in ("1", "12"):
        request = direct(f"/{origin.url('/a')}", BROWSER, f"Winnow-Level: {level}")
        rules = (await ask(proxy.port, request)).field("content-security-policy")
        assert rules.startswith("default-src 'none';")
        assert "sandbox allow-same-origin" in rules
        assert "script" not in rules
        assert not proxy.transform.recipes[-1].scripts
