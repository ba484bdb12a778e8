"""Serves the proxy to each person of this computer: at a port, or at one that asks for a name."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from winnow.config.errors import ConfigError
from winnow.feature import Context
from winnow.features.people.settings import PeopleSettings
from winnow.proxy.app.port_server import Serve, serve_http, serve_port
from winnow.proxy.server.connection_limits import ConnectionLimits
from winnow.proxy.upstream.connections.connection_pool import OriginConnection

HERE: Final = "127.0.0.1"
"""Whoever reaches a port is believed to be its person: so nobody of another computer does."""
_PERSON: Final = re.compile(r"([^\s:=/]{1,40})=([1-9][0-9]{0,4})\Z")


async def listen(context: Context) -> None:
    """Serve until the settings change. Raises ConfigError."""
    settings = context.settings
    section = settings.of(PeopleSettings)
    ports = people(section.ports, settings.access.users)
    if section.names_port in ports.values():
        raise ConfigError(f"people.names_port: {section.names_port} is the port of one person.")
    doors: list[tuple[str, int, Serve]] = [
        ("people.ports", port, PersonPort(context, name)) for name, port in ports.items()
    ]
    if section.names_port:
        asking = PersonPort(context, names=frozenset(section.names))
        doors.append(("people.names_port", section.names_port, asking))
    limits = ConnectionLimits(settings.server.connections, settings.server.connections_per_client)
    async with asyncio.TaskGroup() as group:
        for setting, port, serve in doors:
            group.create_task(serve_port(setting, HERE, port, serve, limits))


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
    """Serves connections as the proxy's own port does, for the user ``name``.

    "": for whom of ``names`` the browser names as the proxy's user (RFC 9110, 11.7.2).
    """

    context: Context
    name: str = ""
    names: frozenset[str] = frozenset()

    async def __call__(self, wire: OriginConnection) -> None:
        app, names = self.context.app(), self.names
        await serve_http(wire, lambda end: app.server(ended=end, user=self.name, names=names))
