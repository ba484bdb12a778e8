"""A reader's rules for parts of sites: in words, with their tests, and as a rules file. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from markupsafe import Markup, escape

from winnow.config.site_rule_file import FileRule, RuleTest
from winnow.proxy.own.translation import _, filled, own_words
from winnow.proxy.stores.library import PartRule

Tried = Mapping[tuple[str, str], Sequence[str]]
"""The failures of tests by site and selector."""
NOT_TRIED: Final[Tried] = MappingProxyType({})


def file_rule(site: str, parts: Sequence[PartRule]) -> FileRule:
    """All of a site's rules as one of a rules file, with their tests."""
    return FileRule(
        site,
        keep=tuple(part.selector for part in parts if not part.drops),
        drop=tuple(part.selector for part in parts if part.drops),
        tests=tuple(test for part in parts for test in tests_of(part)),
    )


def tests_of(part: PartRule) -> tuple[RuleTest, ...]:
    """The rule's test, if it has one."""
    if not (part.url and part.words):
        return ()
    words = (part.words,)
    return (RuleTest(part.url, lacks=words) if part.drops else RuleTest(part.url, has=words),)


def part_words(part: PartRule) -> Markup:
    """What the rule does."""
    return _said(part, _begins(part) + _selector(part))


def part_in_short(part: PartRule) -> Markup:
    """The same without its selector, where the part's words say which it is."""
    return _said(part, _begins(part) or _selector(part))


def _said(part: PartRule, named: Markup) -> Markup:
    return filled(_("Dropped: {part}") if part.drops else _("Kept: {part}"), part=named)


def _selector(part: PartRule) -> Markup:
    return Markup("<code>{}</code>").format(part.selector)


def _begins(part: PartRule) -> Markup:
    """The words with which the part began when the rule was made."""
    if not part.words:
        return Markup("")
    quoted = escape(_("“{words} …”")).format(words=Markup("<bdi>{}</bdi>").format(part.words))
    return quoted + Markup(" ")


def test_words(part: PartRule, failures: Sequence[str] | None) -> Markup:
    """The rule's test, and what came of it."""
    if not tests_of(part):
        return Markup("")
    wanted = _("must not contain “{words}”") if part.drops else _("must contain “{words}”")
    return Markup('<a href="{}" rel="noreferrer">{}</a>{}').format(
        part.url, wanted.format(words=part.words), _outcome(failures)
    )


def _outcome(failures: Sequence[str] | None) -> Markup:
    if failures is None:
        return Markup("")
    if not failures:
        return Markup(' <strong class="good">{}</strong>').format(_("Passed."))
    said = Markup("; ").join(map(own_words, failures))
    return Markup(" <strong>{}</strong> {}").format(_("Failed:"), said)


def as_file(own: Mapping[str, Sequence[PartRule]]) -> Markup:
    """The rules as lines of a rules file (winnow.config.site_rule_file), to be copied."""
    if not own:
        return Markup("")
    lines = "\n".join(line for site, parts in own.items() for line in _lines(site, parts))
    return Markup("<details><summary>{}</summary><pre>{}</pre></details>").format(
        _("As a file of site rules"), lines
    )


def _lines(site: str, parts: Sequence[PartRule]) -> Iterator[str]:
    rule = file_rule(site, parts)
    yield "[[rule]]"
    yield f"site = {_quoted(site)}"
    yield from (f"keep = [{', '.join(map(_quoted, rule.keep))}]",) if rule.keep else ()
    yield from (f"drop = [{', '.join(map(_quoted, rule.drop))}]",) if rule.drop else ()
    for test in rule.tests:
        yield "\n[[rule.test]]"
        yield f"url = {_quoted(test.url)}"
        name, words = ("has", test.has) if test.has else ("lacks", test.lacks)
        yield f"{name} = [{', '.join(map(_quoted, words))}]"
    yield ""


def _quoted(text: str) -> str:
    """A basic string of TOML; JSON escapes the same characters the same way, and DEL stays out."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")
