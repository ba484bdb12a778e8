"""HTTPS interception is switched on and off on our own page, at once, with consent."""

from __future__ import annotations

import asyncio
import logging
import ssl
from datetime import UTC, datetime
from pathlib import Path

import pytest
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
        assert (done.status, done.field("location")) == (303, "/-/setup?done=on#trust")
        assert opened(proxy) == ("*",)
        assert 'hosts = ["*"]' in file.read_text()
        assert b"var EVERY = true" in (await get(proxy, "/-/proxy.pac")).body
        for path in ("/", "/-/setup"):
            shown = await get(proxy, path)
            assert "HTTPS is on for: all sites but banks" in shown.body.decode()
            assert "off" in forms(shown), path
        off = await switched(proxy, "off")
        assert (off.status, off.field("location")) == (303, "/-/setup?done=off")
        assert "HTTPS is off: " in (await get(proxy, "/-/setup?done=off")).body.decode()
        assert opened(proxy) == ()


async def test_the_certificate_is_made_by_the_consent(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with edited(tmp_path, BARE) as (proxy, _):
        file = tmp_path / "data" / "ca" / "authority.pem"
        for path, status in (("/-/setup", 200), ("/", 200), ("/-/ca.crt", 404)):
            assert (await get(proxy, path)).status == status
        connect = b"CONNECT winnow.internal:443 HTTP/1.1\r\nHost: winnow.internal:443\r\n\r\n"
        with pytest.raises((ssl.SSLError, ConnectionError)):
            await inside(proxy.port, connect)
        assert not file.exists()
        assert "There is no certificate authority yet" not in caplog.text, "nothing is wrong"
        assert "you can begin with step 2" in (await get(proxy, "/-/setup")).body.decode()
        await switched(proxy, "on", which="all", consent="yes")
        assert file.exists()
        assert (await get(proxy, "/-/ca.crt")).status == 200
        await switched(proxy, "undo")
        assert (await get(proxy, "/-/ca.crt")).status == 200, "to know which is to be removed"
        await inside(proxy.port, connect)


async def inside(port: int, connect: bytes) -> None:
    """TLS behind a CONNECT. Raises SSLError or ConnectionError where it is not spoken."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(connect)
        assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
        await writer.start_tls(context)
    finally:
        writer.close()


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
        done = await post(proxy, SWITCH, shown["undo"])
        assert (done.status, done.field("location")) == (303, "/-/setup?done=undo")
        assert "Undone: HTTPS is off" in (await get(proxy, "/-/setup?done=undo")).body.decode()
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
