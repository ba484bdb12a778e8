"""Every door with every outcome: the table of docs/api.md, page by page.

The doors are proxy, gateway and API. Those without HTTP are in tests/winnow/test_answers.py.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from urllib.parse import quote

import pytest

from tests.proxy.app import pages
from tests.proxy.app.pages import SENTENCE, PipelineTransform, by_purpose
from tests.proxy.app.test_gateway_and_api import direct
from tests.proxy.origins import Answer, Origin, ask, get, html, reply
from tests.proxy.proxies import FakeTransform, Proxy, proxying

PAGES = {
    "article": (pages.ARTICLE, 200, "requested"),
    "few words": (pages.FEW_WORDS, 200, "few-words"),
    "no article": (pages.NO_ARTICLE, 422, "no-article"),
    "log-in": (pages.LOG_IN, 422, "not-for-reading"),
    "shell": (pages.SHELL, 422, "script-shell"),
    "too deep": (pages.TOO_DEEP, 422, "too-complex"),
}
"""A page, the status of its data, and Winnow-Reason (type of the problem document)."""
AGENT = "Accept: text/markdown, text/html;q=0.9, */*;q=0.1"
Door = Callable[[Proxy, Origin, str], Awaitable[Answer]]


async def by_proxy(proxy: Proxy, origin: Origin, more: str) -> Answer:
    fields = ["Winnow-Format: text", f"Winnow-Fallback: {more or 'none'}"]
    return await ask(proxy.port, get(origin.url("/a"), *fields))


async def by_accept(proxy: Proxy, origin: Origin, more: str) -> Answer:
    fields = ["Accept: text/plain", f"Winnow-Fallback: {more or 'none'}"]
    return await ask(proxy.port, get(origin.url("/a"), *fields))


async def by_gateway(proxy: Proxy, origin: Origin, more: str) -> Answer:
    query = f"url={quote(origin.url('/a'))}&format=text" + (f"&fallback={more}" if more else "")
    return await ask(proxy.port, direct(f"/-/read?{query}"))


async def by_api(proxy: Proxy, origin: Origin, more: str) -> Answer:
    query = f"url={quote(origin.url('/a'))}&format=text" + (f"&fallback={more}" if more else "")
    return await ask(proxy.port, direct(f"/-/api/extract?{query}"))


async def by_post(proxy: Proxy, origin: Origin, more: str) -> Answer:
    page = origin.replies["/a"]
    assert isinstance(page, bytes)
    body = page.partition(b"\r\n\r\n")[2]
    query = "format=text" + (f"&fallback={more}" if more else "")
    sent = direct(f"/-/api/extract?{query}", method="POST", body=body)
    return await ask(proxy.port, sent)


DOORS: tuple[Door, ...] = (by_proxy, by_accept, by_gateway, by_api, by_post)


@pytest.fixture
async def proxy() -> AsyncIterator[Proxy]:
    async with proxying(PipelineTransform(), by_purpose) as found:
        yield found


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("door", DOORS)
async def test_every_door_says_the_same_of_a_page(
    origin: Origin, proxy: Proxy, door: Door, name: str
) -> None:
    page, status, reason = PAGES[name]
    origin.replies["/a"] = html(page, 'ETag: "theirs"')
    answer = await door(proxy, origin, "")
    by_name = "page" if door is by_accept and reason == "requested" else reason
    assert (answer.status, answer.field("winnow-reason")) == (status, by_name)
    if status == 200:
        assert answer.body.strip()
        assert answer.field("winnow-action") == "extracted"
    else:
        assert answer.field("content-type") == "application/problem+json"
        problem = json.loads(answer.body)
        assert (problem["type"], problem["status"]) == (reason, status)
        assert problem["detail"].endswith(".")
        assert answer.field("cache-control") == "no-store"
        assert answer.field("vary") == "Accept"
        assert answer.field("etag") == ""


@pytest.mark.parametrize("name", ["no article", "log-in"])
@pytest.mark.parametrize("door", DOORS)
async def test_who_asks_for_the_original_instead_gets_it(
    origin: Origin, proxy: Proxy, door: Door, name: str
) -> None:
    page, _, reason = PAGES[name]
    origin.replies["/a"] = html(page)
    answer = await door(proxy, origin, "original")
    assert (answer.status, answer.body) == (200, page)
    assert answer.field("winnow-action") == "original"
    assert answer.field("winnow-reason") == reason


@pytest.mark.parametrize("name", ["log-in", "shell"])
@pytest.mark.parametrize("door", DOORS)
async def test_who_asks_for_all_text_instead_gets_it_marked(
    origin: Origin, proxy: Proxy, door: Door, name: str
) -> None:
    page, _, reason = PAGES[name]
    origin.replies["/a"] = html(page)
    answer = await door(proxy, origin, "text")
    assert answer.status == 200
    assert (b"Log in to your account" in answer.body) is (name == "log-in")
    assert answer.field("winnow-reason") == reason
    assert answer.field("winnow-extractor") == "plain"


@pytest.mark.parametrize("name", [name for name in PAGES if name != "article"])
async def test_an_agent_that_takes_html_too_gets_the_original_with_its_reason(
    origin: Origin, proxy: Proxy, name: str
) -> None:
    page, _, reason = PAGES[name]
    origin.replies["/a"] = html(page)
    answer = await ask(proxy.port, get(origin.url("/a"), AGENT))
    assert (answer.status, answer.body) == (200, page)
    assert answer.field("content-type").startswith("text/html")
    assert (answer.field("winnow-action"), answer.field("winnow-reason")) == ("original", reason)


async def test_an_agent_reads_markdown_where_there_is_an_article(
    origin: Origin, proxy: Proxy
) -> None:
    origin.replies["/a"] = html(pages.ARTICLE)
    answer = await ask(proxy.port, get(origin.url("/a"), AGENT))
    assert answer.field("content-type").startswith("text/markdown")
    assert SENTENCE in answer.body.decode()


async def test_who_names_the_method_gets_what_it_finds(origin: Origin, proxy: Proxy) -> None:
    """A log-in page too, but never nothing."""
    origin.replies["/a"] = html(pages.LOG_IN)
    found = await ask(
        proxy.port, get(origin.url("/a"), "Winnow-Format: text", "Winnow-Extractor: plain")
    )
    assert (found.status, found.field("winnow-action")) == (200, "extracted")
    assert b"Log in to your account" in found.body
    for page in (pages.LOG_IN, pages.NO_ARTICLE):
        origin.replies["/a"] = html(page)
        empty = await ask(
            proxy.port, get(origin.url("/a"), "Winnow-Format: text", "Winnow-Mode: extract")
        )
        assert (empty.status, empty.field("winnow-reason")) == (422, "no-article")


@pytest.mark.parametrize("reason", ["busy", "deadline", "starting", "extractor-failed"])
async def test_a_failure_of_ours_has_one_status(origin: Origin, reason: str) -> None:
    origin.replies["/a"] = html(pages.ARTICLE)
    async with proxying(FakeTransform(failure=reason)) as proxy:
        found = [await door(proxy, origin, "") for door in DOORS]
        agent = await ask(proxy.port, get(origin.url("/a"), AGENT))
    expected = {"busy": 503, "deadline": 504, "starting": 503, "extractor-failed": 500}[reason]
    assert {each.status for each in found} == {expected}
    assert {json.loads(each.body)["type"] for each in found} == {reason}
    assert (agent.status, agent.body) == (200, pages.ARTICLE)


@pytest.mark.parametrize("status", ["403 Forbidden", "404 Not Found", "451 Unavailable"])
@pytest.mark.parametrize("door", DOORS[:4])
async def test_an_error_of_the_origin_keeps_its_status(
    origin: Origin, proxy: Proxy, door: Door, status: str
) -> None:
    origin.replies["/a"] = reply(pages.NO_ARTICLE, "Content-Type: text/html", status=status)
    assert (await door(proxy, origin, "")).status == int(status[:3])


@pytest.mark.parametrize("door", [by_api, by_post])
@pytest.mark.parametrize("body", [pages.PDF, b'{"a": "<p>"}'])
async def test_the_api_takes_no_other_file_for_a_page(
    origin: Origin, proxy: Proxy, door: Door, body: bytes
) -> None:
    origin.replies["/a"] = html(body)
    answer = await door(proxy, origin, "")
    assert (answer.status, json.loads(answer.body)["type"]) == (415, "not-html")


async def test_neither_a_range_nor_a_post_is_judged(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/a"] = html(pages.LOG_IN)
    for request in (
        get(origin.url("/a"), "Winnow-Format: text", "Range: bytes=0-9"),
        get(origin.url("/a"), "Winnow-Format: text", "Content-Length: 0").replace(
            b"GET", b"POST", 1
        ),
    ):
        answer = await ask(proxy.port, request)
        assert (answer.status, answer.body) == (200, pages.LOG_IN)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("formt=text", "did you mean “format”?"),
        ("xyzzy=h1", "choose from url, extractor,"),
        ("url=http://a.example/?a=1&id=2", "& is written %26"),
    ],
)
async def test_an_unknown_parameter_is_an_error_that_suggests_the_nearest(
    proxy: Proxy, query: str, said: str
) -> None:
    answer = await ask(proxy.port, direct(f"/-/api/extract?{query}", method="POST", body=b"<p>a"))
    problem = json.loads(answer.body)
    assert (answer.status, problem["type"]) == (400, "unknown-parameter")
    assert said in problem["detail"]
    if "url=" in query:
        read = await ask(proxy.port, direct(f"/-/read?{query}"))
        assert (read.status, read.field("winnow-reason")) == (400, "unknown-parameter")


async def test_the_api_gives_the_site_s_own_markdown(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/a"] = reply(b"# The flood\n", "Content-Type: text/markdown; charset=utf-8")
    answer = await ask(proxy.port, direct(f"/-/api/extract?url={origin.url('/a')}&format=markdown"))
    assert (answer.status, answer.body) == (200, b"# The flood\n")
    assert answer.field("winnow-action") == "original"
    assert b"accept: text/markdown" in origin.requests[-1].lower()
    other = await ask(proxy.port, direct(f"/-/api/extract?url={origin.url('/a')}&format=text"))
    assert other.status == 415


async def test_a_stranger_s_page_is_inert_at_our_own_address(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/a"] = html(pages.NO_ARTICLE)
    answer = await by_api(proxy, origin, "original")
    assert answer.field("content-security-policy").startswith("sandbox;")


async def test_a_text_says_how_many_tokens_it_has_and_where_it_is_from(
    origin: Origin, proxy: Proxy
) -> None:
    origin.replies["/a"] = html(pages.ARTICLE, "Link: </style.css>; rel=preload")
    for door in DOORS[:4]:
        answer = await door(proxy, origin, "")
        number = -(-len(answer.body) // 4)
        assert answer.field("winnow-tokens") == f'{number}; method="utf-8-bytes/4"'
        assert answer.field("link").startswith(f'<{origin.url("/a")}>; rel="canonical"')
        assert "style.css" not in answer.field("link")


@pytest.mark.parametrize("way", ["api", "read", "proxy"])
async def test_a_budget_cuts_at_a_block_and_the_offset_goes_on(
    origin: Origin, proxy: Proxy, way: str
) -> None:
    origin.replies["/a"] = html(pages.ARTICLE)

    async def part(offset: str) -> Answer:
        if way == "proxy":
            asked = ("Winnow-Max-Tokens: 60", f"Winnow-Offset: {offset}")
            return await ask(proxy.port, get(origin.url("/a"), "Winnow-Format: markdown", *asked))
        path = "/-/api/extract" if way == "api" else "/-/read"
        query = f"url={origin.url('/a')}&format=markdown&max_tokens=60&offset={offset}"
        return await ask(proxy.port, direct(f"{path}?{query}"))

    whole = await ask(proxy.port, direct(f"/-/api/extract?url={origin.url('/a')}&format=markdown"))
    found, offset = b"", ""
    for _ in range(40):
        answer = await part(offset)
        assert answer.status == 200
        assert len(answer.body) <= 240
        assert answer.body.endswith(b"\n")
        found += answer.body
        offset = answer.field("winnow-next-offset")
        if not offset:
            break
    assert found == whole.body
    held = (await part("")).field("winnow-next-offset")
    origin.replies["/a"] = html(pages.ARTICLE.replace(b"rose", b"fell"))
    changed = await part(held)
    assert (changed.status, json.loads(changed.body)["type"]) == (409, "page-changed")


@pytest.mark.parametrize(
    ("query", "status", "reason"),
    [
        ("max_tokens=0", 400, "bad-max-tokens"),
        ("max_tokens=many", 400, "bad-max-tokens"),
        ("max_tokens=9&format=json", 400, "bad-max-tokens"),
        ("offset=x", 400, "bad-parameter"),
        ("selector=%3E%3E", 400, "bad-selector"),
        (f"selector={'a' * 600}", 400, "bad-selector"),
        ("selector=aside", 422, "no-article"),
    ],
)
async def test_a_part_that_is_none_is_an_error(
    origin: Origin, proxy: Proxy, query: str, status: int, reason: str
) -> None:
    origin.replies["/a"] = html(pages.ARTICLE)
    form = "" if "format" in query else "&format=text"
    answer = await ask(proxy.port, direct(f"/-/api/extract?url={origin.url('/a')}{form}&{query}"))
    assert (answer.status, json.loads(answer.body)["type"]) == (status, reason)


@pytest.mark.parametrize("way", ["api", "proxy"])
async def test_a_selector_asks_for_a_part_of_the_page(
    origin: Origin, proxy: Proxy, way: str
) -> None:
    origin.replies["/a"] = html(pages.ARTICLE)
    request = (
        direct(f"/-/api/extract?url={origin.url('/a')}&format=text&selector=nav")
        if way == "api"
        else get(origin.url("/a"), "Winnow-Format: text", "Winnow-Selector: nav")
    )
    answer = await ask(proxy.port, request)
    assert answer.status == 200
    assert answer.body.split() == [b"Home", b"News", b"Weather"]


async def test_front_matter_blocks_and_agreement_are_given_where_they_are_asked_for(
    origin: Origin, proxy: Proxy
) -> None:
    origin.replies["/a"] = html(pages.ARTICLE)
    url = origin.url("/a")
    for request in (
        direct(f"/-/api/extract?url={url}&format=markdown&details=front-matter,agreement"),
        direct(f"/-/read?url={url}&format=markdown&details=front-matter,agreement"),
        get(url, "Winnow-Format: markdown", "Winnow-Details: agreement, front-matter"),
    ):
        answer = await ask(proxy.port, request)
        assert answer.body.startswith(b'---\ntitle: "The flood"\n')
        assert 0.9 < float(answer.field("winnow-agreement")) <= 1
    record = json.loads(
        (await ask(proxy.port, direct(f"/-/api/extract?url={url}&details=blocks,agreement"))).body
    )
    assert record["agreement"] > 0.9
    text = record["textContent"]
    assert [text[each["start"] : each["end"]] for each in record["blocks"]] == [SENTENCE] * 9
    assert record["blocks"][0]["link"].startswith(f"{url}#:~:text=The%20river%20rose")
    plain = await ask(proxy.port, direct(f"/-/api/extract?url={url}"))
    assert plain.field("winnow-agreement") == ""
    assert [json.loads(plain.body)[name] for name in ("agreement", "blocks")] == [None, None]
    shown = await ask(proxy.port, get(url, "Accept: text/html", "Winnow-Details: agreement"))
    assert shown.field("winnow-agreement")
    wrong = await ask(proxy.port, direct(f"/-/api/extract?url={url}&details=everything"))
    assert (wrong.status, json.loads(wrong.body)["type"]) == (400, "bad-detail")
