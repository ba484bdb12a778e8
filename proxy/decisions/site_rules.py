"""Rules for single sites: the configuration's, and the reader's choices before them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from winnow.config.site_rule_file import FileRule
from winnow.document.values import Purpose, Treatment, Treatments
from winnow.proxy.decisions.policy import NO_RULE, SiteMode, SiteRule
from winnow.proxy.decisions.preferences import BY_LEVEL
from winnow.proxy.http.headers import number
from winnow.proxy.http.request_target import Origin
from winnow.proxy.stores.choices import (
    Choice,
    Choices,
    SiteChoiceMode,
)
from winnow.proxy.stores.site_keys import site_of, sites_above


class SiteRuleError(ValueError):
    """A rule in the configuration has a wrong form; the message says which."""


@dataclass(frozen=True)
class SiteRules:
    """Rules by site; the one for the nearest domain above a host holds for it."""

    rules: Mapping[str, SiteRule] = field(default_factory=lambda: MappingProxyType({}))

    def ruled(self, sites: Iterable[str], rule: SiteMode) -> SiteRules:
        """The rules, with ``rule`` for ``sites``."""
        return self._with({site: {"rule": rule} for site in sites})

    def transformed_anyway(self, sites: Iterable[str]) -> SiteRules:
        """The rules, with ``sites`` transformed in spite of ``no-transform``."""
        return self._with({site: {"transform_anyway": True} for site in sites})

    def extracted_by(self, pairs: Iterable[str]) -> SiteRules:
        """The rules, with methods written ``example.com=crunch:2``. Raises ``SiteRuleError``."""
        return self._with({site: {"extractor": name} for site, name in _pairs(pairs)})

    def at_level(self, pairs: Iterable[str]) -> SiteRules:
        """The rules, with levels written ``example.com=5``. Raises ``SiteRuleError``."""
        return self._with({site: {"level": _level(site, text)} for site, text in _pairs(pairs)})

    def with_rules(self, rules: Iterable[FileRule]) -> SiteRules:
        """The rules, with those of a file; points that a file leaves out stay as they are."""
        merged = self
        for rule in rules:
            changes: dict[str, object] = {"keep": rule.keep, "drop": rule.drop}
            changes |= {"rule": SiteMode(rule.mode)} if rule.mode != "auto" else {}
            changes |= {"extractor": rule.extractor} if rule.extractor else {}
            changes |= {"level": rule.level} if rule.level else {}
            changes |= {"pages": rule.pages} if rule.pages else {}
            changes |= {"transform_anyway": True} if rule.ignore_no_transform else {}
            merged = merged._with({rule.site: changes})
        return merged

    def of(self, origin: Origin, owner: str, choices: Choices) -> SiteRule:
        """The rule for ``owner`` at an origin: choices, point by point, before the rules.

        A rule whose site is written with a port holds at that port alone, before one without.
        """
        found = (self.rules[key] for key in _keys(origin) if key in self.rules)
        rule = _chosen(next(found, NO_RULE), choices.choice(owner, origin))
        chosen = choices.purposes(owner)
        return replace(rule, treatments=_treatments(chosen)) if chosen else rule

    def _with(self, changes: Mapping[str, Mapping[str, object]]) -> SiteRules:
        rules = dict(self.rules)
        for site, change in changes.items():
            key = _written(site)
            rules[key] = replace(rules.get(key, SiteRule()), **change)  # type: ignore[arg-type]  # names and values are checked by the callers above
        return SiteRules(MappingProxyType(rules))


def holds_at(site: str, origin: Origin) -> bool:
    """Whether a rule for a site, as it is written, is for pages of an origin."""
    return _written(site) in _keys(origin)


def _keys(origin: Origin) -> Iterator[str]:
    """The sites that a rule for an origin may be written for, the nearest first."""
    for site in sites_above(origin.host):
        yield f"[{site}]:{origin.port}" if ":" in site else f"{site}:{origin.port}"
        yield site


def _chosen(rule: SiteRule, choice: Choice) -> SiteRule:
    return SiteRule(
        SiteMode(choice.mode.value) if choice.mode else rule.rule,
        choice.extractor or (BY_LEVEL if choice.level else rule.extractor),
        choice.level or rule.level,
        rule.transform_anyway,
        rule.keep,
        rule.drop,
        rule.pages,
    )


_BY_MODE: Final = {
    SiteChoiceMode.ALWAYS: Treatment.EXTRACT,
    SiteChoiceMode.TIDY: Treatment.TIDY,
    SiteChoiceMode.NEVER: Treatment.ORIGINAL,
}


def _treatments(chosen: Mapping[str, SiteChoiceMode]) -> Treatments:
    return tuple((kind, _BY_MODE[chosen[kind]]) for kind in Purpose if kind in chosen)


def _written(site: str) -> str:
    """The key of a site as it is written in settings: HOST, HOST:PORT, [IPv6] or [IPv6]:PORT."""
    site = site.strip().removeprefix("*.")
    if site.startswith("["):
        return site[1:-1] if site.endswith("]") else site
    host, colon, port = site.rpartition(":")
    if colon and port.isdecimal() and ":" not in host:
        return f"{site_of(host)}:{int(port)}"
    return site_of(site)


def _pairs(pairs: Iterable[str]) -> list[tuple[str, str]]:
    split = [pair.partition("=") for pair in pairs]
    for site, sign, value in split:
        if not site or not sign or not value:
            raise SiteRuleError(f"{site + sign + value!r} is not written example.com=VALUE.")
    return [(site, value.strip()) for site, _, value in split]


def _level(site: str, text: str) -> int:
    level = number(text)
    if level is None or not 1 <= level <= 12:
        raise SiteRuleError(f"{site}={text} names no level from 1 to 12.")
    return level
