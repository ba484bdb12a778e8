"""What a reader chose and what the proxy learned, as one frozen value that policies read.

Knows the meaning of choices, pass-through and pause, and how each change makes the next value;
refuses to know where they are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from types import MappingProxyType

LAPSE = timedelta(days=7)
"""After which a host is tried again with a client that refused our certificate there."""
MAX_PASSED = 10_000
"""Refusals beyond this many push the oldest out: clients, not people, add them."""
MAX_PASSED_EACH = 500
"""Refusals of the clients at one address."""
_CLOCK_SKEW = timedelta(days=1)


class Mode(StrEnum):
    """Whether pages of a site are extracted, whatever else would be decided."""

    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Choice:
    """What a reader chose for one site; None leaves that point to the configuration.

    ``level`` is 1..12 of Crunch's relax ladder.
    """

    mode: Mode | None = None
    extractor: str | None = None
    level: int | None = None


@dataclass(frozen=True, slots=True)
class PassThrough:
    """A client that refused our certificate for a host: tunnelled from ``since`` (aware) on.

    ``client`` is its address, ``hello`` the fingerprint of its ClientHello: another program at
    that address is not concerned. ``sure`` is False when the client had never accepted a
    certificate of ours: then it may just not know the authority yet.
    """

    host: str
    reason: str
    since: datetime
    sure: bool = True
    client: str = ""
    hello: str = ""

    @property
    def key(self) -> str:
        """Under which the entry is stored: what it holds for."""
        return pass_key(self.host, self.client, self.hello)

    def holds(self, now: datetime) -> bool:
        """Whether it has not lapsed; one of the future is of a clock that was put back."""
        return -_CLOCK_SKEW < now - self.since < LAPSE


NO_CHOICE = Choice()


@dataclass(frozen=True, slots=True)
class Remembered:
    """Everything at once: choices by site, refusals by host and client, and the pause."""

    choices: Mapping[str, Choice] = field(default_factory=lambda: MappingProxyType({}))
    passed: Mapping[str, PassThrough] = field(default_factory=lambda: MappingProxyType({}))
    paused_until: datetime | None = None

    def choice(self, host: str) -> Choice:
        """What was chosen for ``host``, or for the nearest domain above it."""
        found = (self.choices[site] for site in sites_above(host) if site in self.choices)
        return next(found, NO_CHOICE)

    def passes(self, host: str, client: str, hello: str, now: datetime) -> bool:
        """Whether this client is tunnelled to ``host``, since it refused us there."""
        entry = self.passed.get(pass_key(host, client, hello))
        return entry is not None and entry.holds(now)

    def is_paused(self, now: datetime) -> bool:
        """Whether everything goes through unchanged at ``now`` (aware)."""
        return self.paused_until is not None and now < self.paused_until

    def with_choice(self, site: str, choice: Choice) -> Remembered:
        """The next value, in which ``site`` has ``choice``; an empty choice forgets the site."""
        others = {key: value for key, value in self.choices.items() if key != site_of(site)}
        if choice != NO_CHOICE:
            others[site_of(site)] = choice
        return replace(self, choices=MappingProxyType(others))

    def with_passed(self, entry: PassThrough) -> Remembered:
        """The next value, in which ``entry`` is known; lapsed ones go, and the oldest of too many.

        A client pushes out its own entries first.
        """
        live = [each for each in self.passed.values() if each.holds(entry.since)]
        others = sorted((each for each in live if each.key != entry.key), key=lambda e: e.since)
        own = [each for each in others if each.client == entry.client]
        surplus = {each.key for each in own[: max(len(own) + 1 - MAX_PASSED_EACH, 0)]}
        kept = [each for each in others if each.key not in surplus][-(MAX_PASSED - 1) :]
        return replace(self, passed=MappingProxyType({e.key: e for e in (*kept, entry)}))

    def without_passed(self, keys: frozenset[str]) -> Remembered:
        """The next value, without the entries of these keys."""
        kept = {key: entry for key, entry in self.passed.items() if key not in keys}
        return replace(self, passed=MappingProxyType(kept))

    def refused_at(self, host: str) -> frozenset[str]:
        """The keys of all entries of a host."""
        return frozenset(
            key for key, entry in self.passed.items() if host_key(entry.host) == host_key(host)
        )

    def refused_by(self, client: str, hello: str, *, doubtful: bool = False) -> frozenset[str]:
        """The keys of a client's entries; ``doubtful``: of those that are not sure."""
        return frozenset(
            key
            for key, entry in self.passed.items()
            if (entry.client, entry.hello) == (client, hello) and not (doubtful and entry.sure)
        )


def pass_key(host: str, client: str, hello: str) -> str:
    """The key of what one client refused; a ClientHello's fingerprint holds no space."""
    return f"{host_key(host)} {client} {hello}"


def host_key(host: str) -> str:
    """The spelling under which a host is kept."""
    return host.lower().removesuffix(".")


def site_of(host: str) -> str:
    """The site that a host belongs to for a reader: its name without ``www.``."""
    return host_key(host).removeprefix("www.")


def sites_above(host: str) -> Iterator[str]:
    """The site of ``host`` and the domains above it, the nearest first."""
    site = site_of(host)
    yield site
    labels = site.split(".")
    if labels[-1].isdigit() or ":" in site:  # an address has no domain above it
        return
    yield from (".".join(labels[start:]) for start in range(1, len(labels) - 1))
