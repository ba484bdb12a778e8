"""Which hosts' TLS is intercepted, by patterns and by the ClientHello."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files

from winnow.jobs.small_gateway import OWN_NAME
from winnow.proxy.tls.client_hello import ClientHello


class SparedReason(StrEnum):
    """Why a connection is tunnelled: tokens of ``Winnow-Reason``."""

    NOT_ASKED = "not-intercepted"
    NEVER = "never-intercepted"
    LEARNED = "certificate-refused"
    NOT_TLS = "not-tls"
    OTHER_HTTP = "other-http-only"
    OTHER_NAME = "other-server-name"
    CLIENT_CERTIFICATE = "client-certificate"


@dataclass(frozen=True, slots=True)
class Hosts:
    """A set of hosts: ``example.com``, ``*.example.com`` (those below it), or ``*`` for all."""

    exact: frozenset[str] = frozenset()
    below: frozenset[str] = frozenset()
    every: bool = False

    @classmethod
    def of(cls, patterns: Iterable[str]) -> Hosts:
        """The set of these patterns."""
        names = {pattern.strip().lower().removesuffix(".") for pattern in patterns} - {""}
        below = {pattern[2:] for pattern in names if pattern.startswith("*.")}
        exact = {pattern for pattern in names if not pattern.startswith("*")}
        return cls(frozenset(exact), frozenset(below), "*" in names)

    def __contains__(self, host: str) -> bool:
        name = host.lower().removesuffix(".")
        if self.every or name in self.exact:
            return True
        labels = name.split(".")
        above = (".".join(labels[start:]) for start in range(1, len(labels)))
        return any(domain in self.below for domain in above)

    def __bool__(self) -> bool:
        """Whether there is a host in it."""
        return self.every or bool(self.exact or self.below)

    def __or__(self, other: Hosts) -> Hosts:
        return Hosts(self.exact | other.exact, self.below | other.below, self.every or other.every)


@dataclass(frozen=True, slots=True)
class InterceptionPolicy:
    """Which hosts are intercepted by the settings: ``opened`` but not ``never``.

    ``http2``: clients may speak it.
    """

    opened: Hosts = Hosts()
    never: Hosts = Hosts()
    http2: bool = False

    def spares(self, host: str) -> SparedReason | None:
        """Why ``host`` is tunnelled, or None if it is intercepted, as our own name always is."""
        if host.lower().removesuffix(".") == OWN_NAME:
            return None
        if host in self.never:
            return SparedReason.NEVER
        return None if host in self.opened else SparedReason.NOT_ASKED


def spared_by_hello(hello: ClientHello, policy: InterceptionPolicy) -> SparedReason | None:
    """Why a client with this ClientHello is tunnelled after all, or None.

    Its server name is checked too: it may differ from the CONNECT request's.
    """
    if hello.lacks_http1 and not (policy.http2 and hello.offers_http2):
        return SparedReason.OTHER_HTTP
    if hello.server_name is not None and hello.server_name in policy.never:
        return SparedReason.NEVER
    return None


def spared_banks() -> Hosts:
    """Banks, payment and tax services, password managers: the hosts in ``spared_hosts.txt``."""
    lines = files("winnow.proxy.tls").joinpath("spared_hosts.txt").read_text("utf-8").splitlines()
    return Hosts.of(line for line in lines if not line.startswith("#"))
