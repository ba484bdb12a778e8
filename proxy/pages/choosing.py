"""What a reader asks for when clicking in the bar: read from a form or link, checked, applied.

Pure. Knows fields and tokens; refuses to know the store and how pages are sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from urllib.parse import urlencode, urlsplit

from proxy.access.tokens import Tokens
from proxy.stores.remembered import NO_CHOICE, Choice, Mode, site_of

PATH = "/-/choose"
_MAX_LEVEL = 12


class ChoiceError(Exception):
    """The form or link was not made by us, or too long ago. The client's fault."""


class Action(StrEnum):
    """What one click changes; the others keep what was chosen before."""

    ALWAYS = "always"
    NEVER = "never"
    EXTRACTOR = "extractor"
    LEVEL = "level"
    FORGET = "forget"


@dataclass(frozen=True, slots=True)
class Wish:
    """One click: ``action`` (with ``value`` for a method or level) for the site of ``page``."""

    action: Action
    page: str
    value: str = ""

    @property
    def site(self) -> str:
        """The site that the wish is for."""
        return page_site(self.page)

    def applied(self, chosen: Choice) -> Choice:
        """What is chosen for the site after the wish."""
        match self.action:
            case Action.ALWAYS | Action.NEVER:
                return replace(chosen, mode=Mode(self.action.value))
            case Action.EXTRACTOR:
                return replace(chosen, extractor=self.value, level=None)
            case Action.LEVEL:
                return at_level(chosen, int(self.value))
            case Action.FORGET:
                return NO_CHOICE


def at_level(chosen: Choice, level: int) -> Choice:
    """A choice with a level, which is a method too: it goes before any that was chosen."""
    return replace(chosen, extractor=None, level=level)


@dataclass(frozen=True, slots=True)
class Links:
    """Makes the links and forms of one page that lead to ours.

    ``base`` is the origin of our own pages: "" where the page itself is one of ours (the gateway),
    else ``http://winnow.internal`` or ``https://winnow.internal``, as the page came.
    """

    tokens: Tokens
    now: datetime
    base: str = ""

    def fields(self, wish: Wish) -> dict[str, str]:
        """The form fields that say ``wish`` and prove that we made them."""
        said = {"action": wish.action.value, "page": wish.page}
        value = {"value": wish.value} if wish.value else {}
        return {**said, **value, "token": self.proof_of_site(wish.site)}

    def target(self) -> str:
        """Where such a form is posted to."""
        return f"{self.base}{PATH}"

    def asking(self, wish: Wish) -> str:
        """The page that asks whether ``wish`` is meant; opening it changes nothing."""
        return f"{self.base}{PATH}?{urlencode(self.fields(wish))}"

    def original(self, page: str) -> str:
        """The address that shows ``page`` as it came, this once."""
        told = {"page": page, "token": self.proof_of_page(page)}
        return f"{self.base}/-/original?{urlencode(told)}"

    def proof_of_site(self, site: str) -> str:
        """The token that lets choose for a site."""
        return self.tokens.make(_purpose(site), self.now)

    def proof_of_page(self, page: str) -> str:
        """The token that shows a page's original."""
        return self.tokens.make(f"original {page}", self.now)

    @property
    def epoch(self) -> str:
        """Changes when proofs do."""
        return self.tokens.epoch(self.now)

    def why(self, page: str) -> str:
        """The address that tells what went from ``page`` and why."""
        return f"{self.base}/-/why?{urlencode({'url': page})}"

    def looks(self, page: str) -> str:
        """The address where one chooses how pages look, and is led back to ``page``."""
        return f"{self.base}/-/settings/reading?{urlencode({'back': page})}"

    def settings(self) -> str:
        """The address of the settings."""
        return f"{self.base}/-/settings"


def read_wish(
    fields: Mapping[str, str], tokens: Tokens, extractors: frozenset[str], now: datetime
) -> Wish:
    """The wish that ``fields`` say; raises ``ChoiceError`` if it is stale, forged or senseless.

    ``extractors`` are the names that may be chosen.
    """
    try:
        wish = Wish(Action(fields["action"]), fields["page"], fields.get("value", ""))
        genuine = tokens.holds(fields["token"], _purpose(wish.site), now)
    except (KeyError, ValueError) as error:
        raise ChoiceError("The form is incomplete.") from error
    if not genuine:
        raise ChoiceError("The form is stale or not ours.")
    if not _sensible(wish, extractors):
        raise ChoiceError("There is no such choice.")
    return wish


def page_site(page: str) -> str:
    """The site of a page's address; raises ``ValueError`` if it is no address of a web page."""
    parts = urlsplit(page)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError(f"{page[:80]!r} is no address of a web page.")
    return site_of(parts.hostname)


def read_original(fields: Mapping[str, str], tokens: Tokens, now: datetime) -> str:
    """The page whose original is asked for; raises ``ChoiceError`` if the link is not ours."""
    page = fields.get("page", "")
    if not tokens.holds(fields.get("token", ""), f"original {page}", now):
        raise ChoiceError("The link is stale or not ours.")
    return page


def _purpose(site: str) -> str:
    return f"choose {site}"


def _sensible(wish: Wish, extractors: frozenset[str]) -> bool:
    if wish.action is Action.EXTRACTOR:
        return wish.value.partition(":")[0] in extractors
    if wish.action is Action.LEVEL:
        return wish.value.isascii() and wish.value.isdigit() and 1 <= int(wish.value) <= _MAX_LEVEL
    return not wish.value
