"""Choices count for whoever made them: two users of one proxy, over real sockets."""

from __future__ import annotations

import asyncio
import re
import ssl
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.proxy.origins import Answer, Origin, ask, get, html, read_answer, serving
from tests.unhurried import UNHURRIED
from winnow.compose.running import Running, running
from winnow.config.settings import Access, Settings
from winnow.proxy.access.credentials.passwords import hash_password
from winnow.proxy.stores.choices import EVERYBODY, PassThrough
from winnow.proxy.stores.site_choice import Choice, SiteMode

BROWSER = "Accept: text/html,application/xhtml+xml,*/*;q=0.8"
SETTINGS = "http://winnow.internal/-/settings"
SITE = f"{SETTINGS}/site"
CHOOSE = "http://winnow.internal/-/choose"
ARTICLE = (
    "<!doctype html><title>A</title><nav>Menu</nav><main><h1>A</h1><p>"
    + "Words that people read. " * 60
    + "</p></main>"
).encode()
USERS = tuple(f"{name}:{hash_password(f'secret of {name}')}" for name in ("ann", "ben"))


def plain(folder: Path) -> Settings:
    made = Settings()
    return replace(
        made,
        server=replace(made.server, port=0),
        storage=replace(made.storage, folder=folder),
        access=Access(users=USERS, admins=("ann",), open_to=()),
        extraction=replace(UNHURRIED, extractor="bte"),
        interception=replace(made.interception, hosts=("*",)),
    )


@dataclass
class User:
    """One user's browser at the proxy."""

    name: str
    proxy: Running

    @property
    def credentials(self) -> str:
        text = f"{self.name}:secret of {self.name}"
        return "Proxy-Authorization: Basic " + b64encode(text.encode()).decode()

    async def get(self, url: str, *fields: str) -> Answer:
        return await ask(self.proxy.port, get(url, BROWSER, self.credentials, *fields))

    async def post(self, url: str, fields: dict[str, str]) -> Answer:
        origin = "Origin: " + "/".join(url.split("/")[:3])
        kind = "Content-Type: application/x-www-form-urlencoded"
        body = urlencode(fields).encode()
        length = f"Content-Length: {len(body)}"
        head = get(url, self.credentials, origin, kind, length, method="POST")
        return await ask(self.proxy.port, head + body)

    async def token(self, url: str) -> str:
        found = re.search(rb'name="token" value="([^"]+)"', (await self.get(url)).body)
        assert found
        return found[1].decode()

    async def decides(self, site: str, **fields: str) -> Answer:
        """Send the form of a site, for everybody where ``fields`` say so."""
        scope = {"site": site, "for": fields.get("for", "")}
        page = (await self.get(f"{SITE}?{urlencode(scope)}")).body
        shown = re.findall(rb'type="hidden" name="([^"]+)" value="([^"]*)"', page)
        hidden = {name.decode(): value.decode() for name, value in shown}
        return await self.post(SITE, {**hidden, **fields, "do": "save"})

    async def chooses(self, action: str, page: str) -> None:
        """Open the confirmation page, and send its form."""
        fields = {"action": action, "page": page}
        token = await self.token(f"{CHOOSE}?{urlencode(fields)}")
        assert (await self.post(CHOOSE, {**fields, "token": token})).status == 303

    async def changes(self, **fields: str) -> Answer:
        """Send a form of the settings page."""
        return await self.post(SETTINGS, {**fields, "token": await self.token(SETTINGS)})


@dataclass
class House:
    """``ann`` administers."""

    ann: User
    ben: User
    origin: Origin
    proxy: Running

    @property
    def page(self) -> str:
        return self.origin.url("/page")


@asynccontextmanager
async def housing(folder: Path) -> AsyncIterator[House]:
    async with serving(Origin()) as origin, running(plain(folder)) as proxy:
        origin.replies["/page"] = html(ARTICLE, 'ETag: "one"', "Cache-Control: max-age=600")
        yield House(User("ann", proxy), User("ben", proxy), origin, proxy)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with housing(tmp_path) as made:
        yield made


def is_extracted(answer: Answer) -> bool:
    return answer.field("winnow-action") == "extracted"


def left_alone(answer: Answer) -> bytes:
    """The page without the line that says that its site was left alone on it."""
    page, line, rest = answer.body.partition(b'<aside id="winnow-notice"')
    assert b"Winnow leaves this site alone." in line + rest
    assert rest.endswith(b"</aside>")
    return page


async def test_no_cache_shows_one_user_what_another_chose(house: House) -> None:
    first, same = await house.ann.get(house.page), await house.ben.get(house.page)
    assert is_extracted(first)
    assert first.body == same.body
    await house.ann.chooses("never", house.page)
    mark = f"If-None-Match: {first.field('etag')}"
    for _ in range(3):
        hers, his = await house.ann.get(house.page), await house.ben.get(house.page)
        assert (hers.status, left_alone(hers)) == (200, ARTICLE)
        assert his.body == first.body
        assert left_alone(await house.ann.get(house.page, mark)) == ARTICLE
        assert (await house.ben.get(house.page, mark)).status == 304
    await house.ben.chooses("always", house.page)
    key = f"127.0.0.1:{house.origin.port}"
    now = house.proxy.state.choices.now
    assert now.of("user:ann").choices == {key: Choice(SiteMode.NEVER)}
    assert now.of("user:ben").choices == {key: Choice(SiteMode.ALWAYS)}


async def test_methods_of_two_users_are_apart_in_every_cache(house: House) -> None:
    await house.ann.chooses("never", house.page)
    site = f"127.0.0.1:{house.origin.port}"
    assert (await house.ben.decides(site, level="1")).status == 303
    for _ in range(3):
        assert left_alone(await house.ann.get(house.page)) == ARTICLE
        his = await house.ben.get(house.page)
        assert his.field("winnow-extractor").startswith("crunch")
        mark = f"If-None-Match: {his.field('etag')}"
        assert (await house.ben.get(house.page, mark)).status == 304
    assert (await house.ann.changes(change="forget", value=site)).status == 303
    hers = await house.ann.get(house.page, mark)
    assert hers.status == 200
    assert hers.field("winnow-extractor").startswith("bte")


async def test_a_pause_is_the_users_own(house: House) -> None:
    assert (await house.ben.changes(change="pause", value="60")).status == 303
    assert (await house.ben.get(house.page)).field("winnow-reason") == "paused"
    assert is_extracted(await house.ann.get(house.page))
    assert b"Resume now" in (await house.ben.get(SETTINGS)).body
    assert b"Resume now" not in (await house.ann.get(SETTINGS)).body


async def test_for_everybody_only_who_administers_chooses(house: House) -> None:
    refused = await house.ben.changes(**{"change": "pause", "value": "60", "for": "everybody"})
    assert refused.status == 403
    assert not house.proxy.state.choices.now.owners
    site = f"127.0.0.1:{house.origin.port}"
    assert (await house.ben.decides(site, mode="never", **{"for": "everybody"})).status == 403
    assert not house.proxy.state.choices.now.owners
    shared = await house.ann.decides(site, mode="never", **{"for": "everybody"})
    assert shared.status == 303
    assert set(house.proxy.state.choices.now.owners) == {EVERYBODY}
    assert (await house.ben.get(house.page)).field("winnow-reason") == "site-rule"
    await house.ben.chooses("always", house.page)
    assert is_extracted(await house.ben.get(house.page))


async def test_only_an_administrator_forgets_the_certificates_of_sites(house: House) -> None:
    await house.proxy.state.ca.context_for("a.example")
    assert (await house.ben.changes(change="leaves")).status == 403
    assert house.proxy.state.ca.leaves == 1
    assert (await house.ann.changes(change="leaves")).status == 303
    assert house.proxy.state.ca.leaves == 0


async def test_a_client_clears_its_own_refusals_and_an_administrator_all(house: House) -> None:
    store, now = house.proxy.state.choices, datetime.now(UTC)
    for client in ("127.0.0.1", "192.168.1.6"):
        for host in ("a.example", "b.example"):
            await store.learn(PassThrough(host, "unknown-ca", now, True, client, "abc"))
    assert (await house.ben.changes(change="reopen", value="a.example")).status == 303
    assert len(store.now.passed) == 3
    assert (await house.ben.changes(change="reopen-all")).status == 303
    assert {entry.client for entry in store.now.passed.values()} == {"192.168.1.6"}
    assert b"192.168.1.6" not in (await house.ben.get(SETTINGS)).body
    assert b"192.168.1.6" in (await house.ann.get(SETTINGS)).body
    assert (await house.ann.changes(change="reopen-all")).status == 303
    assert not store.now.passed


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("settings/reading", {"theme": "dark"}),
        ("settings/saved", {"what": "looks", "site": "", "part": ""}),
    ],
)
async def test_a_token_of_another_user_is_refused_on_every_page_with_forms(
    house: House, path: str, fields: dict[str, str]
) -> None:
    reading = "http://winnow.internal/-/settings/reading"
    token = await house.ann.token(reading)
    await house.ann.post(reading, {"theme": "dark", "token": token})
    url = f"http://winnow.internal/-/{path}"
    stolen = {**fields, "token": await house.ann.token(url)}
    refused = await house.ben.post(url, stolen)
    assert refused.status == 403
    assert b"expired" in refused.body
    assert (await house.ann.post(url, stolen)).status == 303


async def test_forget_all_forgets_ones_own(house: House) -> None:
    await house.ann.chooses("never", house.page)
    await house.ben.chooses("never", house.page)
    assert (await house.ben.changes(change="forget-all")).status == 303
    assert is_extracted(await house.ben.get(house.page))
    assert not is_extracted(await house.ann.get(house.page))


async def test_a_form_of_one_user_is_no_others(house: House) -> None:
    token = await house.ann.token(SETTINGS)
    answer = await house.ben.post(SETTINGS, {"change": "pause", "value": "60", "token": token})
    assert answer.status == 403
    assert not house.proxy.state.choices.now.owners


async def test_a_choice_for_one_port_leaves_other_ports_alone(house: House) -> None:
    """Two programs on one computer are two sites."""
    async with serving(Origin()) as other:
        other.replies["/page"] = html(ARTICLE)
        await house.ben.chooses("never", house.page)
        assert not is_extracted(await house.ben.get(house.page))
        assert is_extracted(await house.ben.get(other.url("/page")))


async def test_the_user_of_an_opened_tunnel_is_that_of_its_connect(house: House) -> None:
    authority = await house.proxy.state.ca.authority()
    context = ssl.create_default_context(cadata=authority.pem.decode())
    for user in (house.ann, house.ben):
        reader, writer = await asyncio.open_connection("127.0.0.1", house.proxy.port)
        head = f"Host: winnow.internal\r\n{user.credentials}\r\n\r\n"
        writer.write(f"CONNECT winnow.internal:443 HTTP/1.1\r\n{head}".encode())
        assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
        await writer.start_tls(context, server_hostname="winnow.internal")
        fields = urlencode({"action": "never", "page": "https://a.example/"})
        asked = f"GET /-/choose?{fields} HTTP/1.1\r\nHost: winnow.internal\r\n\r\n"
        writer.write(asked.encode())
        found = re.search(rb'name="token" value="([^"]+)"', (await read_answer(reader)).body)
        assert found
        body = f"{fields}&token={found[1].decode()}".encode()
        writer.write(
            b"POST /-/choose HTTP/1.1\r\nHost: winnow.internal\r\n"
            b"Origin: https://winnow.internal\r\nContent-Length: %d\r\n\r\n" % len(body) + body
        )
        assert (await read_answer(reader)).status == 303
        writer.close()
        assert f"user:{user.name}" in house.proxy.state.choices.now.owners
    assert set(house.proxy.state.choices.now.owners) == {"user:ann", "user:ben"}


async def test_what_was_chosen_is_there_after_a_restart(tmp_path: Path) -> None:
    async with housing(tmp_path) as house:
        await house.ben.chooses("never", "http://a.example/")
        before = house.proxy.state.choices.now
    async with housing(tmp_path) as house:
        assert house.proxy.state.choices.now == before


async def test_looks_bookmarks_and_kept_blocks_are_the_users_own(house: House) -> None:
    reading = "http://winnow.internal/-/settings/reading"
    token = await house.ben.token(reading)
    assert (await house.ben.post(reading, {"theme": "dark", "token": token})).status == 303
    assert b"@media screen{html:root" in (await house.ben.get(house.page)).body
    assert b"@media screen{html:root" not in (await house.ann.get(house.page)).body
    small = f"http://winnow.internal/-/small/{house.page}"
    for user in (house.ann, house.ben):
        form = {"url": house.page, "title": user.name, "do": "add"}
        token = await user.token(small)
        target = "http://winnow.internal/-/small/bookmark"
        assert (await user.post(target, {**form, "token": token})).status == 303
    kept = "http://winnow.internal/-/settings/saved"
    page = (await house.ann.get(kept)).body.decode()
    token = re.findall(r'value="bookmarks".*?name="token" value="([^"]+)"', page, re.DOTALL)[0]
    forget = {"what": "bookmarks", "site": "", "part": "", "token": token}
    assert (await house.ann.post(kept, forget)).status == 303
    assert [each.owner for each in house.proxy.state.library.now.bookmarks] == ["user:ben"]
