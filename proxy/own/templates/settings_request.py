"""What a form of the settings page asks for, and whether it may. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from winnow.proxy.access.tokens import FormTokens
from winnow.proxy.own.templates.choice_forms import ChoiceError
from winnow.proxy.own.templates.elements import LEVELS
from winnow.proxy.own.translation import N_
from winnow.proxy.stores.choices import UNTIL_RESTART, SiteChoiceMode, is_purpose_key

COMMON = "everybody"
PAUSES = (("10", N_("10 minutes")), ("60", N_("1 hour")), ("restart", N_("Until restart")))
_LONGEST_SITE = 265  # a host name of 253 characters and a port


class SettingsChange(StrEnum):
    """The action of a form."""

    PAUSE = "pause"
    RESUME = "resume"
    FORGET = "forget"
    LEVEL = "level"
    TREATMENT = "treatment"
    REOPEN = "reopen"
    REOPEN_ALL = "reopen-all"
    FORGET_ALL = "forget-all"
    SHARE = "share"
    LEAVES = "leaves"


@dataclass(frozen=True, slots=True)
class SettingsRequest:
    """A submitted form: ``value`` is a pause's length, a site, a host, or what is for ``site``.

    That is a level or a ``SiteChoiceMode``, "" for none; ``site`` is a site as it was written, or
    the key of a purpose. ``common``: for everybody.
    """

    change: SettingsChange
    value: str = ""
    site: str = ""
    common: bool = False

    @property
    def is_for_everybody(self) -> bool:
        """The certificates of sites are shared by all clients."""
        return self.common or self.change is SettingsChange.LEAVES

    @property
    def is_of_one_site(self) -> bool:
        """Whether it stands in the list of sites, to which its answer leads back."""
        kept = (SettingsChange.LEVEL, SettingsChange.TREATMENT)
        of_site = self.change in kept and not is_purpose_key(self.site)
        return self.change is SettingsChange.FORGET or of_site

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
        change, value = SettingsChange(fields.get("change", "")), fields.get("value", "")
        site, common = fields.get("site", ""), fields.get("for", "") == COMMON
        if change is SettingsChange.LEVEL and (
            not 0 < len(site) <= _LONGEST_SITE or value not in map(str, LEVELS)
        ):
            raise ChoiceError("There is no such level.")
        if change is SettingsChange.TREATMENT and value not in ("", *SiteChoiceMode):
            raise ChoiceError("There is no such treatment.")
        return SettingsRequest(change, value, site, common)
    except ValueError as error:
        raise ChoiceError("There is no such change.") from error


def settings_purpose(owner: str) -> str:
    """What the token of a form is for."""
    return f"settings {owner}"
