"""HTTPS interception is switched on and off on our own page, at once, with consent."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from tests.proxy.origins import Answer, ask
from tests.winnow.compose.test_own_pages import get, post
from tests.winnow.compose.test_settings_editing import FILE, edited
from winnow.compose.running import Running
from winnow.proxy.stores.choices import PassThrough

SWITCH = "/-/setup/https"
OPENED = '[interception]\nhosts = [\n    "a.example",  # the first\n]\n'
BARE = FILE.replace(OPENED, "")


def forms(answer: Answer) -> dict[str, dict[str, str]]:
    """The hidden fields of the forms that switch, by what they change."""
    found = {}
    for form in LexborHTMLParser(answer.body).css(f'form[action="{SWITCH}"]'):
        fields = {
            node.attributes["name"] or "": node.attributes.get("value") or ""
            for node in form.css("input[type=hidden]")
        }
        found[fields["change"]] = fields
    return found


def opened(proxy: Running) -> tuple[str, ...]:
    return proxy.loaded.settings.interception.hosts


async def switched(proxy: Running, change: str, **fields: str) -> Answer:
    shown = forms(await get(proxy, "/" if change == "on" else "/-/setup"))
    return await post(proxy, SWITCH, {**shown[change], **fields})


async def test_the_first_page_opens_all_sites_at_once(tmp_path: Path) -> None:
    async with edited(tmp_path, BARE) as (proxy, file):
        assert opened(proxy) == ()
        without = await switched(proxy, "on", which="all")
        assert without.status == 400, "without consent"
        done = await switched(proxy, "on", which="all", consent="yes")
        assert (done.status, done.field("location")) == (303, "/-/setup#trust")
        assert opened(proxy) == ("*",)
        assert 'hosts = ["*"]' in file.read_text()
        assert b"var EVERY = true" in (await get(proxy, "/-/proxy.pac")).body
        assert not forms(await get(proxy, "/")), "the guide is done"
        shown = await get(proxy, "/-/setup")
        assert "✓ HTTPS pages are read: all sites but banks" in shown.body.decode()
        assert (await switched(proxy, "off")).status == 303
        assert opened(proxy) == ()


async def test_single_sites_may_be_addresses(tmp_path: Path) -> None:
    async with edited(tmp_path, BARE) as (proxy, _):
        sites = "https://News.example/front?x=1\r\n*.b.example\r\n"
        await switched(proxy, "on", which="named", hosts=sites, consent="yes")
        assert opened(proxy) == ("news.example", "*.b.example")


async def test_what_is_no_site_opens_nothing(tmp_path: Path) -> None:
    async with edited(tmp_path, BARE) as (proxy, _):
        for text in ("", "a b<", "http://[", "*"):
            got = await switched(proxy, "on", which="named", hosts=text, consent="yes")
            assert got.status == 400, text
        assert opened(proxy) == ()


async def test_everything_is_undone_by_one_button(tmp_path: Path) -> None:
    async with edited(tmp_path, FILE) as (proxy, file):
        store = proxy.state.choices
        entry = PassThrough("pinned.example", "alert", datetime.now(UTC), client="127.0.0.1")
        await store.learn(entry)
        assert store.now.passed
        shown = forms(await get(proxy, "/-/setup"))
        assert {"off", "again", "undo"} <= shown.keys()
        assert (await post(proxy, SWITCH, shown["undo"])).status == 303
        assert opened(proxy) == ()
        assert not store.now.passed
        assert "a.example" not in file.read_text()


async def test_another_site_switches_nothing(tmp_path: Path) -> None:
    async with edited(tmp_path, BARE) as (proxy, _):
        form = {**forms(await get(proxy, "/"))["on"], "which": "all", "consent": "yes"}
        assert (await post(proxy, SWITCH, form, "Origin: http://evil.example")).status == 403
        assert (await post(proxy, SWITCH, {**form, "token": "1.AAAA"})).status == 403
        assert opened(proxy) == ()


async def test_under_a_strange_name_there_is_no_form(tmp_path: Path) -> None:
    async with edited(tmp_path, BARE) as (proxy, _):
        assert forms(await get(proxy, "/-/setup"))
        named = b"GET /-/setup HTTP/1.1\r\nHost: evil.example\r\n\r\n"
        assert not forms(await ask(proxy.port, named))
