"""Presets for groups of users: what they do, and who can undo them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.proxy.origins import Answer, Origin, ask, html, serving
from tests.proxy.origins import get as fetch
from tests.unhurried import UNHURRIED
from winnow.compose.running import Running, running
from winnow.config.errors import ConfigError
from winnow.config.settings import Settings, SiteSettings
from winnow.document.values import Recipe
from winnow.proxy.access.requester import LOOPBACK, RequestHead
from winnow.proxy.decisions.eligibility import original_by_choice
from winnow.proxy.decisions.policy import Policy, SiteRule
from winnow.proxy.decisions.request.preferences import Preferences
from winnow.proxy.decisions.site_rules import PRESETS, SiteRules
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.request_target import Origin as Address
from winnow.proxy.http.request_target import parse_url
from winnow.proxy.stores.choices import Choices
from winnow.proxy.stores.site_choice import NO_CHOICE, Choice, SiteMode
from winnow.proxy.stores.site_keys import site_key

SENTENCE = "The river rose in the night, and by morning the whole village stood on the bridge. "
PAGE = (
    "<!doctype html><html lang=en><title>Flood</title><nav><ul>"
    f"{'<li><a href=/a>Another story of the day</a>' * 60}</ul></nav><main>"
    f"<h1>Flood</h1>{f'<p>{SENTENCE * 3}</p>' * 6}</main><section id=comments class=comments>"
    f"<h2>2 comments</h2><article class=comment><p>Well said, {SENTENCE}</article></section>"
).encode()
SITE = Address("http", "a.example", 80)


def of(*presets: str, owner: str, choice: Choice = NO_CHOICE) -> Choice:
    rules = SiteRules.of_settings(SiteSettings(presets=presets))
    return rules.of(SITE, owner, Choices().with_choice(owner, "a.example", choice))


def test_a_preset_holds_for_its_users_and_everybody_else_has_the_stars() -> None:
    presets = "anna=children", "*=library"
    assert of(*presets, owner="user:anna").comments == "drop"
    assert of(*presets, owner="user:ben").mode is SiteMode.TIDY
    assert of(*presets, owner=LOOPBACK).mode is SiteMode.TIDY
    assert of("anna=children", owner="user:ben").mode is None


def test_a_reader_undoes_one_that_is_not_fixed() -> None:
    chosen = Choice(SiteMode.NEVER, comments="keep")
    for preset, mode, comments in (
        ("children", SiteMode.NEVER, "keep"),
        ("!children", SiteMode.ALWAYS, "drop"),
    ):
        found = of(f"anna={preset}", owner="user:anna", choice=chosen)
        assert (found.mode, found.comments) == (mode, comments)


def test_one_that_there_is_not_is_told() -> None:
    with pytest.raises(ConfigError, match="'adults' is none of children, library, low-vision"):
        SiteRules.of_settings(SiteSettings(presets=("anna=adults",)))


async def asked(proxy: Running, origin: Origin, *fields: str) -> Answer:
    browser = "Accept: text/html", "Sec-Fetch-Dest: document"
    return await ask(proxy.port, fetch(origin.url("/page"), *browser, *fields))


@pytest.mark.parametrize(("name", "action"), [("children", "extracted"), ("library", "tidied")])
async def test_by_proxy_no_request_and_no_pause_undoes_a_fixed_one(name: str, action: str) -> None:
    for sign, original in (("", "original"), ("!", action)):
        plain = Settings()
        settings = replace(
            plain,
            server=replace(plain.server, port=0),
            extraction=replace(UNHURRIED, extractor="bte"),
            sites=SiteSettings(presets=(f"*={sign}{name}",)),
        )
        async with serving(Origin()) as origin, running(settings) as proxy:
            origin.replies["/page"] = html(PAGE)
            site = site_key(parse_url(origin.url()).origin)
            first = await asked(proxy, origin)
            assert first.field("winnow-action") == action
            assert b"Well said" not in first.body or name != "children"
            for fields in (
                ["Winnow-Mode: original"],
                ["Winnow-Mode: original", "Winnow-Level: 12"],
            ):
                answer = await asked(proxy, origin, *fields)
                assert answer.field("winnow-action") == original
            await proxy.state.choices.choose(LOOPBACK, site, Choice(SiteMode.NEVER))
            assert (await asked(proxy, origin)).field("winnow-action") == original
            await proxy.state.choices.choose(LOOPBACK, site, NO_CHOICE)
            await proxy.state.choices.pause(LOOPBACK, datetime.max.replace(tzinfo=UTC))
            assert (await asked(proxy, origin)).field("winnow-action") == original


def test_a_page_of_a_fixed_one_has_our_etags_during_a_pause_too() -> None:
    head, paused = RequestHead("GET", "/", Headers(())), Policy(is_paused=lambda _: True)
    for fixed in (False, True):
        rule = SiteRule(fixed=fixed)
        found = original_by_choice(head, Preferences(Recipe()), rule, paused, None)
        assert found is not fixed


def test_low_vision_is_crunch_with_larger_text() -> None:
    assert "font=150" in (PRESETS["low-vision"].extractor or "")
