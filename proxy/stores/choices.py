"""Readers' choices, pauses and clients' refusals, as one frozen value that policies read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from types import MappingProxyType
from typing import Final, NamedTuple

from winnow.document.values import Purpose
from winnow.proxy.http.request_target import Origin
from winnow.proxy.stores.site_choice import (
    NO_CHOICE,
    Choice,
    SiteMode,
    in_force,
    told,
    with_told,
)
from winnow.proxy.stores.site_keys import host_key, keys_above

MAX_OWNED = 10_000
"""Choices and pauses of all owners together."""
LAPSE = timedelta(days=7)
"""After which a host is tried again with a client that refused our certificate there."""
MAX_PASSED = 10_000
"""Refusals beyond this many push the oldest out: clients, not people, add them."""
MAX_PASSED_EACH = 500
"""Refusals of the clients at one address."""
_CLOCK_SKEW = timedelta(days=1)
UNTIL_RESTART: Final = datetime.max.replace(tzinfo=UTC)
"""The end of a pause that lasts until the restart and is not stored."""
LONGEST_PAUSE: Final = timedelta(hours=2)
"""A pause that ends later, other than at the restart, has ended: the clock was set back."""


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


ALL_SITES: Final = "all:sites"
"""What a choice for all sites is stored under; one for a site or a domain goes before it."""
_OF_PURPOSE: Final = "purpose:"
_PRIVATE: Final = "private:"
EVERYBODY = ""
"""The owner of choices that count for all who have chosen nothing themselves."""


FILE = "file"
"""The owner of what the operator's settings and their file say; no reader is named so."""


class Said(NamedTuple):
    """What one owner says of a site."""

    owner: str
    site: str
    choice: Choice


@dataclass(frozen=True)
class Owned:
    """What one owner chose: by site key (``site_key``), and until when nothing is changed."""

    choices: Mapping[str, Choice] = field(default_factory=lambda: MappingProxyType({}))
    paused_until: datetime | None = None

    def fields(self) -> Mapping[tuple[str, str], str]:
        """Each field as it is stored, by site key and name."""
        return {
            (site, name): text
            for site, choice in self.choices.items()
            for name, text in told(choice).items()
        }

    @property
    def sites(self) -> Mapping[str, Choice]:
        """The choices for sites."""
        others = (_OF_PURPOSE, _PRIVATE, ALL_SITES)
        keys = (key for key in self.choices if not key.startswith(others))
        return {key: self.choices[key] for key in keys}

    @cached_property
    def private_names(self) -> frozenset[str]:
        """The hosts in the own network that were allowed by a click."""
        keys = (key for key in self.choices if key.startswith(_PRIVATE))
        return frozenset(key.removeprefix(_PRIVATE) for key in keys)

    @property
    def purposes(self) -> Mapping[str, SiteMode]:
        """What is done with pages by their purpose, where that was chosen."""
        found = ((kind.value, self.choices.get(purpose_key(kind), NO_CHOICE)) for kind in Purpose)
        return {kind: choice.mode for kind, choice in found if choice.mode}

    def is_paused(self, now: datetime) -> bool:
        """Whether a pause is in force at ``now`` (aware)."""
        end = self.paused_until
        if end is None or now >= end:
            return False
        return end == UNTIL_RESTART or end - now <= LONGEST_PAUSE

    @property
    def size(self) -> int:
        """How many entries it is."""
        return len(self.choices) + (self.paused_until is not None)


NOTHING = Owned()


@dataclass(frozen=True, slots=True)
class Choices:
    """Everything at once: choices and pauses by owner, refusals by host and client.

    An owner is RequestHead.owner (a signed-in user, else a client's address) or ``EVERYBODY``.
    Owners stand in the order of their last change, the choices of each too: the latest last.
    """

    owners: Mapping[str, Owned] = field(default_factory=lambda: MappingProxyType({}))
    passed: Mapping[str, PassThrough] = field(default_factory=lambda: MappingProxyType({}))

    def of(self, owner: str) -> Owned:
        """What ``owner`` chose."""
        return self.owners.get(owner, NOTHING)

    def at(self, owner: str, origin: Origin) -> tuple[Said, ...]:
        """What was chosen for ``owner`` at ``origin``, what goes first first: the own choices, the
        nearest domain's before, that for all sites last, then everybody's."""
        if not self.owners:
            return ()
        keys = (*keys_above(origin), ALL_SITES)
        owners = dict.fromkeys((owner, EVERYBODY))
        all_of = ((each, self.of(each).choices) for each in owners)
        return tuple(
            Said(each, key, found[key]) for each, found in all_of for key in keys if key in found
        )

    def choice(self, owner: str, origin: Origin) -> Choice:
        """The same as one: what holds where the operator says nothing."""
        return in_force((each.choice for each in self.at(owner, origin)), Choice)

    def purposes(self, owner: str) -> Mapping[str, SiteMode]:
        """What holds for ``owner`` by the purpose of a page: the own choice, then everybody's."""
        if not self.owners:
            return {}
        return {**self.of(EVERYBODY).purposes, **self.of(owner).purposes}

    def passes(self, host: str, client: str, hello: str, now: datetime) -> bool:
        """Whether this client is tunnelled to ``host``, since it refused us there."""
        entry = self.passed.get(pass_key(host, client, hello))
        return entry is not None and entry.holds(now)

    def is_paused(self, owner: str, now: datetime) -> bool:
        """Whether everything goes through unchanged for ``owner`` at ``now`` (aware)."""
        return self.of(owner).is_paused(now) or self.of(EVERYBODY).is_paused(now)

    def with_choice(self, owner: str, site: str, choice: Choice) -> Choices:
        """The next value, in which ``owner`` has ``choice`` for the site key ``site``."""
        old = self.of(owner)
        others = {key: value for key, value in old.choices.items() if key != site}
        if choice != NO_CHOICE:
            others[site] = choice
        return self._with(owner, replace(old, choices=MappingProxyType(others)))

    def with_pause(self, owner: str, until: datetime | None) -> Choices:
        """The next value, in which nothing is changed for ``owner`` until then; None: resumed."""
        return self._with(owner, replace(self.of(owner), paused_until=until))

    def _with(self, owner: str, owned: Owned) -> Choices:
        """Owners beyond the bound: who has most loses its oldest, everybody's is the last to go."""
        owners = {key: value for key, value in self.owners.items() if key != owner}
        if owned.size:
            owners[owner] = owned
        while sum(each.size for each in owners.values()) > MAX_OWNED:
            others = [key for key in owners if key != EVERYBODY] or [EVERYBODY]
            largest = max(others, key=lambda key: owners[key].size)
            less = _without_oldest(owners[largest])
            if less.size:
                owners[largest] = less
            else:
                del owners[largest]
        return replace(self, owners=MappingProxyType(owners))

    def with_passed(self, entry: PassThrough) -> Choices:
        """The next value, with ``entry``; without lapsed ones and the oldest of too many.

        A client's own entries go first.
        """
        live = [each for each in self.passed.values() if each.holds(entry.since)]
        others = sorted((each for each in live if each.key != entry.key), key=lambda e: e.since)
        own = [each for each in others if each.client == entry.client]
        surplus = {each.key for each in own[: max(len(own) + 1 - MAX_PASSED_EACH, 0)]}
        left = [each for each in others if each.key not in surplus][-(MAX_PASSED - 1) :]
        return replace(self, passed=MappingProxyType({e.key: e for e in (*left, entry)}))

    def without_passed(self, keys: frozenset[str]) -> Choices:
        """The next value, without the entries of these keys."""
        left = {key: entry for key, entry in self.passed.items() if key not in keys}
        return replace(self, passed=MappingProxyType(left))

    def refused_at(self, host: str) -> frozenset[str]:
        """The keys of all entries of a host."""
        return frozenset(
            key for key, entry in self.passed.items() if host_key(entry.host) == host_key(host)
        )

    def refusals_of(self, client: str | None) -> frozenset[str]:
        """The keys of the entries of all programs at a client's address; None: of all clients."""
        return frozenset(
            key for key, entry in self.passed.items() if client is None or entry.client == client
        )

    def refused_by(self, client: str, hello: str, *, doubtful: bool = False) -> frozenset[str]:
        """The keys of a client's entries; ``doubtful``: of those that are not sure."""
        return frozenset(
            key
            for key, entry in self.passed.items()
            if (entry.client, entry.hello) == (client, hello) and not (doubtful and entry.sure)
        )


def purpose_key(purpose: str) -> str:
    """What a choice for pages of a purpose is stored under; no key of a site is like it."""
    return f"{_OF_PURPOSE}{purpose}"


def is_purpose_key(text: str) -> bool:
    """Whether a choice stored under it is for pages of a purpose, and not for a site."""
    return text in map(purpose_key, Purpose)


def private_key(host: str) -> str:
    """What the permission for a host in the own network is stored under; no site's key is it."""
    return f"{_PRIVATE}{host_key(host)}"


def pass_key(host: str, client: str, hello: str) -> str:
    """The key of what one client refused; a ClientHello's fingerprint holds no space."""
    return f"{host_key(host)} {client} {hello}"


def grouped(
    rows: Iterable[tuple[str, str, str, str]], pauses: Iterable[tuple[str, datetime]]
) -> Mapping[str, Owned]:
    """Owners from rows (owner, site key, field, its text) and (owner, end of the pause), oldest
    first. Raises ValueError or TypeError for what nobody stored."""
    found: dict[str, dict[str, Choice]] = {}
    for owner, site, name, text in rows:
        chosen = found.pop(owner, {})
        chosen[site] = with_told(chosen.pop(site, NO_CHOICE), name, text)
        found[owner] = chosen
    ends = dict(pauses)
    return MappingProxyType(
        {
            owner: Owned(MappingProxyType(found.get(owner, {})), ends.get(owner))
            for owner in (*(ends.keys() - found.keys()), *found)
        }
    )


def _without_oldest(owned: Owned) -> Owned:
    if not owned.choices:
        return NOTHING
    oldest = next(iter(owned.choices))
    left = {key: value for key, value in owned.choices.items() if key != oldest}
    return replace(owned, choices=MappingProxyType(left))
