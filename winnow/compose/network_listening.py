"""Listening for the devices of this machine's network, switched on and off while it runs."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from winnow.compose.policies import is_only_here
from winnow.config.settings import Settings
from winnow.proxy.own.listening_place import ListeningPlace
from winnow.proxy.server.listener import Listener
from winnow.proxy.server.network_address import network_address
from winnow.proxy.server.sockets import bind_sockets

_GROUP: Final = -1
"""The number of these sockets among those of the listener."""


@dataclass(eq=False)
class NetworkListening:
    """Accepts at the machine's address beside ``place``, where that is this machine alone."""

    listener: Listener
    place: ListeningPlace
    find: Callable[[], str] = network_address

    def bound(self, settings: Settings, processes: int) -> Sequence[socket.socket]:
        """Sockets for these settings, where they are wanted and not there yet. Raises OSError."""
        address = "" if self.place.network else self._wanted(settings)
        return bind_sockets(address, self.place.port, shared=processes > 1) if address else ()

    def follow(self, settings: Settings, sockets: Sequence[socket.socket]) -> None:
        """Accept from ``sockets``; or from none any more, where the settings want none."""
        if sockets:
            self.listener.accept(sockets, _GROUP)
            self.place.network = str(sockets[0].getsockname()[0])
        elif self.place.network and not self._wanted(settings):
            self.listener.leave(_GROUP)
            self.place.network = ""

    def _wanted(self, settings: Settings) -> str:
        """The address to listen at beside; "" for none."""
        if not is_only_here(self.place.host) or is_only_here(settings.server.host):
            return ""
        return self.place.network or self.find()


def discard(sockets: Sequence[socket.socket]) -> None:
    """Close sockets that were bound in vain."""
    for each in sockets:
        each.close()
