"""Reads lists of ads: hosts files and Adblock's filters. Knows their lines; matches one address.

Of Adblock's syntax (help.adblockplus.org, "How to write filters") address rules are read with the
options for third parties, types and domains; rules that hide elements are of no use here. A line
that is none of this is told with its number, and never costs the list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

_HOSTS: Final = re.compile(r"(?:0\.0\.0\.0|127\.0\.0\.1|::1?)\s+(.*)")
_NAME: Final = re.compile(
    r"[a-z0-9_](?:[a-z0-9_-]*\.)+[a-z0-9-]+|[a-z0-9_-]+(?:\.[a-z0-9_-]+)+", re.I
)
_WHOLE_HOST: Final = re.compile(r"\|\|([a-z0-9_-]+(?:\.[a-z0-9_-]+)+)\^?(?:\$document)?", re.I)
_HIDING: Final = re.compile(r"#@?[?$%]?#")
_KEPT_WORD: Final = re.compile(r"(?<![a-z0-9%*])[a-z0-9%]{3,}(?![a-z0-9%*])")
_TYPES: Final = frozenset(
    "script image stylesheet subdocument object media other font xmlhttprequest ping popup "
    "websocket document".split()
)
_IDLE: Final = frozenset("important all match-case generichide elemhide genericblock".split())
_LOCAL: Final = frozenset("localhost localhost.localdomain local broadcasthost".split())


@dataclass(frozen=True, slots=True)
class AdPattern:
    """One address rule. ``third`` None: whoever asks; ``types`` empty: whatever is asked for."""

    text: str
    third: bool | None = None
    types: frozenset[str] = frozenset()
    domains: frozenset[str] = frozenset()
    but: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()

    def matches(self, address: str, host: str, page: str, kind: str) -> bool:
        """Whether a request of ``kind`` from a page on host ``page`` is meant."""
        if self.third is not None and self.third is is_same_site(host, page):
            return False
        if self.types and kind not in self.types:
            return False
        if self.but and not self.but.isdisjoint(_above(page)):
            return False
        if self.domains and self.domains.isdisjoint(_above(page)):
            return False
        return _compiled(self.text).search(address) is not None


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that could not be used, by its number from 1, and why."""

    number: int
    text: str
    why: str


@dataclass(slots=True)
class AdRules:
    """What a list says; ``idle`` counts rules that mean something to a browser alone."""

    hosts: list[str] = field(default_factory=list)
    domains: list[str] = field(default_factory=list)
    spared_domains: list[str] = field(default_factory=list)
    patterns: tuple[AdPattern, ...] = ()
    spared: tuple[AdPattern, ...] = ()
    bad: tuple[BadLine, ...] = ()
    idle: int = 0

    @property
    def used(self) -> int:
        """How many rules are used."""
        plain = len(self.hosts) + len(self.domains) + len(self.spared_domains)
        return plain + len(self.patterns) + len(self.spared)


class _BadLineError(ValueError):
    """A line that cannot be used; the message says why."""


def parse(text: str) -> AdRules:
    """Read a list. Raises nothing: what cannot be used is among ``bad``. O(len(text))."""
    rules = AdRules()
    patterns: list[AdPattern] = []
    spared: list[AdPattern] = []
    bad: list[BadLine] = []
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        if not line or (line[0] in "!#[" and not _HIDING.match(line)):
            continue
        try:
            _read(line, rules, patterns, spared)
        except _BadLineError as error:
            bad.append(BadLine(number, line[:120], str(error)))
    rules.patterns, rules.spared, rules.bad = tuple(patterns), tuple(spared), tuple(bad)
    return rules


def _read(line: str, rules: AdRules, patterns: list[AdPattern], spared: list[AdPattern]) -> None:
    if found := _WHOLE_HOST.fullmatch(line):
        rules.domains.append(found[1].lower())
    elif found := _HOSTS.fullmatch(line):
        rules.hosts += _hosts(found[1])
    elif _HIDING.search(line):
        rules.idle += 1
    elif _NAME.fullmatch(line.partition("#")[0].strip()):
        rules.hosts.append(line.partition("#")[0].strip().lower())
    elif line.startswith("@@"):
        whole = _WHOLE_HOST.fullmatch(line[2:])
        if whole:
            rules.spared_domains.append(whole[1].lower())
        else:
            spared += _pattern(line[2:], rules)
    else:
        patterns += _pattern(line, rules)


def _hosts(text: str) -> Iterator[str]:
    for name in text.partition("#")[0].lower().split():
        if _NAME.fullmatch(name):
            yield name
        elif name not in _LOCAL and name != "0.0.0.0":  # noqa: S104  # a name, not an address to bind
            raise _BadLineError(f"{name!r} is no host")


def _pattern(line: str, rules: AdRules) -> Iterator[AdPattern]:
    """The rule of a line; none where it holds for nothing that a page of ours asks for."""
    text, _, told = line.rpartition("$") if _has_options(line) else (line, "", "")
    if len(text.strip("|*^")) < 2 and "domain=" not in told:
        raise _BadLineError("it would match every address")
    options = _options(told)
    if options is None:
        rules.idle += 1
        return
    if text.startswith("/") and text.endswith("/") and len(text) > 2:
        _checked(text)
        yield AdPattern(text, *options)
        return
    yield AdPattern(text, *options, words=tuple(_words(text.lower())))


def _has_options(line: str) -> bool:
    return "$" in line and not (line.startswith("/") and line.endswith("/"))


def _options(
    told: str,
) -> tuple[bool | None, frozenset[str], frozenset[str], frozenset[str]] | None:
    """Third party, types, domains and other domains; None where the rule is of no use here."""
    third: bool | None = None
    types: set[str] = set()
    without: set[str] = set()
    domains: set[str] = set()
    but: set[str] = set()
    for option in filter(None, told.lower().split(",")):
        name, _, value = option.partition("=")
        if name.lstrip("~") in ("third-party", "3p"):
            third = not name.startswith("~")
        elif name in ("first-party", "1p"):
            third = False
        elif name == "domain":
            for domain in value.split("|"):
                (but if domain.startswith("~") else domains).add(domain.lstrip("~"))
        elif name.lstrip("~") in _TYPES:
            (without if name.startswith("~") else types).add(name.lstrip("~"))
        elif name in ("csp", "redirect", "redirect-rule", "removeparam", "rewrite", "badfilter"):
            return None
        elif name not in _IDLE:
            raise _BadLineError(f"option {name!r} is unknown")
    if without and not types:
        types = set(_TYPES) - without
    return third, frozenset(types), frozenset(domains), frozenset(but)


def _words(text: str) -> list[str]:
    """The words that an address must hold whole for the rule to match."""
    open_start = not text.startswith("|")
    open_end = not text.endswith(("|", "^"))
    found = []
    for word in _KEPT_WORD.finditer(text):
        if (open_start and word.start() == 0) or (open_end and word.end() == len(text)):
            continue
        found.append(word[0])
    return found


def _checked(text: str) -> None:
    try:
        re.compile(text[1:-1])
    except re.error as error:
        raise _BadLineError(f"its expression is wrong: {error}") from error


@lru_cache(maxsize=65536)
def _compiled(text: str) -> re.Pattern[str]:
    if text.startswith("/") and text.endswith("/") and len(text) > 2:
        return re.compile(text[1:-1], re.IGNORECASE)
    start, end = "", ""
    if text.startswith("||"):
        start, text = r"^[a-z][a-z0-9+.-]*://(?:[^/?#]*\.)?", text[2:]
    elif text.startswith("|"):
        start, text = "^", text[1:]
    if text.endswith("|"):
        end, text = "$", text[:-1]
    body = re.escape(text).replace(r"\*", ".*").replace(r"\^", r"(?:[^\w.%-]|$)")
    return re.compile(start + body + end, re.IGNORECASE)


def is_same_site(host: str, page: str) -> bool:
    """Whether one host is the other, or below it; ``www.`` says nothing."""
    left, right = host.removeprefix("www."), page.removeprefix("www.")
    return left == right or left.endswith("." + right) or right.endswith("." + left)


def _above(host: str) -> Iterator[str]:
    while host:
        yield host
        host = host.partition(".")[2]
