"""Settings are changed by administrators; what Winnow trusts, from elsewhere, over TLS only."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.features.learned_sites.test_learned_sites import Form
from tests.proxy.own.templates.support import attribute
from winnow.config.sources.settings_source import SettingsSource
from winnow.features.settings.all_settings import AllSettings
from winnow.features.settings.settings_in_force import listed
from winnow.proxy.access.credentials.terminal_codes import TerminalCodes
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.handlers.settings_access import SettingsAccess
from winnow.proxy.own.languages import Language
from winnow.proxy.own.router import OwnRequest, OwnResponse
from winnow.proxy.own.settings_editor import SettingsEditor
from winnow.proxy.own.templates.navigation import ALL
from winnow.proxy.own.translation import speaking
from winnow.proxy.stores.settings_history import SettingsHistory


def request(base: str, query: dict[str, str], form: dict[str, str] | None = None) -> OwnRequest:
    head = RequestHead(
        "GET" if form is None else "POST",
        ALL,
        Headers((("Host", base.split("/")[2]),)),
        "192.168.1.7",
        user="ann",
    )
    body = None if form is None else Form(form)
    return OwnRequest(head, ALL, query, base, body)  # type: ignore[arg-type]  # stands in for aiohttp's


def page_of(folder: Path, lines: list[str]) -> AllSettings:
    source, tokens = SettingsSource(folder / "winnow.toml"), FormTokens()
    (folder / "winnow.toml").touch()
    editor = SettingsEditor(source, SettingsHistory(folder))
    return AllSettings(
        lambda: listed(source.load().settings, source.load().origins),
        SettingsAccess(editor, tokens, lambda head: head.user == "ann"),
        TerminalCodes(tokens, lines.append),
    )


def nobody(page: AllSettings) -> AllSettings:
    """The same page where nobody is an administrator."""
    return replace(page, access=replace(page.access, administers=lambda _: False))


def hidden_of(shown: OwnResponse) -> dict[str, str]:
    found = re.findall(rb'<input type="hidden" name="([^"]*)" value="([^"]*)">', shown.body)
    return {name.decode(): value.decode() for name, value in found}


@pytest.mark.parametrize("base", ["http://192.168.1.5:8080/", "https://192.168.1.5:8080/"])
async def test_what_is_protected_is_changed_from_elsewhere_over_tls_only(
    tmp_path: Path, base: str
) -> None:
    lines: list[str] = []
    page = page_of(tmp_path, lines)
    proofs = hidden_of(await page(request(base, {"section": "server"})))
    harmless = {**proofs, "server.log_requests": "true"}
    assert (await page(request(base, {}, harmless))).status == 303
    proofs = hidden_of(await page(request(base, {"section": "server"})))
    change = {**proofs, "server.port": "9090"}
    if base.startswith("http:"):
        with pytest.raises(ClientFaultError, match="over TLS only"):
            await page(request(base, {}, change))
        assert lines == []
    else:
        asked = await page(request(base, {}, change))
        code = re.search(r"code (\d{4} \d{4})", lines[-1])
        assert code
        done = await page(request(base, {}, {**hidden_of(asked), "code": code[1]}))
        assert done.status == 303
        assert "port = 9090" in (tmp_path / "winnow.toml").read_text()


async def test_who_is_no_administrator_any_more_changes_nothing(tmp_path: Path) -> None:
    page, base = page_of(tmp_path, []), "https://192.168.1.5:8080/"
    proofs = hidden_of(await page(request(base, {"section": "server"})))
    change = {**proofs, "server.log_requests": "true"}
    with pytest.raises(ClientFaultError, match="Only an administrator"):
        await nobody(page)(request(base, {}, change))
    assert (tmp_path / "winnow.toml").read_text() == ""
    assert (await page(request(base, {}, change))).status == 303


@pytest.mark.parametrize("language", Language)
async def test_each_page_of_settings_is_light_and_in_the_reader_s_language(
    tmp_path: Path, language: Language
) -> None:
    page, base = page_of(tmp_path, []), "https://192.168.1.5:8080/"
    looking = nobody(page)
    with speaking(language):
        index = LexborHTMLParser((await page(request(base, {}))).body)
        linked = {attribute(node, "href").partition("#")[0] for node in index.css("main a")}
        for name in ("", *(each.name for each in page.listed())):
            assert name == "" or f"{ALL}?section={name}" in linked
            for shown in (page, looking):
                answer = await shown(request(base, {"section": name} if name else {}))
                assert len(answer.body) <= 30_000, name
                tree = LexborHTMLParser(answer.body)
                assert [node.text() for node in tree.css("main [lang]")] == []


async def test_who_cannot_change_a_section_sees_its_values(tmp_path: Path) -> None:
    (tmp_path / "winnow.toml").write_text("[server]\nport = 9090\n")
    page = page_of(tmp_path, [])
    looking, base = nobody(page), "https://192.168.1.5:8080/"
    tree = LexborHTMLParser((await looking(request(base, {"section": "server"}))).body)
    assert not tree.css("form")
    assert {node.text() for node in tree.css("th code")} >= {"server.port", "server.host"}
    (changed,) = tree.css("tr.changed")
    assert "9090" in changed.text()
    index = LexborHTMLParser((await looking(request(base, {}))).body)
    assert [node.text() for node in index.css("tr.changed th")] == ["server.port"]
