"""The rules of the reader page's style sheet that a page has a use for, for who saves data.

A selector goes where a name that it needs stands nowhere in the markup: that is cheap, and keeps
too much at most.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from winnow.document.render.reader.style import STYLE

_RULE: Final = re.compile(r"(@media[^{]*)\{((?:[^{}]*\{[^{}]*\})*)\}|([^{}@]+)(\{[^{}]*\})")
_LEFT_OUT: Final = re.compile(r":not\([^)]*\)|\[[^\]]*\]|:[a-z-]+")
"""What is not looked for: conditions that a name alone cannot tell."""
_LANGUAGE: Final = re.compile(r":lang\((\w+)\)")
_NAME: Final = re.compile(r"(?<![\w.])[a-z][a-z0-9]*|\.[\w-]+")
_IN_ALL: Final = frozenset({"html", "body", "header", "footer", "main"})
Needs = tuple[str, ...]
"""What must stand in the markup for a selector to find anything."""


def with_used_rules(page: str) -> str:
    """A reader page with the rules of its style sheet that it has a use for."""
    before, found, behind = page.partition(STYLE)
    if not found:  # another profile's page
        return page
    return f"{before}{''.join(_used(_rules(), before + behind))}{behind}"


@dataclass(frozen=True, slots=True)
class _Rule:
    """``before``: of a media query, which has ``rules``; ``body``: of others, with its braces."""

    selectors: tuple[tuple[str, Needs], ...] = ()
    body: str = ""
    before: str = ""
    rules: tuple[_Rule, ...] = ()


def _used(rules: tuple[_Rule, ...], markup: str) -> Iterator[str]:
    for rule in rules:
        if rule.before:
            if inside := "".join(_used(rule.rules, markup)):
                yield f"{rule.before}{{{inside}}}"
        elif used := [text for text, needs in rule.selectors if _is_met(needs, markup)]:
            yield f"{','.join(used)}{rule.body}"


def _is_met(needs: Needs, markup: str) -> bool:
    return all(need in markup for need in needs)


@cache
def _rules() -> tuple[_Rule, ...]:
    return tuple(_parsed(STYLE))


def _parsed(css: str) -> Iterator[_Rule]:
    for found in _RULE.finditer(css):
        if found[1]:
            yield _Rule(before=found[1].strip(), rules=tuple(_parsed(found[2])))
        else:
            selectors = (each.strip() for each in found[3].split(","))
            yield _Rule(tuple((each, _needs(each)) for each in selectors), found[4])


def _needs(selector: str) -> Needs:
    languages = tuple(f'lang="{code}' for code in _LANGUAGE.findall(selector))
    names = _NAME.findall(_LEFT_OUT.sub("", _LANGUAGE.sub("", selector)))
    marks = (name[1:] if name[0] == "." else f"<{name}" for name in names if name not in _IN_ALL)
    return (*languages, *marks)
