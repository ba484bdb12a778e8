"""The settings of docs/squid.md with the real Squid, and c-icap's client."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import ssl
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from email.utils import formatdate
from pathlib import Path

import pytest
import trustme

from benchmarks.free_ports import free_port
from tests.features.icap.service import RUNNING
from tests.features.icap.service import serving as icap
from tests.programs import require_file, require_program
from tests.proxy.origins import Origin, html, reply, serving
from tests.winnow.conftest import PAGE
from winnow.proxy.decisions.request.preferences import FIELDS

DOCUMENT = Path(__file__).parents[3] / "docs" / "squid.md"
CERTGEN = Path("/usr/lib/squid/security_file_certgen")
FOR_TESTS = """
acl readers src 127.0.0.0/8
http_access allow readers
follow_x_forwarded_for allow all
acl_uses_indirect_client off
adaptation_uses_indirect_client on
sslproxy_cert_error allow all
pid_filename none
access_log none
cache_log /dev/null
shutdown_lifetime 1 seconds
"""
"""Clients on this machine, which say that they are elsewhere."""
PASSED = """acl passed req_header X-Passed .
adaptation_access winnow_req deny passed
"""
"""A request that REQMOD does not see, as where Squid goes on without it."""
READER = ("-H", "Accept: text/html", "-A", "Mozilla/5.0", "-H", "X-Forwarded-For: 192.0.2.7")


def documented(first: str) -> str:
    """The block of settings that begins with this word."""
    blocks = re.findall(r"(?:^    .*\n)+", DOCUMENT.read_text(), re.MULTILINE)
    (found,) = (each for each in blocks if each.startswith(f"    {first}"))
    return str(found)


@asynccontextmanager
async def squid(folder: Path, service: int, https: str = "", users: str = "") -> AsyncIterator[str]:
    """Its address."""
    port, file = free_port(), folder / "squid.conf"
    listening = https or f"http_port {port}\n"
    settings = listening + documented("icap_enable") + users + FOR_TESTS
    allow = "adaptation_access winnow_req allow all"
    settings = settings.replace(allow, f"{PASSED}{allow}")
    file.write_text(settings.replace("3128", f"127.0.0.1:{port}").replace(":1344", f":{service}"))
    process = await asyncio.create_subprocess_exec(
        *(str(require_program("squid")), "-N", "-d1", "-f", str(file)),
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr
    said = []
    while b"Accepting" not in (line := await process.stderr.readline()):
        said.append(line)
        assert line, said
    reading = asyncio.create_task(process.stderr.read())
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        await process.wait()
        await reading


async def curl(through: str, *arguments: str, fields: Sequence[str] = READER) -> str:
    process = await asyncio.create_subprocess_exec(
        *(str(require_program("curl")), "-s", "-i", "-x", through, *fields, *arguments),
        stdout=asyncio.subprocess.PIPE,
    )
    out, _ = await process.communicate()
    return out.decode("latin-1")


async def test_a_reader_behind_squid(tmp_path: Path) -> None:
    async with serving(Origin()) as origin:
        origin.replies["/story"] = html(PAGE.encode(), 'ETag: "1"')
        origin.replies["/file"] = reply(b"\1" * 5000, "Content-Type: application/zip")
        async with icap(tmp_path) as service, squid(tmp_path, service) as proxy:
            page, own = origin.url("/story"), "http://winnow.internal"
            first = await curl(proxy, page)
            assert "Winnow-Action: extracted" in first
            assert f"{own}/-/original?page=" in first
            assert "X-Cache: MISS" in await curl(proxy, page), "no other reader gets it"
            assert (await curl(proxy, origin.url("/file"))).endswith("\r\n\r\n" + "\1" * 5000)
            assert "HTTP/1.1 200" in await curl(proxy, f"{own}/-/activity")
            asked = f"{own}/-/original?page={page}"
            chosen = await curl(proxy, asked, fields=(*READER, "-H", f"Referer: {page}"))
            assert f"Location: {page}" in chosen
            assert "Winnow-Action: original" in await curl(proxy, page)
            assert "Winnow-Action: extracted" in await curl(proxy, page, fields=OTHER)


OTHER = (*READER[:4], "-H", "X-Forwarded-For: 192.0.2.8")


@asynccontextmanager
async def stored(folder: Path, users: str = "") -> AsyncIterator[tuple[str, str, Origin]]:
    """Squid's address, that of a page that may be stored, and the page's origin."""
    async with serving(Origin()) as origin, icap(folder) as service:
        fields = ("Cache-Control: max-age=600", f"Date: {formatdate(usegmt=True)}")
        origin.replies["/story"] = html(PAGE.encode(), *fields)
        async with squid(folder, service, users=users) as proxy:
            yield proxy, origin.url("/story"), origin


async def test_squid_stores_what_depends_on_nobody(tmp_path: Path) -> None:
    async with stored(tmp_path) as (proxy, page, origin):
        asked = f"http://winnow.internal/-/original?page={page}"
        await curl(proxy, asked, fields=(*READER, "-H", f"Referer: {page}"))
        assert "Winnow-Action: original" in await curl(proxy, page)
        first = await curl(proxy, page, fields=OTHER)
        assert "Winnow-Action: extracted" in first, "the original was not stored"
        second = await curl(proxy, page, fields=OTHER)
        assert "max-age=0, must-revalidate, s-maxage=600" in second
        third = await curl(proxy, page, fields=OTHER)
        assert "X-Cache: HIT" in third
        assert third.partition("\r\n\r\n")[2] == first.partition("\r\n\r\n")[2]
        assert len(origin.requests) == 3
        assert b"winnow-" not in b"".join(origin.requests).lower()
        another = (*OTHER[:4], "-H", "X-Forwarded-For: 192.0.2.9")
        assert "X-Cache: HIT" in await curl(proxy, page, fields=another)
        chosen = await curl(proxy, page)
        assert "Winnow-Action: original" in chosen, "a choice goes before what is stored"
        assert ", private" in chosen
        passed = await curl(proxy, page, fields=(*OTHER, "-H", "X-Passed: 1"))
        assert "X-Cache: MISS" in passed, "REQMOD did not say for whom it is"
        assert ", private" in passed


async def test_what_a_request_asks_winnow_for_is_not_sent_to_sites(tmp_path: Path) -> None:
    denied = re.findall(r"request_header_access (\S+) deny all", documented("icap_enable"))
    assert {each.lower() for each in denied} == {*FIELDS, "winnow-shown"}
    async with stored(tmp_path) as (proxy, page, origin):
        asked = (*READER, "-H", "Winnow-Format: markdown", "-H", "Winnow-Bar: off")
        assert "Content-Type: text/markdown" in await curl(proxy, page, fields=asked)
        assert b"winnow-" not in origin.requests[0].lower()


async def test_an_operators_change_counts_for_what_squid_has_stored(tmp_path: Path) -> None:
    async with stored(tmp_path) as (proxy, page, _):
        for _ in range(2):
            assert "winnow.internal" in await curl(proxy, page)
        assert "X-Cache: HIT" in await curl(proxy, page)
        (winnow,) = RUNNING
        settings = winnow.loaded.settings
        bare = replace(settings, extraction=replace(settings.extraction, bar=False))
        await winnow.reload(replace(winnow.loaded, settings=bare))
        changed = await curl(proxy, page)
        assert "X-Cache: MISS" in changed
        assert "winnow.internal" not in changed


async def test_activity_has_each_page_once_from_squids_store_too(tmp_path: Path) -> None:
    async with stored(tmp_path, USERS) as (proxy, page, origin):
        ann = (*READER, "-U", "ann:x")
        for _ in range(4):
            await curl(proxy, page, fields=ann)
        assert len(origin.requests) == 2, "the others came from Squid's store"
        (winnow,) = RUNNING
        opened = winnow.state.observability.activity.of("user:ann")
        assert [each.url for each in opened] == [page] * 4
        assert {(each.action, each.method, each.words > 10) for each in opened} == {
            ("extracted", "bte", True)
        }
        assert len({each.number for each in opened}) == 4


async def test_browsers_on_squids_machine_have_choices_and_no_rights(tmp_path: Path) -> None:
    async with stored(tmp_path) as (proxy, page, _):
        here, own = READER[:4], "http://winnow.internal"
        asked = f"{own}/-/original?page={page}"
        chosen = await curl(proxy, asked, fields=(*here, "-H", f"Referer: {page}"))
        assert f"Location: {page}" in chosen
        assert "Winnow-Action: original" in await curl(proxy, page, fields=here)
        assert "Winnow-Action: extracted" in await curl(proxy, page)
        (winnow,) = RUNNING
        assert set(winnow.state.choices.now.owners) <= {"192.0.0.8"}


async def test_squid_stores_no_page_of_a_session(tmp_path: Path) -> None:
    async with serving(Origin()) as origin, icap(tmp_path) as service:
        for field in (
            "Cache-Control: private, max-age=9",
            "Set-Cookie: a=b\r\nCache-Control: s-maxage=9",
        ):
            fields = (field, f"Date: {formatdate(usegmt=True)}")
            origin.replies["/story"] = html(PAGE.encode(), *fields)
            async with squid(tmp_path, service) as proxy:
                for _ in range(2):
                    assert "X-Cache: MISS" in await curl(proxy, origin.url("/story"))


USERS = """
auth_param basic program /usr/lib/squid/basic_fake_auth
acl known proxy_auth REQUIRED
http_access deny !known
"""
"""Any password will do."""


async def test_a_choice_is_the_users_whom_squid_names(tmp_path: Path) -> None:
    async with serving(Origin()) as origin, icap(tmp_path) as service:
        origin.replies["/story"] = html(PAGE.encode())
        page, own = origin.url("/story"), "http://winnow.internal"
        async with squid(tmp_path, service, users=USERS) as proxy:
            ann, bob = ((*READER, "-U", f"{name}:x") for name in ("ann", "bob"))
            asked = f"{own}/-/original?page={page}"
            await curl(proxy, asked, fields=(*ann, "-H", f"Referer: {page}"))
            assert "Winnow-Action: original" in await curl(proxy, page, fields=ann)
            assert "Winnow-Action: extracted" in await curl(proxy, page, fields=bob)


async def test_squid_goes_on_where_winnow_is_down(tmp_path: Path) -> None:
    async with serving(Origin()) as origin, squid(tmp_path, free_port()) as proxy:
        origin.replies["/story"] = html(PAGE.encode())
        assert (await curl(proxy, origin.url("/story"))).endswith(PAGE)


@pytest.fixture
def opened() -> Iterator[tuple[str, ssl.SSLContext]]:
    """Squid's settings for HTTPS, and the TLS of a site."""
    folder = Path(tempfile.mkdtemp(prefix="winnow-squid-"))
    authority, site = trustme.CA(), trustme.CA()
    key = folder / "authority.pem"
    key.write_bytes(authority.private_key_pem.bytes() + authority.cert_pem.bytes())
    there = CERTGEN if CERTGEN.exists() else None
    program = require_file("security_file_certgen", there, "squid-openssl")
    made = [str(program), "-c", "-s", str(folder / "ssl_db"), "-M", "4MB"]
    subprocess.run(made, check=True, capture_output=True)
    if os.getuid() == 0:
        subprocess.run(["chown", "-R", "proxy:proxy", str(folder)], check=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    site.issue_cert("127.0.0.1").configure_cert(context)
    text = documented("http_port")
    text = text.replace("/etc/squid/authority.pem", str(key))
    yield text.replace("/var/lib/squid/ssl_db", str(folder / "ssl_db")), context
    shutil.rmtree(folder)


async def test_https_that_squid_opens(tmp_path: Path, opened: tuple[str, ssl.SSLContext]) -> None:
    settings, tls = opened
    async with serving(Origin(), tls) as origin:
        origin.replies["/story"] = html(PAGE.encode())
        async with icap(tmp_path) as service, squid(tmp_path, service, settings) as proxy:
            page = origin.url("/story").replace("http:", "https:")
            answer = await curl(proxy, "-k", page)
            assert "Winnow-Action: extracted" in answer
            assert "winnow.internal/-/original?page=https" in answer


async def test_c_icaps_client_gets_a_page(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(PAGE)
    async with icap(tmp_path) as service:
        process = await asyncio.create_subprocess_exec(
            *(str(require_program("c-icap-client")), "-i", "127.0.0.1", "-p", str(service)),
            *("-s", "respmod", "-f", str(file), "-resp", "http://site.example/story"),
            *("-hx", "Accept: text/html", "-rhx", "Content-Type: text/html"),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, errors = await process.communicate()
    assert b"wooden shovel" in out, errors
    assert b"winnow-bar" in out
