"""The listener for redirected connections, where the settings have one."""

from __future__ import annotations

import socket
from collections.abc import Sequence

from winnow.compose.run_state import RunState
from winnow.config.errors import ConfigError
from winnow.config.server_settings import Server
from winnow.proxy.cluster.bus import ALONE
from winnow.proxy.own.listening_place import ListeningPlace
from winnow.proxy.server.listener import Listener
from winnow.proxy.server.redirected import RedirectedServer
from winnow.proxy.server.sockets import bind_sockets


def transparent_listener(
    settings: Server,
    state: RunState,
    redirected: RedirectedServer,
    handed: Sequence[socket.socket] = (),
) -> Listener:
    """Accepts at ``server.transparent_port``; nothing where that is 0.

    Several server processes share the port; ``handed``: the sockets of an older process.
    Raises OSError where it is taken, ConfigError where clients that know of the proxy would
    connect to it.
    """
    redirected.http.connection_limits = state.connection_limits
    listener, port = Listener(redirected, None, state.connection_limits), settings.transparent_port
    if port and port == settings.port:
        raise ConfigError("server.transparent_port must not be server.port.")
    if port:
        is_shared = state.shared.bus is not ALONE
        listener.accept(handed or bind_sockets(settings.host, port, shared=is_shared))
    return listener


def own_and_redirected(
    sockets: Sequence[socket.socket], place: ListeningPlace, redirected: int
) -> tuple[list[socket.socket], list[socket.socket]]:
    """The sockets of our port, bound where none is given, and those of redirected connections."""
    apart = [each for each in sockets if each.getsockname()[1] == redirected]
    own = [each for each in sockets if each not in apart] or bind_sockets(place.host, place.port)
    place.port = own[0].getsockname()[1]
    return own, apart
