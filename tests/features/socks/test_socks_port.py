"""SOCKS5 in: pages are read, other ports are tunnelled, and the guard is that of CONNECT."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.free_ports import free_port
from tests.programs import require_program
from tests.proxy.names import NamedOrigins, open_names
from tests.proxy.origins import Origin, html, serving
from tests.winnow.conftest import PAGE
from winnow.compose.running import running
from winnow.config.settings import Settings
from winnow.config.sources.source_precedence import load
from winnow.feature_contract import checks
from winnow.feature_list import sections_of
from winnow.features.socks import FEATURE
from winnow.features.socks.handshake import SocksReply
from winnow.proxy.access.credentials.passwords import hash_password

CHECKS = list(checks(FEATURE))
OPEN, PASSWORD = b"\5\1\0", b"\5\1\2"
SITE = b"\3\x0csite.example"


@pytest.mark.parametrize("check", [each for _, each in CHECKS], ids=[name for name, _ in CHECKS])
def test_it_keeps_the_contract(check) -> None:  # type: ignore[no-untyped-def]  # as a package's
    check()


def with_socks(folder: Path, port: int, given: Mapping[str, str]) -> Settings:
    here = {
        "WINNOW_FEATURES__ENABLED": "socks",
        "WINNOW_SOCKS__PORT": str(port),
        "WINNOW_EXTRACTION__EXTRACTOR": "bte",
        "WINNOW_STORAGE__FOLDER": str(folder),
    }
    settings = load(environment={**here, **given}, of_features=sections_of).settings
    return open_names(replace(settings, server=replace(settings.server, port=0)))


@asynccontextmanager
async def listening(
    folder: Path, origin: Origin, given: Mapping[str, str] | None = None
) -> AsyncIterator[int]:
    """The port of SOCKS; site.example leads to the origin, at 80 and at 7000."""
    found = {("site.example", port): origin.port for port in (80, 7000)}
    names = NamedOrigins(
        found | {("dead.example", 7000): free_port(), ("127.0.0.2", 80): origin.port}
    )
    port = free_port()
    async with running(with_socks(folder, port, given or {}), names):
        yield port


@pytest.fixture
async def site() -> AsyncIterator[Origin]:
    async with serving(Origin()) as origin:
        origin.replies["/story"] = html(PAGE.encode())
        yield origin


@pytest.fixture
async def port(tmp_path: Path, site: Origin) -> AsyncIterator[int]:
    async with listening(tmp_path, site) as found:
        yield found


async def said(port: int, *messages: bytes) -> list[bytes]:
    """The first ten bytes of what comes after each message; fewer at the end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answers = []
    for each in messages:
        writer.write(each)
        wanted = 10 if each[:1] == b"\5" and len(each) > 6 else 2
        try:
            answers.append(await reader.readexactly(wanted))
        except asyncio.IncompleteReadError as error:
            answers.append(error.partial)
    writer.close()
    return answers


async def curl(*arguments: str) -> str:
    process = await asyncio.create_subprocess_exec(
        str(require_program("curl")), "-s", *arguments, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    return out.decode()


BROWSER = ("-H", "Accept: text/html", "-A", "Mozilla/5.0")


async def test_curl_reads_a_page(port: int, site: Origin) -> None:
    through = f"socks5h://127.0.0.1:{port}"
    text = await curl("-i", "-x", through, *BROWSER, "http://site.example/story")
    assert "Winnow-Action: extracted" in text
    own = await curl("-x", through, "http://winnow.internal/-/health")
    assert own.strip() == "ok"
    passed = await curl("-x", through, *BROWSER, "http://site.example:7000/story")
    assert passed == PAGE, "no port of HTTP: a tunnel"


async def test_a_password_is_that_of_the_proxy(tmp_path: Path, site: Origin) -> None:
    users = {"WINNOW_ACCESS__USERS": f"ann:{hash_password('secret')}", "WINNOW_ACCESS__OPEN_TO": ""}
    async with listening(tmp_path, site, users) as port:
        assert await said(port, OPEN) == [b"\5\xff"]
        assert await said(port, PASSWORD, b"\1\3ann\5wrong") == [b"\5\2", b"\1\1"]
        for where in ("http://site.example/story", "http://site.example:7000/story"):
            through = f"socks5h://ann:secret@127.0.0.1:{port}"
            assert "wooden shovel" in await curl("-x", through, *BROWSER, where), where
        assert not any(b"proxy-auth" in each.lower() for each in site.requests)


async def test_a_name_counts_where_its_address_was_asked_for(port: int, site: Origin) -> None:
    through = ("-x", f"socks5://127.0.0.1:{port}", *BROWSER)
    for host in ("site.example", "unknown.example"):
        lies = await curl(*through, "-H", f"Host: {host}", "http://127.0.0.2/story")
        assert lies == PAGE, "passed on unread"
        assert f"Host: {host}\r\n".encode() in site.requests[-1]
    named = await curl(*through, "-H", "Host: site.example", "http://127.0.0.1/story")
    assert 'From <a href="http://site.example/story"' in named


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (b"\5\2\0" + SITE + b"\0\x50", SocksReply.NO_SUCH_COMMAND),
        (b"\5\3\0" + SITE + b"\0\x50", SocksReply.NO_SUCH_COMMAND),
        (b"\5\1\0\3\1\xff\0\x50", SocksReply.NO_SUCH_ADDRESS),
        (b"\5\1\0\1\x7f\0\0\1\0\0", SocksReply.NO_SUCH_ADDRESS),
        (b"\5\1\0" + SITE + b"\0\x19", SocksReply.NOT_ALLOWED),
        (b"\5\1\0\3\x0cnone.example\x1b\x58", SocksReply.UNREACHABLE),
        (b"\5\1\0\3\x0cdead.example\x1b\x58", SocksReply.REFUSED),
        (b"\5\1\0" + SITE + b"\0\x50", SocksReply.SUCCEEDED),
    ],
)
async def test_each_refusal_has_its_code(port: int, request_: bytes, code: SocksReply) -> None:
    assert await said(port, OPEN, request_) == [b"\5\0", code.packed()]


async def test_private_addresses_are_guarded(tmp_path: Path, site: Origin) -> None:
    nobody = {"WINNOW_ACCESS__PRIVATE_ADDRESSES": "nobody"}
    async with listening(tmp_path, site, nobody) as port:
        there = b"\5\1\0" + SITE + b"\x1b\x58"
        assert await said(port, OPEN, there) == [b"\5\0", SocksReply.NOT_ALLOWED.packed()]
        through = f"socks5h://127.0.0.1:{port}"
        assert "403" in await curl("-i", "-x", through, "http://site.example/story")
    assert not site.requests


async def test_a_reload_cuts_nothing(tmp_path: Path, site: Origin) -> None:
    port, names = free_port(), NamedOrigins({("site.example", 7000): site.port})
    async with running(with_socks(tmp_path, port, {}), names) as proxy:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(OPEN)
        assert await reader.readexactly(2) == b"\5\0"
        await proxy.reload(proxy.loaded)
        writer.write(b"\5\1\0" + SITE + b"\x1b\x58")
        assert await reader.readexactly(10) == SocksReply.SUCCEEDED.packed()
        writer.close()
        assert await said(port, OPEN) == [b"\5\0"]


async def test_another_protocol_is_hung_up_on(port: int) -> None:
    assert await said(port, b"\4\1\0\x50\x7f\0\0\1\0") == [b""]
    assert await said(port, b"\5\1\1") == [b"\5\xff"]
