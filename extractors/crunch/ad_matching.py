"""Which addresses are advertisements', by a list; none is shipped.

A line of a hosts file names a host exactly, as in Crunch; ``||host^`` of an Adblock list its
subdomains too. Of the other Adblock rules only those are tried that share a word with the address.
Relative and malformed addresses never match, as in Crunch.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Final

from winnow.document import addresses
from winnow.extractors.crunch.ad_list_parser import AdPattern, parse
from winnow.extractors.errors import ParameterError

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

    ``exceptions`` are the exceptions (``@@``), likewise. A pattern without a word is under "".
    """

    hosts: frozenset[str] = frozenset()
    domains: frozenset[str] = frozenset()
    exception_domains: frozenset[str] = frozenset()
    patterns: Mapping[str, tuple[AdPattern, ...]] = field(default_factory=dict)
    exceptions: Mapping[str, tuple[AdPattern, ...]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.hosts or self.domains or self.patterns)

    def candidates(self, words: Iterable[str]) -> Iterator[AdPattern]:
        """The patterns that an address with these words might match."""
        for word in self._words.intersection(words):
            yield from self.patterns[word]

    def exception_candidates(self, words: Iterable[str]) -> Iterator[AdPattern]:
        """The exceptions that might."""
        for word in self._exception_words.intersection(words):
            yield from self.exceptions[word]

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(self.patterns)

    @cached_property
    def _exception_words(self) -> frozenset[str]:
        return frozenset(self.exceptions)

    def names(self, url: str, page: str, kind: str) -> bool:
        """Whether a request is an advertisement's: its address, the host of the page that makes it,
        and Adblock's name of its kind. A page that a person opens is one by its host alone."""
        return PageAds(self, page).names(url, kind)

    def of(self, page: str) -> PageAds:
        """The list as it holds on one page, whose address decides who is a third party."""
        return PageAds(self, host_of(page))


@dataclass(frozen=True, eq=False)
class PageAds:
    """A list on a page whose host is ``host``; results are cached by host and by address."""

    ads: AdList
    host: str
    _hosts: dict[str, tuple[bool, bool | None]] = field(default_factory=dict)
    _matches: dict[tuple[str, str], bool] = field(default_factory=dict)

    def matches(self, address: str, element: str) -> bool:
        """Whether an element with this address is an advertisement."""
        return self.names(address, _TYPES.get(element, "other"))

    def names(self, address: str, kind: str) -> bool:
        """Whether a request of a kind is one for an advertisement."""
        is_ad = self._matches.get((address, kind))
        if is_ad is None:
            is_ad = self._matches[address, kind] = self._is_ad(address.strip(), kind)
        return is_ad

    def _is_ad(self, address: str, kind: str) -> bool:
        found = _HOST.match(address)
        if found is None:
            return False
        host = found[1].lower()
        if host not in self._hosts:
            self._hosts[host] = self._by_host(host)
        listed, decision = self._hosts[host]
        if decision is not None:
            return decision
        if kind == "document":
            return listed
        words, request = ("", *_WORD.findall(address.lower())), (address, host, self.host, kind)
        if not listed and not any(each.matches(*request) for each in self.ads.candidates(words)):
            return False
        return not any(each.matches(*request) for each in self.ads.exception_candidates(words))

    def _by_host(self, host: str) -> tuple[bool, bool | None]:
        """Whether a host is listed, and the decision by the host alone; None where rules are
        needed."""
        ads, above = self.ads, list(suffixes(host))
        listed = host in ads.hosts or not ads.domains.isdisjoint(above)
        if not ads.exception_domains.isdisjoint(above):
            return listed, False
        if listed and not ads.exceptions:
            return listed, True
        return listed, None if listed or ads.patterns else False


def suffixes(host: str) -> Iterator[str]:
    """A host and all domains above it."""
    while host:
        yield host
        host = host.partition(".")[2]


def host_of(address: str) -> str:
    """The host of an absolute URL, in lower case; empty for a relative or malformed one."""
    return addresses.host_of(address.strip())


def ad_list(text: str) -> AdList:
    """A list from its text; lines that cannot be used are ignored."""
    rules = parse(text)
    return AdList(
        frozenset(rules.hosts),
        frozenset(rules.domains),
        frozenset(rules.exception_domains),
        _by_word(rules.patterns),
        _by_word(rules.exceptions),
    )


def _by_word(patterns: tuple[AdPattern, ...]) -> Mapping[str, tuple[AdPattern, ...]]:
    """Each pattern under that word of its own which fewest share."""
    counts: dict[str, int] = {}
    for pattern in patterns:
        for word in pattern.words:
            counts[word] = counts.get(word, 0) + 1
    found: dict[str, list[AdPattern]] = {}
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
    """The digest of a list; "" for an empty path. Raises ParameterError."""
    if not path:
        return ""
    try:
        return sha256(Path(path).read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise ParameterError(f"The list of ads {path!r} cannot be read: {error}.") from error
