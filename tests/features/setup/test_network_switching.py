"""Devices of the network are let in by a button and a code, at once, and no more by another."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.features.setup.test_https_switching import BARE
from tests.proxy.origins import Answer, ask
from tests.winnow.compose.test_own_pages import get, post
from tests.winnow.compose.test_settings_editing import edited
from winnow.compose.running import Running
from winnow.features.setup.devices.network_switch import NETWORK, USER
from winnow.proxy.access.credentials.passwords import hash_password, read_users

DEVICE = "127.0.0.2"
"""Stands for the machine's address in its network."""


def forms(answer: Answer) -> dict[str, dict[str, str]]:
    """The hidden fields of the forms that switch, by what they change."""
    found = {}
    for form in LexborHTMLParser(answer.body).css(f'form[action="{NETWORK}"]'):
        fields = {
            node.attributes["name"] or "": node.attributes.get("value") or ""
            for node in form.css("input[type=hidden]")
        }
        found[fields["change"]] = fields
    return found


def here(proxy: Running) -> None:
    """The machine has an address in a network."""
    proxy.network.find = lambda: DEVICE


async def asked(proxy: Running, printed: pytest.CaptureFixture[str]) -> tuple[str, dict[str, str]]:
    """Press the button: the code that the terminal shows, and the form that asks for it."""
    shown = forms(await get(proxy, "/-/setup"))
    page = await post(proxy, NETWORK, shown["on"])
    assert page.status == 200
    code = re.search(r"the code (\d{4} \d{4})", printed.readouterr().err)
    assert code
    return code[1], forms(page)["on"]


async def reaches(proxy: Running) -> bool:
    """Whether a device gets an answer at the machine's address."""
    request = f"GET /-/live HTTP/1.1\r\nHost: {DEVICE}:{proxy.port}\r\n\r\n".encode()
    try:
        return (await ask(proxy.port, request, host=DEVICE)).status == 200
    except OSError:
        return False


async def test_one_button_and_the_terminals_code_let_devices_in_and_another_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with edited(tmp_path, BARE) as (proxy, file):
        here(proxy)
        assert not await reaches(proxy)
        code, form = await asked(proxy, capsys)
        assert not await reaches(proxy), "before the code"
        done = await post(proxy, NETWORK, {**form, "code": code})
        assert done.status == 200
        text = LexborHTMLParser(done.body).text()
        password = re.search(r"[a-z]{4}(-[a-z]{4}){3}(?=</code>)", done.body.decode())
        assert password
        assert f"http://{DEVICE}:{proxy.port}/" in text
        assert b'alt="QR code of http://127.0.0.2' in done.body
        users = proxy.loaded.settings.access.users
        assert read_users(users)[USER].matches(password[0])
        assert password[0] not in file.read_text()
        assert await reaches(proxy)
        assert f"{DEVICE}:{proxy.port}" in proxy.place.names()
        later = await get(proxy, "/-/setup")
        assert password[0].encode() not in later.body
        assert (await post(proxy, NETWORK, forms(later)["off"])).status == 303
        assert not await reaches(proxy)
        assert proxy.loaded.settings.access.users == ()
        assert "0.0.0.0" not in file.read_text()


async def test_undo_everything_lets_no_device_in_any_more(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with edited(tmp_path, BARE) as (proxy, _):
        here(proxy)
        code, form = await asked(proxy, capsys)
        await post(proxy, NETWORK, {**form, "code": code})
        assert await reaches(proxy)
        page = LexborHTMLParser((await get(proxy, "/-/setup")).body)
        (undo,) = page.css('input[value="undo"]')
        assert undo.parent is not None
        fields = {
            node.attributes["name"] or "": node.attributes.get("value") or ""
            for node in undo.parent.css("input")
        }
        assert (await post(proxy, "/-/setup/https", fields)).status == 303
        assert not await reaches(proxy)


async def test_a_wrong_code_lets_nobody_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with edited(tmp_path, BARE) as (proxy, _):
        here(proxy)
        _, form = await asked(proxy, capsys)
        answer = await post(proxy, NETWORK, {**form, "code": "0000 0000"})
        assert answer.status == 403
        assert not await reaches(proxy)
        assert proxy.loaded.settings.access.users == ()


async def test_another_site_and_another_machine_let_nobody_in(tmp_path: Path) -> None:
    async with edited(tmp_path, BARE) as (proxy, _):
        here(proxy)
        form = forms(await get(proxy, "/-/setup"))["on"]
        evil = await post(proxy, NETWORK, form, "Origin: http://evil.example")
        assert evil.status == 403
        assert (await post(proxy, NETWORK, {**form, "token": "x"})).status == 403
        strange = b"GET /-/setup HTTP/1.1\r\nHost: evil.example\r\n\r\n"
        assert not forms(await ask(proxy.port, strange))


async def test_a_user_who_is_no_administrator_sees_no_form(tmp_path: Path) -> None:
    line = f"ann:{hash_password('secret')}"
    text = BARE + f'\n[access]\nusers = ["{line}"]\nadmins = ["ann"]\n'
    async with edited(tmp_path, text) as (proxy, _):
        assert not forms(await get(proxy, "/-/setup"))
