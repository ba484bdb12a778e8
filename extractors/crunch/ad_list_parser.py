"""Reads lists of ads: hosts files and Adblock's filters.

Of Adblock's syntax (help.adblockplus.org, "How to write filters") address rules are read with the
options for third parties, types and domains; rules that hide elements are of no use here. A line
that is none of this is reported with its number, and the rest of the list is used.
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
_WHOLE_WORD: Final = re.compile(r"(?<![a-z0-9%*])[a-z0-9%]{3,}(?![a-z0-9%*])")
_TYPES: Final = frozenset(
    "script image stylesheet subdocument object media other font xmlhttprequest ping popup "
    "websocket document".split()
)
_IGNORED: Final = frozenset("important all match-case generichide elemhide genericblock".split())
_LOCAL: Final = frozenset("localhost localhost.localdomain local broadcasthost".split())


@dataclass(frozen=True, slots=True)
class AdPattern:
    """One address rule. ``third`` None: any requester; ``types`` empty: any type."""

    text: str
    third: bool | None = None
    types: frozenset[str] = frozenset()
    domains: frozenset[str] = frozenset()
    excluded_domains: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()

    def matches(self, address: str, host: str, page: str, kind: str) -> bool:
        """Whether a request of ``kind`` from a page on host ``page`` is meant."""
        if self.third is not None and self.third is is_same_site(host, page):
            return False
        if self.types and kind not in self.types:
            return False
        if self.excluded_domains and not self.excluded_domains.isdisjoint(_above(page)):
            return False
        if self.domains and self.domains.isdisjoint(_above(page)):
            return False
        return _expression(self.text).search(address) is not None


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that could not be used, by its number from 1, and why."""

    number: int
    text: str
    why: str


@dataclass(slots=True)
class AdRules:
    """What a list says; ``ignored`` counts rules that mean something to a browser alone."""

    hosts: list[str] = field(default_factory=list)
    domains: list[str] = field(default_factory=list)
    exception_domains: list[str] = field(default_factory=list)
    patterns: tuple[AdPattern, ...] = ()
    exceptions: tuple[AdPattern, ...] = ()
    bad: tuple[BadLine, ...] = ()
    ignored: int = 0

    @property
    def used(self) -> int:
        """How many rules are used."""
        plain = len(self.hosts) + len(self.domains) + len(self.exception_domains)
        return plain + len(self.patterns) + len(self.exceptions)


class _BadLineError(ValueError):
    """A line that cannot be used; the message says why."""


def parse(text: str) -> AdRules:
    """Read a list. Raises nothing: what cannot be used is among ``bad``. O(len(text))."""
    rules = AdRules()
    patterns: list[AdPattern] = []
    exceptions: list[AdPattern] = []
    bad: list[BadLine] = []
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        if not line or (line[0] in "!#[" and not _HIDING.match(line)):
            continue
        try:
            _parse_line(line, rules, patterns, exceptions)
        except _BadLineError as error:
            bad.append(BadLine(number, line[:120], str(error)))
    rules.patterns, rules.exceptions, rules.bad = tuple(patterns), tuple(exceptions), tuple(bad)
    return rules


def _parse_line(
    line: str, rules: AdRules, patterns: list[AdPattern], exceptions: list[AdPattern]
) -> None:
    if found := _WHOLE_HOST.fullmatch(line):
        rules.domains.append(found[1].lower())
    elif found := _HOSTS.fullmatch(line):
        rules.hosts += _hosts(found[1])
    elif _HIDING.search(line):
        rules.ignored += 1
    elif _NAME.fullmatch(line.partition("#")[0].strip()):
        rules.hosts.append(line.partition("#")[0].strip().lower())
    elif line.startswith("@@"):
        whole = _WHOLE_HOST.fullmatch(line[2:])
        if whole:
            rules.exception_domains.append(whole[1].lower())
        else:
            exceptions += _pattern(line[2:], rules)
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
    text, _, options_text = line.rpartition("$") if _has_options(line) else (line, "", "")
    if len(text.strip("|*^")) < 2 and "domain=" not in options_text:
        raise _BadLineError("it would match every address")
    options = _options(options_text)
    if options is None:
        rules.ignored += 1
        return
    if text.startswith("/") and text.endswith("/") and len(text) > 2:
        _check_expression(text)
        yield AdPattern(text, *options)
        return
    yield AdPattern(text, *options, words=tuple(_words(text.lower())))


def _has_options(line: str) -> bool:
    return "$" in line and not (line.startswith("/") and line.endswith("/"))


def _options(
    options_text: str,
) -> tuple[bool | None, frozenset[str], frozenset[str], frozenset[str]] | None:
    """Third party, types, domains and other domains; None where the rule is of no use here."""
    third: bool | None = None
    types: set[str] = set()
    without: set[str] = set()
    domains: set[str] = set()
    excluded_domains: set[str] = set()
    for option in filter(None, options_text.lower().split(",")):
        name, _, value = option.partition("=")
        if name.lstrip("~") in ("third-party", "3p"):
            third = not name.startswith("~")
        elif name in ("first-party", "1p"):
            third = False
        elif name == "domain":
            for domain in value.split("|"):
                (excluded_domains if domain.startswith("~") else domains).add(domain.lstrip("~"))
        elif name.lstrip("~") in _TYPES:
            (without if name.startswith("~") else types).add(name.lstrip("~"))
        elif name in ("csp", "redirect", "redirect-rule", "removeparam", "rewrite", "badfilter"):
            return None
        elif name not in _IGNORED:
            raise _BadLineError(f"option {name!r} is unknown")
    if without and not types:
        types = set(_TYPES) - without
    return third, frozenset(types), frozenset(domains), frozenset(excluded_domains)


def _words(text: str) -> list[str]:
    """The words that an address must hold whole for the rule to match."""
    open_start = not text.startswith("|")
    open_end = not text.endswith(("|", "^"))
    found = []
    for word in _WHOLE_WORD.finditer(text):
        if (open_start and word.start() == 0) or (open_end and word.end() == len(text)):
            continue
        found.append(word[0])
    return found


def _check_expression(text: str) -> None:
    try:
        re.compile(text[1:-1])
    except re.error as error:
        raise _BadLineError(f"its expression is wrong: {error}") from error


@lru_cache(maxsize=65536)
def _expression(text: str) -> re.Pattern[str]:
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
