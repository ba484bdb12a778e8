"""Rules for single sites: the configuration's, and the reader's choices before them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from winnow.config.errors import ConfigError
from winnow.config.settings import SiteSettings
from winnow.config.site_rule_file import FileRule, load_rules
from winnow.document.values import Purpose, Treatment, Treatments
from winnow.proxy.decisions.policy import SiteRule
from winnow.proxy.http.headers import number
from winnow.proxy.http.request_target import Origin
from winnow.proxy.stores.choices import FILE, Choices, Said
from winnow.proxy.stores.site_choice import NO_CHOICE, Choice, PartRule, SiteMode, in_force, said
from winnow.proxy.stores.site_keys import site_of, sites_above

PRESETS: Final = MappingProxyType(
    {
        "children": Choice(SiteMode.ALWAYS, comments="drop", render="no"),
        "library": Choice(SiteMode.TIDY, comments="fold", render="no"),
        "low-vision": Choice(SiteMode.ALWAYS, "crunch:modern=true,font=150,fixed=150", 5),
    }
)
"""For groups of users, on all sites (Crunch's user types)."""
EVERY_USER: Final = "*"


@dataclass(frozen=True)
class SiteRules:
    """What the operator decides, by site as it is written (``_written``).

    ``presets``: a user's, and whether it can be undone by nobody else.
    """

    rules: Mapping[str, Choice] = field(default_factory=lambda: MappingProxyType({}))
    presets: Mapping[str, tuple[Choice, bool]] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def of_settings(cls, section: SiteSettings) -> SiteRules:
        """The lists of the settings, and the file before them. Raises ConfigError."""
        found: dict[str, Choice] = {}
        for site, choice in (*_listed(section), *_of_file(section)):
            key = _written(site)
            found[key] = replace(found.get(key, NO_CHOICE), **said(choice))
        presets = {user: _preset(name) for user, name in _pairs(section.presets)}
        return cls(MappingProxyType(found), presets)

    def at(self, origin: Origin) -> tuple[Said, ...]:
        """What is said of an origin, by a site's own port and the nearest domain first."""
        keys = (key for key in _keys(origin) if key in self.rules)
        return tuple(Said(FILE, key, self.rules[key]) for key in keys)

    def of(self, origin: Origin, owner: str, choices: Choices) -> SiteRule:
        """What is in force for ``owner`` at an origin: the choices go before the rules."""
        found = (*choices.at(owner, origin), *self.at(origin))
        usual = self.presets.get(EVERY_USER, (NO_CHOICE, False))
        preset, fixed = self.presets.get(owner.removeprefix("user:"), usual)
        said_here = [each.choice for each in found]
        order = (preset, *said_here) if fixed else (*said_here, preset)
        rule = replace(in_force(order, SiteRule), fixed=fixed)
        chosen = choices.purposes(owner)
        return replace(rule, treatments=_treatments(chosen)) if chosen else rule


def _listed(section: SiteSettings) -> Iterator[tuple[str, Choice]]:
    for mode, sites in ((SiteMode.ALWAYS, section.always), (SiteMode.TIDY, section.tidy)):
        yield from ((site, Choice(mode)) for site in sites)
    yield from ((site, Choice(SiteMode.NEVER)) for site in section.never)
    yield from ((site, Choice(transform_anyway=True)) for site in section.ignore_no_transform)
    yield from ((site, Choice(extractor=name)) for site, name in _pairs(section.extractors))
    yield from ((site, Choice(level=_level(site, at))) for site, at in _pairs(section.levels))


def _of_file(section: SiteSettings) -> Iterator[tuple[str, Choice]]:
    rules = load_rules(section.rules) if section.rules else ()
    return ((rule.site, choice_of(rule)) for rule in rules)


def choice_of(rule: FileRule) -> Choice:
    """What a rule of the file says."""
    kept, dropped = map(PartRule, rule.keep), (PartRule(each, drops=True) for each in rule.drop)
    return Choice(
        None if rule.mode == "auto" else SiteMode(rule.mode),
        rule.extractor or None,
        rule.level,
        rule.comments or None,
        rule.images or None,
        rule.render or None,
        rule.pages,
        rule.ignore_no_transform or None,
        (*kept, *dropped),
    )


def holds_at(site: str, origin: Origin) -> bool:
    """Whether a rule for a site, as it is written, is for pages of an origin."""
    return _written(site) in _keys(origin)


def _keys(origin: Origin) -> Iterator[str]:
    """The sites that a rule for an origin may be written for, the nearest first."""
    for site in sites_above(origin.host):
        yield f"[{site}]:{origin.port}" if ":" in site else f"{site}:{origin.port}"
        yield site


_BY_MODE: Final = {
    SiteMode.ALWAYS: Treatment.EXTRACT,
    SiteMode.TIDY: Treatment.TIDY,
    SiteMode.NEVER: Treatment.ORIGINAL,
}


def _treatments(chosen: Mapping[str, SiteMode]) -> Treatments:
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
            raise ConfigError(f"sites: {site + sign + value!r} is not written example.com=VALUE.")
    return [(site, value.strip()) for site, _, value in split]


def _preset(name: str) -> tuple[Choice, bool]:
    found = PRESETS.get(name.removeprefix("!"))
    if found is None:
        raise ConfigError(f"sites.presets: {name!r} is none of {', '.join(PRESETS)}.")
    return found, name.startswith("!")


def _level(site: str, text: str) -> int:
    level = number(text)
    if level is None or not 1 <= level <= 12:
        raise ConfigError(f"sites: {site}={text} names no level from 1 to 12.")
    return level
