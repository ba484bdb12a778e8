"""What a form of the settings page asks for, and whether it may. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from winnow.config.site_rule_file import WORDS
from winnow.document.values import Purpose
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.own.templates.choice_forms import ChoiceError
from winnow.proxy.own.translation import N_
from winnow.proxy.stores.choices import UNTIL_RESTART, is_purpose_key, purpose_key
from winnow.proxy.stores.site_choice import SiteMode

COMMON = "everybody"
APART: Final = "apart"
"""What a group of kinds says of which each is chosen by itself."""
GROUPS: Final[Mapping[str, tuple[Purpose, ...]]] = MappingProxyType(
    {
        "articles": (Purpose.ARTICLE,),
        "shops": (Purpose.PRODUCT, Purpose.INDEX),
        "rest": (Purpose.DOCUMENTATION, Purpose.THREAD, Purpose.QUESTION, Purpose.RECIPE),
    }
)
"""Kinds of pages that most readers choose for as one."""
PAUSES = (("10", N_("10 minutes")), ("60", N_("1 hour")), ("restart", N_("Until restart")))


class SettingsChange(StrEnum):
    """The action of a form."""

    PAUSE = "pause"
    RESUME = "resume"
    FORGET = "forget"
    TREATMENT = "treatment"
    REOPEN = "reopen"
    REOPEN_ALL = "reopen-all"
    FORGET_ALL = "forget-all"
    LEAVES = "leaves"


@dataclass(frozen=True, slots=True)
class SettingsRequest:
    """A submitted form: ``value`` is a pause's length, a site or a host. ``common``: for everybody.

    ``kinds``: for the key of each purpose what is done with its pages, None for the default;
    ``words``: what holds for all sites, by a field of Choice.
    """

    change: SettingsChange
    value: str = ""
    common: bool = False
    kinds: Mapping[str, SiteMode | None] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_for_everybody(self) -> bool:
        """The certificates of sites are shared by all clients."""
        return self.common or self.change is SettingsChange.LEAVES

    @property
    def is_of_one_site(self) -> bool:
        """Whether it stands in the list of sites, to which its answer leads back."""
        return self.change is SettingsChange.FORGET

    def pauses_until(self, now: datetime) -> datetime | None:
        """The end of the requested pause. Raises ``ChoiceError`` for an unknown length."""
        if self.value not in dict(PAUSES):
            raise ChoiceError("There is no such pause.")
        if self.value == "restart":
            return UNTIL_RESTART
        return now + timedelta(minutes=int(self.value))


def read_request(
    fields: Mapping[str, str], tokens: FormTokens, now: datetime, owner: str
) -> SettingsRequest:
    """The request of ``owner``; raises ``ChoiceError`` if it is expired, forged or invalid."""
    if not owner or not tokens.holds(fields.get("token", ""), settings_purpose(owner), now):
        raise ChoiceError("The form has expired or was not made by Winnow.")
    try:
        change, common = SettingsChange(fields.get("change", "")), fields.get("for", "") == COMMON
        named = {key: mode for key, mode in fields.items() if is_purpose_key(key)}
        for group, purposes in GROUPS.items():
            if fields.get(group, APART) != APART:
                named |= {purpose_key(each.value): fields[group] for each in purposes}
        kinds = {key: SiteMode(mode) if mode else None for key, mode in named.items()}
        return SettingsRequest(change, fields.get("value", ""), common, kinds, _words(fields))
    except ValueError as error:
        raise ChoiceError("There is no such change.") from error


def _words(fields: Mapping[str, str]) -> Mapping[str, str]:
    """Raises ValueError for a word that a field may not be."""
    found = {name: fields[name] for name in WORDS if name in fields}
    if any(word and word not in WORDS[name] for name, word in found.items()):
        raise ValueError("There is no such word.")
    return found


def settings_purpose(owner: str) -> str:
    """What the token of a form is for."""
    return f"settings {owner}"
