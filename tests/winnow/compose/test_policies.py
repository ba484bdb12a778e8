"""What settings say of access, sites and interception is what the running proxy does."""

from __future__ import annotations

import asyncio
import ssl
from base64 import b64encode
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlencode

import pytest
import trustme
from selectolax.lexbor import LexborHTMLParser

from tests.proxy.origins import Origin, ask, get, html, read_answer, serving
from tests.proxy.stores.memories import at
from tests.winnow.test_whole_path import ARTICLE, BROWSER, settings
from winnow.compose.policies import (
    administrators,
    gate_of,
    interception_of,
    listener_tls,
    pauses,
    permits,
    rules,
)
from winnow.compose.running import running
from winnow.config.errors import ConfigError
from winnow.config.server_settings import Server
from winnow.config.settings import (
    Access,
    InterceptionSettings,
    ReachSettings,
    Settings,
    SiteSettings,
)
from winnow.data_folder import data_folder
from winnow.proxy.access.credentials.passwords import hash_password
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.headers import Headers
from winnow.proxy.stores.choice_store import NotifyingChoices
from winnow.proxy.stores.choices import EVERYBODY, Choices
from winnow.proxy.stores.site_choice import Choice, SiteMode

PLAIN = Settings()
NOW = datetime.now(UTC)


@pytest.mark.parametrize(
    ("reach", "local", "stranger"),
    [
        (ReachSettings.LOCAL, True, False),
        (ReachSettings.EVERYONE, True, True),
        (ReachSettings.NOBODY, False, False),
    ],
)
def test_private_addresses_are_for_whom_the_settings_say(
    reach: ReachSettings, local: bool, stranger: bool
) -> None:
    permit_for = permits(replace(PLAIN, access=Access(private_addresses=reach)))
    assert permit_for("127.0.0.1")("192.168.1.1", 80) is local
    assert permit_for("192.168.1.7")("192.168.1.1", 80) is stranger
    assert permit_for("192.168.1.7")("93.184.215.14", 80)


def test_nobody_listens_to_others_without_a_password() -> None:
    beyond = replace(PLAIN, server=Server(host="0.0.0.0"))
    with pytest.raises(ConfigError, match="winnow password NAME"):
        gate_of(beyond)
    line = f"ann:{hash_password('secret')}"
    gate_of(replace(beyond, access=Access(users=(line,))))
    gate_of(replace(beyond, access=Access(open_to=("192.168.0.0/16",))))


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "127.0.0.5"])
def test_this_computer_needs_none(host: str) -> None:
    gate_of(replace(PLAIN, server=Server(host=host)))


@pytest.mark.parametrize(
    ("access", "message"),
    [
        (Access(users=("ann",)), "access.users: A user is written"),
        (Access(users=("ann:plain",)), "User ann: A password's hash is"),
        (Access(open_to=("everywhere",)), "'everywhere' is no network"),
    ],
)
def test_a_wrong_setting_of_access_says_what_to_change(access: Access, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        gate_of(replace(PLAIN, access=access))


def test_tls_files_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    server = Server(tls_cert=tmp_path / "missing.pem")
    with pytest.raises(ConfigError, match=r"missing\.pem"):
        listener_tls(replace(PLAIN, server=server))


def test_interception_is_off_and_banks_are_spared_unless_reported_otherwise() -> None:
    assert interception_of(PLAIN).spares("example.com") == "not-intercepted"
    opened = replace(PLAIN, interception=InterceptionSettings(hosts=("*",)))
    assert interception_of(opened).spares("example.com") is None
    assert interception_of(opened).spares("www.paypal.com") == "never-intercepted"
    daring = replace(PLAIN, interception=InterceptionSettings(hosts=("*",), exclude_banks=False))
    assert interception_of(daring).spares("www.paypal.com") is None


def test_site_rules_come_from_settings_and_choices() -> None:
    store = NotifyingChoices(Choices().with_choice(EVERYBODY, "b.example", Choice(SiteMode.NEVER)))
    rule_for = rules(replace(PLAIN, sites=SiteSettings(always=("a.example", "b.example"))), store)
    assert rule_for(at("a.example"), "").mode is SiteMode.ALWAYS
    assert rule_for(at("b.example"), "").mode is SiteMode.NEVER


def test_a_wrong_site_rule_says_what_to_change() -> None:
    with pytest.raises(ConfigError, match="from 1 to 12"):
        rules(replace(PLAIN, sites=SiteSettings(levels=("a.example=99",))), NotifyingChoices())


def test_data_stays_where_it_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder(PLAIN) == tmp_path / "winnow"


def test_a_pause_ends() -> None:
    now = Choices().with_pause(EVERYBODY, datetime.now(UTC) + timedelta(hours=1))
    assert pauses(NotifyingChoices(now))("127.0.0.1")
    assert not pauses(NotifyingChoices(Choices().with_pause(EVERYBODY, NOW)))("127.0.0.1")
    assert not pauses(NotifyingChoices())("127.0.0.1")


def test_who_administers() -> None:
    here, there = (RequestHead("GET", "/", Headers(), client) for client in ("::1", "10.0.0.9"))
    alone = administrators(PLAIN)
    assert alone(here)
    assert not alone(there)
    assert not alone(replace(here, client=""))
    several = administrators(
        replace(PLAIN, access=Access(users=("ann:x", "ben:y"), admins=("ann",)))
    )
    assert several(replace(there, user="ann"))
    assert not several(replace(there, user="ben"))
    assert not several(here)
    unnamed = administrators(replace(PLAIN, access=Access(users=("ann:x",))))
    assert unnamed(here)
    assert not unnamed(replace(here, user="ann"))
    assert not unnamed(replace(there, user="ann"))


def test_an_administrator_who_is_no_user_is_named() -> None:
    line = f"ann:{hash_password('secret')}"
    wrong = replace(PLAIN, access=Access(users=(line,), admins=("ann", "bob")))
    with pytest.raises(ConfigError, match="'bob' is no user"):
        gate_of(wrong)


async def test_a_choice_in_the_bar_holds_for_the_site_and_survives_a_restart() -> None:
    async with serving(Origin()) as origin:
        origin.replies["/page"] = html(ARTICLE)
        page = get(origin.url("/page"), BROWSER)
        async with running(settings()) as proxy:
            shown = await ask(proxy.port, page)
            assert shown.field("Winnow-Action") == "extracted"
            asking = bar_link(shown.body, "choose?action=never")
            form = confirmation((await ask(proxy.port, get(asking, BROWSER))).body)
            assert (
                await ask(proxy.port, post("http://winnow.internal/-/choose", form))
            ).status == 303
            assert (await ask(proxy.port, page)).field("Winnow-Reason") == "site-rule"
        async with running(settings()) as proxy:
            assert (await ask(proxy.port, page)).field("Winnow-Reason") == "site-rule"


async def test_the_bars_first_link_shows_the_original_to_that_client() -> None:
    async with serving(Origin()) as origin, running(settings()) as proxy:
        origin.replies["/page"] = html(ARTICLE)
        page = get(origin.url("/page"), BROWSER)
        link = bar_link((await ask(proxy.port, page)).body, "original")
        assert (await ask(proxy.port, get(link, BROWSER))).status == 200  # it asks
        assert (await ask(proxy.port, page)).field("Winnow-Action") == "extracted"
        answer = await ask(proxy.port, get(link, BROWSER, f"Referer: {origin.url('/')}"))
        assert (answer.status, answer.field("Location")) == (303, origin.url("/page"))
        original = await ask(proxy.port, page)
        assert original.field("Winnow-Reason") == "original-requested"
        assert original.body.startswith(ARTICLE.rpartition(b"</body>")[0])  # a notice follows


async def test_a_user_is_let_in_by_name_and_password() -> None:
    line = f"ann:{hash_password('secret')}"
    secured = replace(settings(), access=Access(users=(line,), open_to=()))
    right = "Proxy-Authorization: Basic " + b64encode(b"ann:secret").decode()
    async with serving(Origin()) as origin, running(secured) as proxy:
        origin.replies["/page"] = html(ARTICLE)
        refused = await ask(proxy.port, get(origin.url("/page")))
        assert refused.status == 407
        assert refused.field("Proxy-Authenticate").startswith("Basic")
        assert not origin.requests
        granted = await ask(proxy.port, get(origin.url("/page"), BROWSER, right))
        assert granted.status == 200
        assert b"uthorization" not in b"".join(origin.requests)


async def test_a_page_that_leads_its_name_to_us_reaches_nothing_private() -> None:
    async with serving(Origin()) as origin, running(settings()) as proxy:
        origin.replies["/page"] = html(ARTICLE)
        target = f"/{origin.url('/page')}"
        head = f"GET {target} HTTP/1.1\r\nHost: {{}}\r\nAccept: text/html\r\n\r\n"
        assert (await ask(proxy.port, head.format("localhost").encode())).status == 200
        assert (await ask(proxy.port, head.format("rebinding.example").encode())).status == 421
        assert len(origin.requests) == 1


def direct(path: str, host: str, *fields: str) -> bytes:
    return "\r\n".join((f"GET {path} HTTP/1.1", f"Host: {host}", *fields, "", "")).encode()


@pytest.mark.parametrize("path", ["/-/status", "/-/metrics", "/", "/-/settings", "/-/small/"])
async def test_under_a_strange_name_our_pages_answer_to_a_password_alone(path: str) -> None:
    """DNS rebinding: the page's own name leads to us, so that its scripts could read the answer."""
    line = f"ann:{hash_password('secret')}"
    secured = replace(settings(), access=Access(users=(line,)))
    right = "Authorization: Basic " + b64encode(b"ann:secret").decode()
    async with running(settings()) as proxy:
        refused = await ask(proxy.port, direct(path, "evil.example"))
        assert (refused.status, refused.field("winnow-reason")) == (421, "misdirected")
        assert (await ask(proxy.port, direct(path, f"winnow:{proxy.port}"))).status == 200
        assert (await ask(proxy.port, direct("/-/health", "evil.example"))).status == 200
    async with running(secured) as proxy:
        refused = await ask(proxy.port, direct(path, "evil.example"))
        assert (refused.status, refused.field("www-authenticate")[:5]) == (401, "Basic")
        granted = await ask(proxy.port, direct(path, "evil.example", right))
        assert granted.status == (421 if path == "/-/settings" else 200)


async def test_a_program_sends_its_key() -> None:
    access = Access(api_keys=(f"robot:{hash_password('secret')}",), open_to=("127.0.0.0/8",))
    browser = "User-Agent: Mozilla/5.0"
    async with serving(Origin()) as origin, running(replace(settings(), access=access)) as proxy:
        origin.replies["/page"] = html(ARTICLE)
        api = f"/-/api/extract?url={origin.url('/page')}"
        assert (await ask(proxy.port, direct(api, "127.0.0.1", browser))).status == 403
        for key, status in (("robot.secret", 200), ("robot.guess", 401), ("other.secret", 401)):
            field = f"Authorization: Bearer {key}"
            assert (
                await ask(proxy.port, direct(api, "127.0.0.1", browser, field))
            ).status == status
        assert len(origin.requests) == 1
    with pytest.raises(ConfigError, match=r"access\.api_keys: A user is written"):
        gate_of(replace(PLAIN, access=Access(api_keys=("robot",))))


async def test_the_listener_speaks_tls_where_it_is_reported(tmp_path: Path) -> None:
    authority = trustme.CA()
    chain = tmp_path / "listener.pem"
    issued = authority.issue_cert("127.0.0.1")
    chain.write_bytes(issued.private_key_and_cert_chain_pem.bytes())
    secured = replace(settings(), server=Server(port=0, tls_cert=chain))
    client = ssl.create_default_context()
    authority.configure_trust(client)
    async with running(secured) as proxy:
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port, ssl=client)
        writer.write(b"GET /-/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert (await read_answer(reader)).body == b"ok\n"
        assert proxy.secure
        writer.close()


def bar_link(page: bytes, leads: str) -> str:
    """The address of the link in the bar that holds these letters."""
    links = [str(node.attributes["href"]) for node in LexborHTMLParser(page).css("#winnow-bar a")]
    return next(link for link in links if leads in link)


def confirmation(page: bytes) -> dict[str, str]:
    """The fields of the form of a page that asks."""
    inputs = [node.attributes for node in LexborHTMLParser(page).css("form[method=post] input")]
    return {str(field["name"]): str(field["value"]) for field in inputs}


def post(url: str, fields: dict[str, str]) -> bytes:
    body = urlencode(fields).encode()
    head = get(url, "Content-Type: application/x-www-form-urlencoded", method="POST")
    return head[:-2] + f"Content-Length: {len(body)}\r\n\r\n".encode() + body
