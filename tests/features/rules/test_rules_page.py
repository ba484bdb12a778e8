"""``/-/settings/rules``: what the rules of sites say, and one press that tries them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from tests.proxy.origins import Origin, ask, html, serving
from tests.proxy.own.templates.support import attribute
from tests.unhurried import UNHURRIED
from tests.winnow.compose.test_own_pages import assert_sound, get, post
from tests.winnow.conftest import PAGE
from winnow.compose.running import Running, running
from winnow.config.settings import Settings

PATH = "/-/settings/rules"
RULES = """
[[rule]]
site = "127.0.0.1"
extractor = "bte"
keep = ["ul.menu"]
{drop}

[[rule.test]]
url = "{url}"
has = ["with a wooden   shovel", "Shop"]
lacks = ["Imprint"]

[[rule.test]]
url = "https://farm.example/"
file = "page.html"
has = ["<Tractor>"]

[[rule.test]]
url = "{url}/gone"
lacks = ["Imprint"]

[[rule]]
site = "never.example"
mode = "never"
"""


@asynccontextmanager
async def ruled(folder: Path, drop: str = "") -> AsyncIterator[Running]:
    """A proxy with rules for an origin that runs too."""
    plain, marked = Settings(), PAGE.replace("<ul>", "<ul class=menu>", 1)
    (folder / "page.html").write_text(marked, encoding="utf-8")
    async with serving(Origin()) as origin:
        origin.replies["/page"] = html(marked.encode())
        (folder / "rules.toml").write_text(RULES.format(url=origin.url("/page"), drop=drop))
        settings = replace(
            plain,
            server=replace(plain.server, port=0),
            sites=replace(plain.sites, rules=folder / "rules.toml"),
            extraction=UNHURRIED,
        )
        async with running(settings) as proxy:
            yield proxy


async def form_of(proxy: Running) -> dict[str, str]:
    page = LexborHTMLParser((await get(proxy, PATH)).body)
    fields = page.css(f'form[action="{PATH}"] input')
    return {attribute(node, "name"): attribute(node, "value") for node in fields}


async def test_every_rule_is_told_in_words(tmp_path: Path) -> None:
    async with ruled(tmp_path) as proxy:
        page = assert_sound(await get(proxy, PATH))
    assert [node.text() for node in page.css("h2")] == ["127.0.0.1", "never.example"]
    text = page.css_first("main")
    assert text is not None
    said = " ".join(text.text(separator=" ").split())
    for words in (
        "2 rules from",
        "Method: bte",
        "Kept: ul.menu",
        "as saved in page.html · must contain “<Tractor>”",
        "must not contain “Imprint”",
        "Never change pages",
    ):
        assert words.replace(" ", "") in said.replace(" ", "")
    assert "Passed" not in said


async def test_one_press_tries_all_rules(tmp_path: Path) -> None:
    async with ruled(tmp_path) as proxy:
        page = assert_sound(await post(proxy, PATH, await form_of(proxy)))
    verdicts = [
        node.text()
        for node in page.css("li")
        if "Passed." in node.text() or "Failed:" in node.text()
    ]
    assert len(verdicts) == 3
    assert "Passed." in verdicts[0]
    assert "Failed: lacks “<Tractor>”" in verdicts[1]
    assert "Failed: cannot be tried: The origin answered with status" in verdicts[2]
    assert [node.text() for node in page.css("p.bad")] == ["Tests passed: 1 of 3."]


async def test_a_selector_that_is_none_is_a_fault_of_the_rule(tmp_path: Path) -> None:
    async with ruled(tmp_path, 'drop = ["ul:hover"]') as proxy:
        page = assert_sound(await post(proxy, PATH, await form_of(proxy)))
    said = [node.text() for node in page.css("li") if "Failed:" in node.text()]
    assert len(said) == 3
    assert all("'ul:hover' is no selector" in text for text in said)


async def test_no_other_site_may_press(tmp_path: Path) -> None:
    async with ruled(tmp_path) as proxy:
        form = await form_of(proxy)
        crossed = await post(proxy, PATH, form, "Origin: http://evil.example")
        assert crossed.status == 403
        assert (await post(proxy, PATH, {"token": "x"})).status == 403
        request = f"GET {PATH} HTTP/1.1\r\nHost: evil.example:{proxy.port}\r\n\r\n"
        assert (await ask(proxy.port, request.encode())).status == 421


async def test_without_a_file_an_example_is_shown() -> None:
    plain = Settings()
    async with running(replace(plain, server=replace(plain.server, port=0))) as proxy:
        page = assert_sound(await get(proxy, PATH))
    assert "[[rule.test]]" in page.css("pre")[0].text()
    assert not page.css("form")


async def test_a_person_without_an_address_gets_a_form_and_a_program_a_fault() -> None:
    plain = Settings()
    async with running(replace(plain, server=replace(plain.server, port=0))) as proxy:
        front = (await get(proxy, "/")).body.decode()
        for path in ("/-/why", "/-/feed", "/-/book"):
            answer = await get(proxy, path)
            request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{proxy.port}\r\n\r\n"
            program = await ask(proxy.port, request.encode())
            assert answer.status == 200
            assert assert_sound(answer).css(f'form[action="{path}"] input[name=url]')
            assert program.status == 400
            assert "problem+json" in program.field("content-type")
            assert f'href="{path}"' in front
