"""Which addresses are advertisements'. Knows a list once it is read; ships none.

A line of a hosts file names a host exactly, as in Crunch; ``||host^`` of an Adblock list its
subdomains too. Of the other Adblock rules only those are tried that share a word with the address.
Relative and malformed addresses never match, as in Crunch.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

from extractors.crunch.adlists import Pattern, parse
from extractors.errors import ParameterError

_WORD: Final = re.compile(r"[a-z0-9%]{3,}")
_HOST: Final = re.compile(r"(?:https?:)?//(?:[^/?#@]*@)?([a-z0-9._-]+)", re.IGNORECASE)
_TYPES: Final = MappingProxyType(
    {
        "script": "script",
        "img": "image",
        "link": "stylesheet",
        "iframe": "subdocument",
        "frame": "subdocument",
        "object": "object",
        "embed": "object",
        "video": "media",
        "audio": "media",
        "source": "media",
    }
)
"""What Adblock calls the request that an element makes; a link makes none."""


@dataclass(frozen=True, eq=False)
class AdList:
    """``hosts`` match exactly, ``domains`` with all below them; patterns stand by their word.

    ``spared`` are the exceptions (``@@``), kept likewise. A pattern without a word is under "".
    """

    hosts: frozenset[str] = frozenset()
    domains: frozenset[str] = frozenset()
    spared_domains: frozenset[str] = frozenset()
    patterns: Mapping[str, tuple[Pattern, ...]] = field(default_factory=dict)
    spared: Mapping[str, tuple[Pattern, ...]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.hosts or self.domains or self.patterns)

    def of(self, page: str) -> PageAds:
        """The list as it holds on one page, whose address decides who is a third party."""
        return PageAds(self, host_of(page))


@dataclass(frozen=True, eq=False)
class PageAds:
    """A list on a page whose host is ``host``; what is found of a host is remembered."""

    ads: AdList
    host: str
    _known: dict[str, bool | None] = field(default_factory=dict)

    def matches(self, address: str, element: str) -> bool:
        """Whether an element with this address is an advertisement."""
        found = _HOST.match(address.lstrip())
        if found is None:
            return False
        host = found[1].lower()
        known = self._known.get(host, False) if host in self._known else self._of_host(host)
        if known is not None:
            return known
        return self._by_pattern(address.strip(), host, _TYPES.get(element, "other"))

    def _of_host(self, host: str) -> bool | None:
        """What its host alone decides of an address; None where the whole of it must be seen."""
        above = list(suffixes(host))
        listed = host in self.ads.hosts or not self.ads.domains.isdisjoint(above)
        if not self.ads.spared_domains.isdisjoint(above):
            self._known[host] = False
        elif listed and not self.ads.spared:
            self._known[host] = True
        elif not listed and not self.ads.patterns:
            self._known[host] = False
        else:
            self._known[host] = None
        return self._known[host]

    def _by_pattern(self, address: str, host: str, kind: str) -> bool:
        text = address.lower()
        words = {"", *_WORD.findall(text)}
        ads = self.ads
        listed = host in ads.hosts or not ads.domains.isdisjoint(suffixes(host))
        asked = (address, host, self.host, kind)
        if not listed and not any(each.matches(*asked) for each in _tried(ads.patterns, words)):
            return False
        return not any(each.matches(*asked) for each in _tried(ads.spared, words))


def _tried(patterns: Mapping[str, tuple[Pattern, ...]], words: set[str]) -> Iterator[Pattern]:
    for word in words:
        yield from patterns.get(word, ())


def suffixes(host: str) -> Iterator[str]:
    """A host and all domains above it."""
    while host:
        yield host
        host = host.partition(".")[2]


def host_of(address: str) -> str:
    """The host of an absolute URL, in lower case; empty for a relative or malformed one."""
    try:
        return (urlsplit(address.strip()).hostname or "").lower()
    except ValueError:
        return ""


def ad_list(text: str) -> AdList:
    """A list from its text; lines that say nothing we can use are passed over."""
    rules = parse(text)
    return AdList(
        frozenset(rules.hosts),
        frozenset(rules.domains),
        frozenset(rules.spared_domains),
        _by_word(rules.patterns),
        _by_word(rules.spared),
    )


def _by_word(patterns: tuple[Pattern, ...]) -> Mapping[str, tuple[Pattern, ...]]:
    """Each pattern under that word of its own which fewest share."""
    counts: dict[str, int] = {}
    for pattern in patterns:
        for word in pattern.words:
            counts[word] = counts.get(word, 0) + 1
    found: dict[str, list[Pattern]] = {}
    for pattern in patterns:
        word = min(pattern.words, key=lambda word: counts[word], default="")
        found.setdefault(word, []).append(pattern)
    return {word: tuple(group) for word, group in found.items()}


@lru_cache(maxsize=4)
def load_ads(path: str) -> AdList:
    """The list of a file on disk; an empty one for an empty path. Raises ParameterError."""
    if not path:
        return AdList()
    try:
        return ad_list(Path(path).read_text("utf-8", "replace"))
    except OSError as error:
        raise ParameterError(f"The list of ads {path!r} cannot be read: {error}.") from error


@lru_cache(maxsize=4)
def digest_of(path: str) -> str:
    """What tells one list from another; "" for an empty path. Raises ParameterError."""
    if not path:
        return ""
    try:
        return sha256(Path(path).read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise ParameterError(f"The list of ads {path!r} cannot be read: {error}.") from error
