"""Serves ICAP: who may ask, and one request after another (RFC 3507, section 4)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.metadata import version

from winnow.feature import Context
from winnow.features.icap.icap_adaptation import IcapAdaptation
from winnow.features.icap.icap_reader import IcapReader
from winnow.features.icap.messages import IcapError, IcapRequest, icap_head, options, parse_icap
from winnow.features.icap.settings import IcapSettings
from winnow.features.icap.shared_pages import SharedPages
from winnow.proxy.access.address_kinds import Network
from winnow.proxy.access.client_networks import in_networks
from winnow.proxy.access.memory_account import MemoryFullError
from winnow.proxy.access.requester import network_of
from winnow.proxy.app.port_server import serve_port
from winnow.proxy.http.proxy_errors import MalformedResponseError
from winnow.proxy.server.connection_limits import ConnectionLimits
from winnow.proxy.server.requests.request_parser import RefusedRequestError
from winnow.proxy.upstream.connections.connection_pool import OriginConnection

MOST_HEADS = 512 * 1024
"""Bytes of both heads of HTTP in a message."""
SERVICES = {"/respmod": "RESPMOD", "/reqmod": "REQMOD"}


async def listen(context: Context) -> None:
    """Serve until the settings change. Raises ConfigError."""
    server, chosen = context.settings.server, context.settings.of(IcapSettings)
    limits = ConnectionLimits(server.connections)
    known = f"{version('winnow-proxy')} {context.settings!r}".encode()
    tag = hashlib.sha256(known).hexdigest()[:24]
    adapt = IcapAdaptation(context, tag, SharedPages(tag))
    port = IcapPort(adapt, chosen.networks, server.connections)
    await serve_port("icap.port", server.host, chosen.port, port, limits)


@dataclass(frozen=True)
class IcapPort:
    """``peers``: who may ask."""

    adapt: IcapAdaptation
    peers: tuple[Network, ...]
    connections: int = 0

    async def __call__(self, wire: OriginConnection) -> None:
        reader = IcapReader(wire)
        try:
            if not in_networks(wire.peer, self.peers):
                raise IcapError(403)
            while block := await reader.head():
                if not await self._one(wire, reader, parse_icap(block)):
                    return
        except MemoryFullError:
            await wire.send(icap_head(503, self.adapt.tag, ("Connection", "close")))
        except (IcapError, RefusedRequestError, MalformedResponseError) as error:
            status = error.status if isinstance(error, IcapError) else 400
            await wire.send(icap_head(status, self.adapt.tag, ("Connection", "close")))

    async def _one(self, wire: OriginConnection, reader: IcapReader, asked: IcapRequest) -> bool:
        """Answer a request; whether another one may follow."""
        method = SERVICES.get(asked.service)
        if method is None:
            raise IcapError(404)
        if asked.method == "OPTIONS" and not asked.has_body:
            await wire.send(options(method, self.adapt.tag, self.connections))
            return asked.persists
        if asked.method != method:
            raise IcapError(405)
        if asked.heads > MOST_HEADS:
            raise IcapError(400)
        app = self.adapt.context.app()
        holding = app.bounds.account.holding(network_of(wire.peer))
        try:
            holding.set(asked.heads)
            block = await reader.exactly(asked.heads)
            return await self.adapt(app, wire, reader, asked, block) and asked.persists
        finally:
            holding.release()
