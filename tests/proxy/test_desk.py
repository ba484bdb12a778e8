"""The pages by which a reader steers the proxy do what they say, and only for the reader."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from cryptography import x509
from selectolax.lexbor import LexborHTMLParser

from document.values import Rendered
from proxy.desk import Desk, DeskBars
from proxy.errors import ClientFaultError
from proxy.headers import Headers
from proxy.own import Asked, Shown
from proxy.pages.choosing import Action, Links, Wish
from proxy.pages.pac import Listener
from proxy.stores.choices import UNTIL_RESTART, MemoryChoices
from proxy.stores.remembered import Choice, Mode, PassThrough
from proxy.tls.keys import Keys
from proxy.tls.policy import Hosts, Interception
from proxy.upstream.origins import Origin
from proxy.values import RequestHead

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
PAGE = "https://www.example.com/story"
INSIDE = Origin("https", "winnow.internal", 443)


class Posted:
    """A form as a request's body."""

    started = False

    def __init__(self, fields: dict[str, str]) -> None:
        self._data = urlencode(fields).encode()

    async def chunks(self) -> AsyncIterator[bytes]:
        yield self._data


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(
        MemoryChoices(),
        Keys(tmp_path, "desk"),
        Interception(Hosts.of(["*"])),
        frozenset({"bte", "mss"}),
        lambda: Listener("127.0.0.1", 8080),
        now=lambda: NOW,
    )


def asked(
    path: str,
    *fields: tuple[str, str],
    query: dict[str, str] | None = None,
    form: dict[str, str] | None = None,
    through: str = "",
) -> Asked:
    """A request straight to us, or ``through`` the proxy by http or https."""
    target = f"http://winnow.internal{path}" if through == "http" else path
    inside = INSIDE if through == "https" else None
    host = ("Host", "winnow.internal" if through else "127.0.0.1:8080")
    method = "GET" if form is None else "POST"
    head = RequestHead(method, target, Headers((host, *fields)), inside=inside)
    base = f"{through or 'http'}://{host[1]}/"
    body = None if form is None else Posted(form)
    return Asked(head, path, query or {}, base, body)  # type: ignore[arg-type]  # stands in for aiohttp's


def tree(shown: Shown) -> LexborHTMLParser:
    return LexborHTMLParser(shown.body)


def location(shown: Shown) -> str:
    assert shown.status == 303
    return dict(shown.fields)["Location"]


async def test_the_certificate_can_be_downloaded_without_its_key(desk: Desk) -> None:
    answer = await desk.certificate(asked("/-/ca.crt"))
    certificate = x509.load_pem_x509_certificate(answer.body)
    assert certificate == (await desk.keys.authority()).certificate
    assert answer.media_type == "application/x-x509-ca-cert"
    assert b"PRIVATE" not in answer.body


async def test_set_up_names_the_listener_as_this_client_reached_it(desk: Desk) -> None:
    straight = await desk.setup(asked("/-/setup", ("Host", "192.168.1.5:8080")))
    assert b"http://127.0.0.1:8080/-/proxy.pac" in straight.body
    head = RequestHead("GET", "/-/setup", Headers((("Host", "192.168.1.5:8080"),)))
    reached = await desk.setup(Asked(head, "/-/setup", {}, "http://192.168.1.5:8080/"))
    assert b"http://192.168.1.5:8080/-/proxy.pac" in reached.body
    assert (await desk.keys.authority()).fingerprint.encode() in straight.body


async def test_the_pac_file_leads_to_the_listener(desk: Desk) -> None:
    answer = await desk.pac(asked("/-/proxy.pac"))
    assert b"PROXY 127.0.0.1:8080" in answer.body
    assert answer.media_type == "application/x-ns-proxy-autoconfig"


@pytest.mark.parametrize(("through", "said"), [("http", b"HTTP goes"), ("https", b"HTTPS goes")])
async def test_the_check_says_how_it_was_reached(desk: Desk, through: str, said: bytes) -> None:
    assert said in (await desk.check(asked("/-/check", through=through))).body


async def test_the_check_is_not_there_without_the_proxy(desk: Desk) -> None:
    with pytest.raises(ClientFaultError) as caught:
        await desk.check(asked("/-/check"))
    assert caught.value.status == 404


def wish(desk: Desk, action: Action = Action.NEVER, value: str = "") -> dict[str, str]:
    return Links(desk.tokens, NOW).fields(Wish(action, PAGE, value))


async def test_asking_changes_nothing(desk: Desk) -> None:
    answer = await desk.choose(asked("/-/choose", query=wish(desk), through="https"))
    assert answer.status == 200
    assert tree(answer).css_matches('form[method="post"]')
    assert not desk.store.now.choices


@pytest.mark.parametrize(("through", "back"), [("http", PAGE), ("https", PAGE), ("", f"/{PAGE}")])
async def test_a_choice_is_kept_and_leads_back(desk: Desk, through: str, back: str) -> None:
    answer = await desk.choose(asked("/-/choose", form=wish(desk), through=through))
    assert location(answer) == back
    assert desk.store.now.choice("example.com") == Choice(Mode.NEVER)


async def test_choices_for_one_site_add_up(desk: Desk) -> None:
    await desk.choose(asked("/-/choose", form=wish(desk, Action.ALWAYS)))
    await desk.choose(asked("/-/choose", form=wish(desk, Action.EXTRACTOR, "bte")))
    assert desk.store.now.choice("example.com") == Choice(Mode.ALWAYS, "bte")


@pytest.mark.parametrize("break_", ["\r\nSet-Cookie: a=b", "\n", "\0", "\x7f"])
async def test_a_choice_for_a_page_with_line_ends_leads_nowhere(desk: Desk, break_: str) -> None:
    form = wish(desk) | {"page": f"http://example.com/{break_}"}
    for through in ("", "http", "https"):
        with pytest.raises(ClientFaultError, match="control characters"):
            await desk.choose(asked("/-/choose", form=form, through=through))
    assert not desk.store.now.choices


async def test_a_forged_choice_is_refused_in_the_readers_language(desk: Desk) -> None:
    forged = {**wish(desk), "page": "https://bank.example/"}
    answer = await desk.choose(asked("/-/choose", ("Accept-Language", "de"), form=forged))
    assert answer.status == 403
    assert "Dieser Link gilt nicht mehr" in answer.body.decode()
    assert not desk.store.now.choices


async def test_the_original_is_shown_to_who_asked_for_it(desk: Desk) -> None:
    link = Links(desk.tokens, NOW).original(PAGE)
    query = dict(parse_qsl(urlsplit(link).query))
    request = asked("/-/original", query=query, through="https")
    assert location(await desk.original(request)) == PAGE
    assert desk.originals.asked(request.head.client, PAGE)
    assert not desk.originals.asked("192.168.1.9", PAGE)
    assert not desk.originals.asked(request.head.client, "https://www.example.com/other")


async def test_in_the_gateway_the_original_has_an_address(desk: Desk) -> None:
    query = dict(parse_qsl(urlsplit(Links(desk.tokens, NOW).original(PAGE)).query))
    there = urlsplit(location(await desk.original(asked("/-/original", query=query))))
    assert (there.path, dict(parse_qsl(there.query))) == (
        "/-/read",
        {"url": PAGE, "mode": "original"},
    )


async def test_a_foreign_link_to_an_original_leads_nowhere(desk: Desk) -> None:
    query = {"page": "http://evil.example/", "token": "1.2"}
    assert (await desk.original(asked("/-/original", query=query))).status == 403


async def settings_form(desk: Desk, change: str, value: str) -> dict[str, str]:
    """The fields of the form on the page that makes this change."""
    page = tree(await desk.settings(asked("/-/settings")))
    for form in page.css("form"):
        fields = {
            str(node.attributes["name"]): str(node.attributes["value"])
            for node in form.css("input")
        }
        if (fields["change"], fields["value"]) == (change, value):
            return fields
    raise AssertionError(f"there is no button to {change} {value}")


@pytest.mark.parametrize(
    ("value", "until"), [("10", NOW + timedelta(minutes=10)), ("restart", UNTIL_RESTART)]
)
async def test_everything_can_be_paused_and_resumed(
    desk: Desk, value: str, until: datetime
) -> None:
    form = await settings_form(desk, "pause", value)
    assert location(await desk.settings(asked("/-/settings", form=form))) == "/-/settings"
    assert desk.store.now.paused_until == until
    await desk.settings(asked("/-/settings", form=await settings_form(desk, "resume", "")))
    assert desk.store.now.paused_until is None


async def test_a_choice_can_be_forgotten(desk: Desk) -> None:
    await desk.store.choose("example.com", Choice(Mode.NEVER))
    form = await settings_form(desk, "forget", "example.com")
    await desk.settings(asked("/-/settings", form=form))
    assert not desk.store.now.choices


async def test_all_choices_can_be_forgotten_at_once(desk: Desk) -> None:
    await desk.store.choose("example.com", Choice(Mode.NEVER))
    await desk.store.choose("example.org", Choice(level=3))
    form = await settings_form(desk, "forget-all", "")
    await desk.settings(asked("/-/settings", form=form))
    assert not desk.store.now.choices


async def test_looking_at_the_settings_makes_no_authority(desk: Desk) -> None:
    assert b"There is no authority yet" in (await desk.settings(asked("/-/settings"))).body
    assert await desk.keys.known() is None
    fingerprint = (await desk.keys.authority()).fingerprint
    assert fingerprint.encode() in (await desk.settings(asked("/-/settings"))).body


async def test_an_authority_that_cannot_be_used_is_told(desk: Desk, tmp_path: Path) -> None:
    damaged = tmp_path / "authority.pem"
    damaged.write_bytes(b"nothing")
    damaged.chmod(0o600)
    shown = await desk.settings(asked("/-/settings"))
    assert shown.status == 200
    assert str(damaged) in shown.body.decode()


async def test_certificates_of_sites_can_be_forgotten_in_all_processes(desk: Desk) -> None:
    told = []

    async def others(change: object) -> None:
        told.append(change)

    desk.keys.told = others
    before = await desk.keys.context_for("example.com")
    form = await settings_form(desk, "leaves", "")
    await desk.settings(asked("/-/settings", form=form))
    assert (desk.keys.leaves, told) == (0, [None])
    assert await desk.keys.context_for("example.com") is not before
    desk.keys.heard()
    assert desk.keys.leaves == 0
    desk.keys.close()


async def test_what_was_learned_is_listed_and_can_be_undone(desk: Desk) -> None:
    await desk.store.learn(PassThrough("app.example", "unknown-ca", NOW))
    page = tree(await desk.settings(asked("/-/settings")))
    assert page.body is not None
    assert "an app refused Winnow's certificate (unknown-ca)" in page.body.text()
    form = await settings_form(desk, "reopen", "app.example")
    await desk.settings(asked("/-/settings", form=form))
    assert not desk.store.now.passed


@pytest.mark.parametrize(
    "fields",
    [
        (("Origin", "https://evil.example"),),
        (("Origin", "null"),),
        (("Sec-Fetch-Site", "cross-site"),),
    ],
)
async def test_another_site_cannot_change_settings(
    desk: Desk, fields: tuple[tuple[str, str], ...]
) -> None:
    form = await settings_form(desk, "pause", "10")
    with pytest.raises(ClientFaultError) as caught:
        await desk.settings(asked("/-/settings", *fields, form=form))
    assert caught.value.status == 403
    assert desk.store.now.paused_until is None


@pytest.mark.parametrize(
    "change", [{"token": ""}, {"change": "explode"}, {"value": "5000"}, {"value": "soon"}]
)
async def test_a_senseless_change_is_refused(desk: Desk, change: dict[str, str]) -> None:
    form = {**await settings_form(desk, "pause", "10"), **change}
    assert (await desk.settings(asked("/-/settings", form=form))).status == 403
    assert desk.store.now.paused_until is None


async def test_a_stranger_does_not_see_the_settings(desk: Desk) -> None:
    head = RequestHead("GET", "/-/settings", Headers((("Host", "evil.example"),)), client="")
    with pytest.raises(ClientFaultError) as caught:
        await desk.settings(Asked(head, "/-/settings", {}, "http://evil.example/"))
    assert caught.value.status == 421


@pytest.mark.parametrize(
    ("url", "prefix", "base"),
    [
        ("http://example.com/", "", "http://winnow.internal"),
        ("https://example.com/", "", "https://winnow.internal"),
        ("https://example.com/", "http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
    ],
)
def test_the_bar_leads_to_the_desk_by_the_way_the_page_came(
    desk: Desk, url: str, prefix: str, base: str
) -> None:
    rendered = Rendered(b"", "text/html", "bte", words_kept=5, words_total=9)
    markup = DeskBars(desk)(asked("/").head, url, rendered, prefix).decode()
    assert f'href="{base}/-/original?' in markup
    assert "Winnow shows 5 of 9 words." in markup
    assert ">mss<" in markup
    assert ">bte<" not in markup


def test_the_bar_changes_with_the_language_and_not_with_each_minute(desk: Desk) -> None:
    bars = DeskBars(desk)
    german = RequestHead("GET", "/", Headers((("Accept-Language", "de"),)))
    assert bars.variant(asked("/").head) != bars.variant(german) == bars.variant(german)


async def test_the_slider_in_the_settings_sets_a_sites_level(desk: Desk) -> None:
    await desk.store.choose("example.com", Choice(Mode.ALWAYS, "bte"))
    page = tree(await desk.settings(asked("/-/settings")))
    form = page.css_first("form.winnow-slider")
    assert form is not None
    fields = {
        str(node.attributes["name"]): node.attributes["value"] or "" for node in form.css("input")
    }
    await desk.settings(asked("/-/settings", form={**fields, "value": "7"}))
    assert desk.store.now.choice("example.com") == Choice(Mode.ALWAYS, None, 7)
