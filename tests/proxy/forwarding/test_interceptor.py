"""TLS is opened with the reader's consent, pages inside are extracted, who objects is tunnelled."""

from __future__ import annotations

import asyncio
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.proxy.origins import html, read_answer, reply
from tests.proxy.worlds import World, world
from winnow.proxy.stores.choices import PassThrough
from winnow.proxy.tls.authority import FILE_NAME
from winnow.proxy.tls.pinning import REFUSALS_AFTER_ACCEPTANCE

NAVIGATION = ("Sec-Fetch-Dest: document", "Sec-Fetch-Mode: navigate", "Accept: text/html")
STORY = html(b"<p>the original</p>" * 50)
NOW = datetime.now(UTC)


async def test_a_page_inside_tls_is_extracted(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        here.origin.replies["/"] = STORY
        client = here.client(here.ours)
        answer, shown = await here.fetch("site.test", client, "/", *NAVIGATION)
    assert shown is here.ours
    assert answer.field("Winnow-Action") == "extracted"
    assert b"extracted" in answer.body
    assert here.proxy.transform.pages[0].url == f"https://site.test:{here.origin.port}/"


async def test_the_origin_sees_an_ordinary_request(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        here.origin.replies["/a?b=c"] = STORY
        await here.fetch("site.test", here.client(here.ours), "/a?b=c", *NAVIGATION)
        head = here.origin.requests[0]
    assert head.startswith(b"GET /a?b=c HTTP/1.1\r\n")
    assert f"Host: site.test:{here.origin.port}".encode() in head


@pytest.mark.parametrize(
    ("opened", "never", "ours"),
    [
        (["*"], [], True),
        (["site.test"], [], True),
        (["*.test"], [], True),
        ([], [], False),
        (["other.test"], [], False),
        (["*"], ["site.test"], False),
        (["*"], ["*.test"], False),
    ],
)
async def test_only_what_was_requested_for_is_opened(
    tmp_path: Path, opened: list[str], never: list[str], ours: bool
) -> None:
    async with world(tmp_path, opened, never) as here:
        here.origin.replies["/"] = STORY
        client = here.client(here.ours, here.theirs)
        answer, shown = await here.fetch("site.test", client, "/", *NAVIGATION)
    assert (shown is here.ours) is ours
    assert (b"the original" in answer.body) is not ours


async def test_many_requests_share_one_connection(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        here.origin.replies["/"] = reply(b"plain", "Content-Type: text/plain")
        reader, writer = await here.secured("site.test", here.client(here.ours))
        for _ in range(5):
            writer.write(f"GET / HTTP/1.1\r\nHost: site.test:{here.origin.port}\r\n\r\n".encode())
            assert (await read_answer(reader)).body == b"plain"
        writer.close()
    assert here.origin.connections == 1


async def test_an_address_is_opened_like_a_name(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        here.origin.replies["/"] = STORY
        answer, shown = await here.fetch("127.0.0.1", here.client(here.ours), "/", *NAVIGATION)
    assert shown is here.ours
    assert b"extracted" in answer.body


async def test_our_own_pages_answer_by_https_whatever_is_opened(tmp_path: Path) -> None:
    async with world(tmp_path, opened=()) as here:
        client = here.client(here.ours)
        answer, _ = await here.fetch("winnow.internal", client, "/-/health", port=443)
    assert answer.body == b"ok\n"


async def test_a_request_for_another_host_inside_is_misdirected(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        reader, writer = await here.secured("site.test", here.client(here.ours))
        writer.write(b"GET / HTTP/1.1\r\nHost: other.test\r\n\r\n")
        assert (await read_answer(reader)).status == 421
        writer.close()


async def test_a_client_of_http2_alone_is_tunnelled(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        here.origin.replies["/"] = STORY
        client = here.client(here.theirs, protocols=["h2"])
        _, shown = await here.fetch("site.test", client)
    assert shown is here.theirs


async def test_a_client_that_offers_both_gets_http1(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        client = here.client(here.ours, protocols=["h2", "http/1.1"])
        _, writer = await here.secured("site.test", client)
        assert writer.get_extra_info("ssl_object").selected_alpn_protocol() == "http/1.1"
        writer.close()


@pytest.mark.parametrize("asks", [ssl.CERT_OPTIONAL, ssl.CERT_REQUIRED])
@pytest.mark.parametrize("newest", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
async def test_an_origin_that_asks_for_a_certificate_is_left_to_its_client(
    tmp_path: Path, asks: ssl.VerifyMode, newest: ssl.TLSVersion
) -> None:
    async with world(tmp_path, asks=asks, newest=newest) as here:
        here.origin.replies["/"] = STORY
        client = here.client(here.theirs)
        client.load_cert_chain(_certificate(here, tmp_path))
        answer, shown = await here.fetch("site.test", client, "/", *NAVIGATION)
    assert shown is here.theirs
    assert b"the original" in answer.body


async def test_another_server_name_than_was_connected_to_is_tunnelled(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        _, writer = await here.connect(f"site.test:{here.origin.port}")
        await writer.start_tls(here.client(here.theirs), server_hostname="other.test")
        writer.close()


async def test_a_name_within_the_hello_is_spared_too(tmp_path: Path) -> None:
    async with world(tmp_path, never=["bank.test"]) as here:
        _, writer = await here.connect(f"127.0.0.1:{here.origin.port}")
        await writer.start_tls(here.client(here.theirs), server_hostname="bank.test")
        writer.close()


async def test_a_name_that_is_not_at_a_literal_address_is_tunnelled(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        for address, shown in (("127.0.0.1", here.ours), ("127.0.0.2", here.theirs)):
            _, writer = await here.connect(f"{address}:{here.origin.port}")
            await writer.start_tls(here.client(shown), server_hostname="site.test")
            writer.close()


@pytest.mark.parametrize("cut", [1, 5, 6, 80])
async def test_a_hello_may_come_in_pieces(tmp_path: Path, cut: int) -> None:
    async with world(tmp_path) as here:
        await here.shake_hands("site.test", here.client(here.ours), cut)


async def test_what_is_no_tls_is_tunnelled(tmp_path: Path) -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"said: " + await reader.readline())
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with world(tmp_path) as here, server:
        reader, writer = await here.connect(f"site.test:{port}")
        writer.write(b"SSH-2.0-test\r\n")
        assert await reader.read() == b"said: SSH-2.0-test\r\n"
        writer.close()


async def test_a_host_whose_client_refuses_us_is_tunnelled_from_then_on(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        here.origin.replies["/"] = STORY
        pinned = here.client(here.theirs)
        with pytest.raises(ssl.SSLCertVerificationError):
            await here.shake_hands("app.test", pinned)
        learned = await _learned(here, "app.test")
        assert learned.reason == "unknown-ca"
        answer, shown = await here.fetch("app.test", pinned, "/", *NAVIGATION)
        assert shown is here.theirs
        assert b"the original" in answer.body


async def test_a_client_that_closes_without_an_alert_is_understood_the_second_time(
    tmp_path: Path,
) -> None:
    async with world(tmp_path) as here:
        for _ in range(2):
            assert not here.store.now.passed
            with pytest.raises(ssl.SSLCertVerificationError):
                await here.secured("app.test", here.client(here.theirs))
        assert (await _learned(here, "app.test")).reason == "closed-twice"


async def test_what_was_learned_can_be_undone(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        here.origin.replies["/"] = STORY
        with pytest.raises(ssl.SSLCertVerificationError):
            await here.shake_hands("app.test", here.client(here.theirs))
        await _learned(here, "app.test")
        await here.store.unlearn(here.store.now.refused_at("app.test"))
        _, shown = await here.fetch("app.test", here.client(here.ours))
        assert shown is here.ours


async def test_nothing_is_learned_where_that_is_switched_off(tmp_path: Path) -> None:
    async with world(tmp_path, learn=False) as here:
        for _ in range(2):
            with pytest.raises(ssl.SSLCertVerificationError):
                await here.shake_hands("app.test", here.client(here.theirs))
        await here.fetch("other.test", here.client(here.ours))
        assert not here.store.now.passed


async def test_a_client_that_just_leaves_teaches_nothing(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        _, writer = await here.connect(f"app.test:{here.origin.port}")
        writer.close()
        await writer.wait_closed()
        await here.fetch("other.test", here.client(here.ours))
        assert not here.store.now.passed


async def test_completing_the_set_up_forgets_what_was_learned_before_it(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        with pytest.raises(ssl.SSLCertVerificationError):
            await here.shake_hands("site.test", here.client(here.theirs))
        assert not (await _learned(here, "site.test")).sure
        here.origin.replies["/"] = STORY
        await here.fetch("winnow.internal", here.client(here.ours), "/-/health", port=443)
        _, shown = await here.fetch("site.test", here.client(here.ours))
        assert shown is here.ours


async def test_what_a_set_up_client_refuses_stays_learned(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        await here.fetch("site.test", here.client(here.ours))
        with pytest.raises(ssl.SSLCertVerificationError):
            await here.shake_hands("app.test", here.client(here.theirs))
        assert (await _learned(here, "app.test")).sure
        await here.fetch("winnow.internal", here.client(here.ours), "/-/health", port=443)
        assert here.store.now.refused_at("app.test")


async def test_a_program_that_does_not_trust_us_changes_nothing_for_another(tmp_path: Path) -> None:
    """Both are at one address: their ClientHellos differ, here by what ALPN offers."""
    async with world(tmp_path) as here:
        here.origin.replies["/"] = STORY
        other = here.client(here.theirs, protocols=("git", "http/1.1"))
        with pytest.raises(ssl.SSLCertVerificationError):
            await here.shake_hands("site.test", other)
        await _learned(here, "site.test")
        _, shown = await here.fetch("site.test", other)
        assert shown is here.theirs
        _, shown = await here.fetch("site.test", here.client(here.ours))
        assert shown is here.ours


async def test_a_refusal_after_an_acceptance_does_not_count_at_once(tmp_path: Path) -> None:
    """Two programs may have one fingerprint: the one that trusts us goes on."""
    async with world(tmp_path) as here:
        here.origin.replies["/"] = STORY
        await here.fetch("site.test", here.client(here.ours))
        for _ in range(REFUSALS_AFTER_ACCEPTANCE - 1):
            with pytest.raises(ssl.SSLCertVerificationError):
                await here.shake_hands("site.test", here.client(here.theirs))
        _, shown = await here.fetch("site.test", here.client(here.ours))
        assert shown is here.ours
        assert not here.store.now.passed


async def test_a_data_folder_without_room_for_an_authority_opens_no_tls(
    tmp_path: Path,
) -> None:
    """What cannot be opened is tunnelled: the reader gets the page as it came."""
    async with world(tmp_path / "ca") as here:
        here.origin.replies["/"] = STORY
        here.keys._task = None
        (tmp_path / "ca" / FILE_NAME).chmod(0o644)
        _, shown = await here.fetch("site.test", here.client(here.theirs))
        assert shown is here.theirs
        assert "hosts are tunnelled" in here.keys.notices.texts()[0]


async def test_our_own_name_is_never_given_up(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        with pytest.raises(ssl.SSLCertVerificationError):
            await here.shake_hands("winnow.internal", here.client(here.theirs))
        await here.fetch("winnow.internal", here.client(here.ours), "/-/health", port=443)
        assert not here.store.now.passed


async def test_an_untrusted_origin_gets_a_page_that_says_so(tmp_path: Path) -> None:
    async with world(tmp_path, named="elsewhere.test") as here:
        client = here.client(here.ours)
        answer, shown = await here.fetch("site.test", client, "/", *NAVIGATION)
    assert shown is here.ours
    assert answer.status == 502
    assert answer.field("Winnow-Reason") == "origin-certificate"
    assert b"It is valid for another host only" in answer.body


async def test_an_expired_origin_is_reported_apart(tmp_path: Path) -> None:
    async with world(tmp_path, age=timedelta(days=500)) as here:
        client = here.client(here.ours)
        answer, _ = await here.fetch("site.test", client, "/", *NAVIGATION)
    assert b"It has expired" in answer.body


async def _learned(here: World, host: str) -> PassThrough:
    """What was learned of ``host``: the proxy may still be reading the alert."""
    async with asyncio.timeout(60):
        await here.store.learned.wait()
    (key,) = here.store.now.refused_at(host)
    return here.store.now.passed[key]


def _certificate(here: World, folder: Path) -> Path:
    issued = here.people.issue_cert("client.test")
    path = folder / "client.pem"
    path.write_bytes(issued.private_key_and_cert_chain_pem.bytes())
    return path
