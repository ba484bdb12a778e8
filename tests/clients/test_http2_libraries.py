"""Libraries that speak HTTP/2 through intercepted TLS: httpx, and gRPC with a server of its own."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import grpc
import httpx
import pytest
import trustme

from tests.proxy.http2_peers import Exchanged, Http2Origin, Peer, respond, serving_http2
from tests.proxy.names import NamedOrigins
from tests.proxy.proxies import Proxy, proxying
from tests.proxy.worlds import Noting
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.forwarding.interceptor import Interceptor
from winnow.proxy.server.requests.client_limits import ClientBounds
from winnow.proxy.tls.interception_policy import Hosts, InterceptionPolicy
from winnow.proxy.tls.lazy_authority import LazyAuthority
from winnow.proxy.tls.pinning import PinningDetector
from winnow.proxy.upstream.connections.connector import Connector
from winnow.proxy.upstream.connections.origin_tls import OriginTls
from winnow.proxy.upstream.origin_client import OriginClient

HOST = "site.test"
both_ways = pytest.mark.parametrize("way", ["tunnel", "intercepted"])


@dataclass(frozen=True)
class Opened:
    """A proxy that intercepts HOST; ``pem``: its authority."""

    proxy: Proxy
    pem: bytes

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.proxy.port}"


@asynccontextmanager
async def intercepting(
    folder: Path,
    theirs: trustme.CA,
    port: int,
    named: tuple[str, int] = (HOST, 443),
    hosts: Sequence[str] = ("*",),
) -> AsyncIterator[Opened]:
    """``port``: where the origin ``named`` so listens; ``hosts``: which are intercepted."""
    keys = LazyAuthority(folder, "test", http2=True)
    policy = InterceptionPolicy(Hosts.of(hosts), Hosts(), http2=True)
    tls = OriginTls.trusting()
    for context in (tls.http1, tls.newest):
        theirs.configure_trust(context)

    def change(old: Policy) -> Policy:
        return replace(old, spares=lambda host: policy.spares(host) or "")

    def interceptor(client: OriginClient) -> Interceptor:
        return Interceptor(keys, policy, PinningDetector(Noting(), True), client)

    connector = Connector(NamedOrigins({named: port}), tls, 60)
    async with proxying(
        change=change, connector=connector, intercept=interceptor, bounds=ClientBounds(http2=True)
    ) as proxy:
        yield Opened(proxy, (await keys.authority()).pem)
    keys.close()


async def test_httpx(tmp_path: Path) -> None:
    authority, shown = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(HOST).configure_cert(shown)
    body = bytes(range(256)) * 4096

    async def echo(peer: Peer, stream: Exchanged) -> None:
        await stream.complete()
        await respond(peer, stream, stream.body, ("content-type", "image/png"))

    async with (
        serving_http2(Http2Origin({"/": body, "/echo": echo}), shown) as origin,
        intercepting(tmp_path, authority, origin.port) as opened,
    ):
        trusted = ssl.create_default_context(cadata=opened.pem.decode())
        async with httpx.AsyncClient(
            http2=True, proxy=opened.url, verify=trusted, timeout=60
        ) as client:
            await client.get(f"https://{HOST}/")
            answers = await asyncio.gather(
                *(client.get(f"https://{HOST}/") for _ in range(20)),
                client.post(f"https://{HOST}/echo", content=body),
            )
    assert {answer.http_version for answer in answers} == {"HTTP/2"}
    assert all(answer.content == body for answer in answers)
    assert len(origin.peers) == 1


class Echo(grpc.GenericRpcHandler):  # type: ignore[misc]  # grpc ships no types
    """Calls of each kind, on bytes."""

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler | None:
        handlers = {
            "/Echo/Unary": grpc.unary_unary_rpc_method_handler(self.unary),
            "/Echo/Both": grpc.stream_stream_rpc_method_handler(self.both),
            "/Echo/Refuse": grpc.unary_unary_rpc_method_handler(self.refuse),
        }
        return handlers.get(details.method)

    async def unary(self, request: bytes, context: grpc.aio.ServicerContext) -> bytes:
        context.set_trailing_metadata((("seen", str(len(request))),))
        return request

    async def both(
        self, requests: AsyncIterator[bytes], _context: grpc.aio.ServicerContext
    ) -> AsyncIterator[bytes]:
        async for request in requests:
            yield request[::-1]

    async def refuse(self, _request: bytes, context: grpc.aio.ServicerContext) -> bytes:
        await context.abort(grpc.StatusCode.FAILED_PRECONDITION, "not today")
        return b""


@asynccontextmanager
async def calling(folder: Path, way: str) -> AsyncIterator[grpc.aio.Channel]:
    """A channel to a server of gRPC, through a tunnel or interception."""
    authority = trustme.CA()
    leaf = authority.issue_cert(HOST)
    chain = b"".join(pem.bytes() for pem in leaf.cert_chain_pems)
    shown = grpc.ssl_server_credentials([(leaf.private_key_pem.bytes(), chain)])
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((Echo(),))
    port = server.add_secure_port("127.0.0.1:0", shown)
    await server.start()
    try:
        hosts = ("*",) if way == "intercepted" else ()
        async with intercepting(folder, authority, port, hosts=hosts) as opened:
            trusted = grpc.ssl_channel_credentials(
                opened.pem if hosts else authority.cert_pem.bytes()
            )
            options = (("grpc.http_proxy", opened.url), ("grpc.enable_http_proxy", 1))
            async with grpc.aio.secure_channel(f"{HOST}:443", trusted, options) as channel:
                yield channel
    finally:
        await server.stop(None)


@both_ways
async def test_a_unary_call(tmp_path: Path, way: str) -> None:
    async with calling(tmp_path, way) as channel:
        call = channel.unary_unary("/Echo/Unary")(b"x" * 300_000, timeout=60)
        assert await call == b"x" * 300_000
        assert ("seen", "300000") in tuple(await call.trailing_metadata())


@both_ways
async def test_a_call_in_both_directions_at_the_same_time(tmp_path: Path, way: str) -> None:
    async with calling(tmp_path, way) as channel:
        call = channel.stream_stream("/Echo/Both")(timeout=60)
        for number in range(50):
            await call.write(b"%04d" % number * (number + 1))
            assert await call.read() == (b"%04d" % number * (number + 1))[::-1]
        await call.done_writing()
        assert await call.read() == grpc.aio.EOF
        assert await call.code() is grpc.StatusCode.OK


@both_ways
async def test_a_call_that_is_refused_has_its_status(tmp_path: Path, way: str) -> None:
    async with calling(tmp_path, way) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await channel.unary_unary("/Echo/Refuse")(b"x", timeout=60)
    assert refused.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.value.details() == "not today"
