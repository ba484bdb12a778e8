"""What a reader sees where a page does not come, and what a program gets as before."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import quote

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.proxy.app.test_gateway_and_api import BROWSER, direct
from tests.proxy.origins import Answer, ask
from tests.proxy.own.templates.support import attribute
from tests.proxy.proxies import Proxy
from winnow.proxy.access.credentials.tokens import form_purpose

CLOSED = "http://127.0.0.1:9/story"
FROM_ELSEWHERE = (
    "Sec-Fetch-Site: cross-site",
    "Sec-Fetch-Mode: navigate",
    "Sec-Fetch-Dest: document",
)
WORDS = "/-/read?url=harbour%20news"


def buttons(answer: Answer) -> dict[str, str]:
    links = LexborHTMLParser(answer.body).css(".buttons a")
    return {node.text(): attribute(node, "href") for node in links}


def lead(answer: Answer) -> str:
    found = LexborHTMLParser(answer.body).css_first(".lead")
    assert found is not None
    return found.text()


async def test_a_server_that_is_down_is_told_by_gateway_and_by_proxy(proxy: Proxy) -> None:
    by_gateway = await ask(proxy.port, direct(f"/{CLOSED}", BROWSER))
    by_proxy = await ask(
        proxy.port, f"GET {CLOSED} HTTP/1.1\r\nHost: 127.0.0.1:9\r\n{BROWSER}\r\n\r\n".encode()
    )
    for answer in (by_gateway, by_proxy):
        assert answer.status == 502
        assert answer.field("winnow-reason") == "origin-unreachable"
        assert lead(answer).startswith("127.0.0.1 accepts no connections")
        assert b"[Errno" in answer.body.partition(b"<details>")[2]
        assert b"[Errno" not in answer.body.partition(b"<details>")[0]
        assert LexborHTMLParser(answer.body).css("header nav")
    assert buttons(by_gateway)["Try again"] == f"http://reader.example:8080/{CLOSED}"
    assert buttons(by_gateway)["Open without Winnow"] == CLOSED
    assert buttons(by_proxy)["Try again"] == CLOSED
    assert "Open without Winnow" not in buttons(by_proxy)


async def test_a_program_gets_the_same_line_as_before(proxy: Proxy) -> None:
    answer = await ask(proxy.port, direct(f"/{CLOSED}", "Accept: application/xml"))
    assert answer.status == 502
    assert answer.body.startswith(b"127.0.0.1:9 cannot be reached: [Errno")
    words = await ask(proxy.port, direct(WORDS, "Accept: application/xml"))
    assert (words.status, words.field("winnow-reason")) == (400, "bad-address")
    assert words.body.startswith(b"This is not the address of a web page.")


async def test_words_keep_the_field_filled_and_lead_to_a_search(proxy: Proxy) -> None:
    proof = proxy.front.own.tokens.make(form_purpose("127.0.0.1"), datetime.now(UTC))
    lines = (
        f"GET {WORDS}&token={proof} HTTP/1.1",
        f"Host: 127.0.0.1:{proxy.port}",
        BROWSER,
        "",
        "",
    )
    answer = await ask(proxy.port, "\r\n".join(lines).encode())
    assert (answer.status, answer.field("winnow-reason")) == (400, "bad-address")
    tree = LexborHTMLParser(answer.body)
    assert attribute(tree.css_first("form[action='/-/read'] [name=url]"), "value") == "harbour news"
    assert attribute(tree.css_first("form [name=token]"), "value")
    engine = buttons(answer)["DuckDuckGo"]
    assert engine == "/https://html.duckduckgo.com/html/?q=harbour+news"
    assert not tree.css("script, img, iframe"), "nothing is sent before a link is followed"


@pytest.mark.parametrize("typed", ["harbour news", "http://10.0.0.1/\n", "ftp://a.example/"])
async def test_another_site_gets_no_proof_into_the_form_that_it_fills(
    proxy: Proxy, typed: str
) -> None:
    """A field drops line ends: what is no address in a link might be one when it is sent."""
    target = f"/-/read?url={quote(typed, safe='')}"
    answer = await ask(proxy.port, direct(target, BROWSER, *FROM_ELSEWHERE))
    token = LexborHTMLParser(answer.body).css_first("form [name=token]")
    assert attribute(token, "value") == ""
