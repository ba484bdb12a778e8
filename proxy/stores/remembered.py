"""What a reader chose and what the proxy learned, as one frozen value that policies read.

Knows the meaning of choices, pass-through and pause, and how each change makes the next value;
refuses to know where they are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

MAX_PASSED = 10_000
"""Learned hosts beyond this many push the oldest out: clients, not people, add them."""


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
    """A host whose clients refuse our certificate and that is tunnelled since ``since`` (aware).

    ``sure`` is False when that client had never accepted a certificate of ours: then it may just
    not know the authority yet, and the entry goes once it does.
    """

    host: str
    reason: str
    since: datetime
    sure: bool = True


NO_CHOICE = Choice()


@dataclass(frozen=True, slots=True)
class Remembered:
    """Everything at once: choices by site, pass-through by host, and the pause."""

    choices: Mapping[str, Choice] = field(default_factory=lambda: MappingProxyType({}))
    passed: Mapping[str, PassThrough] = field(default_factory=lambda: MappingProxyType({}))
    paused_until: datetime | None = None

    def choice(self, host: str) -> Choice:
        """What was chosen for ``host``, or for the nearest domain above it."""
        found = (self.choices[site] for site in sites_above(host) if site in self.choices)
        return next(found, NO_CHOICE)

    def passes(self, host: str) -> bool:
        """Whether connections to ``host`` are tunnelled because clients refused us there."""
        return host_key(host) in self.passed

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
        """The next value, in which ``entry`` is known; the oldest goes when there are too many."""
        entries = {**self.passed, host_key(entry.host): entry}
        surplus = sorted(entries, key=lambda host: entries[host].since)[: -MAX_PASSED or None]
        kept = {host: entries[host] for host in entries if host not in set(surplus)}
        return replace(self, passed=MappingProxyType(kept))

    def without_passed(self, hosts: frozenset[str]) -> Remembered:
        """The next value, in which ``hosts`` are intercepted again."""
        kept = {host: entry for host, entry in self.passed.items() if host not in hosts}
        return replace(self, passed=MappingProxyType(kept))

    def doubtful(self) -> frozenset[str]:
        """The hosts that were learned from clients which had never accepted our certificate."""
        return frozenset(host for host, entry in self.passed.items() if not entry.sure)


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
