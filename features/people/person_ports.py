"""Serves the proxy at a port for each person of this computer: who comes there is that user."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from winnow.config.errors import ConfigError
from winnow.feature import Context
from winnow.features.people.settings import PeopleSettings
from winnow.proxy.app.port_server import serve_http, serve_port
from winnow.proxy.server.connection_limits import ConnectionLimits
from winnow.proxy.upstream.connections.connection_pool import OriginConnection

HERE: Final = "127.0.0.1"
"""Whoever reaches a port is believed to be its person: so nobody of another computer does."""
_PERSON: Final = re.compile(r"([^\s:=/]{1,40})=([1-9][0-9]{0,4})\Z")


async def listen(context: Context) -> None:
    """Serve until the settings change. Raises ConfigError."""
    settings = context.settings
    ports = people(settings.of(PeopleSettings).ports, settings.access.users)
    limits = ConnectionLimits(settings.server.connections, settings.server.connections_per_client)
    async with asyncio.TaskGroup() as group:
        for name, port in ports.items():
            serving = serve_port("people.ports", HERE, port, PersonPort(context, name), limits)
            group.create_task(serving)


def people(lines: tuple[str, ...], users: tuple[str, ...]) -> Mapping[str, int]:
    """The port of each person. Raises ConfigError.

    None is a user with a password, who would need none then.
    """
    found: dict[str, int] = {}
    known = {each.partition(":")[0] for each in users}
    for line in lines:
        match = _PERSON.match(line)
        if not match or int(match[2]) > 65535:
            raise ConfigError(f"people.ports: {line!r} is no NAME=PORT such as anna=8091.")
        name, port = match[1], int(match[2])
        if name in known:
            raise ConfigError(f"people.ports: {name} has a password (access.users).")
        if name in found or port in found.values():
            raise ConfigError(f"people.ports: {line} names what another line names.")
        found[name] = port
    return found


@dataclass(frozen=True)
class PersonPort:
    """Serves connections as the proxy's own port does, for the user ``name``."""

    context: Context
    name: str

    async def __call__(self, wire: OriginConnection) -> None:
        app = self.context.app()
        await serve_http(wire, lambda end: app.server(ended=end, user=self.name))
