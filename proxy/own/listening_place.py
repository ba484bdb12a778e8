"""Where the proxy listens, and the names by which it is reached there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from winnow.jobs.small_gateway import OWN_NAME


@dataclass(frozen=True, slots=True)
class ListeningAddress:
    """The proxy's address as clients reach it."""

    host: str
    port: int
    tls: bool = False

    @property
    def authority(self) -> str:
        """``HOST:PORT``, an IPv6 address in brackets."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@lru_cache
def names_of(host: str, port: int, network: str = "") -> frozenset[str]:
    """The authorities at which we ourselves answer."""
    here = {"127.0.0.1", "localhost", "::1", host, network} - {"", "0.0.0.0", "::"}  # noqa: S104  # a listener's wildcard is no name
    bracketed = {f"[{name}]" if ":" in name else name for name in here}
    return frozenset({OWN_NAME, *(f"{name}:{port}" for name in bracketed)})


@dataclass
class ListeningPlace:
    """Where the proxy listens; ``port`` is 0 until then where the system chooses it.

    ``network``: the machine's address in its network, where the proxy listens there beside.
    """

    host: str
    port: int
    secure: bool
    network: str = ""

    def listener(self) -> ListeningAddress:
        return ListeningAddress(self.host, self.port, self.secure)

    def names(self) -> frozenset[str]:
        return names_of(self.host, self.port, self.network)
