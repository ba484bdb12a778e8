"""What a user chooses for a site: the links in the bar that ask, and the form that confirms.

Pure. A link holds no secret, since the site can read it, and opening it changes nothing: it leads
to a confirmation page of our own, whose form holds a token for this user and this choice alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.request.preferences import is_offered
from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.request_target import Origin, parse_url
from winnow.proxy.stores.choices import private_key
from winnow.proxy.stores.site_choice import NO_CHOICE, Choice, SiteMode
from winnow.proxy.stores.site_keys import site_key

PATH = "/-/choose"
ORIGINAL_PATH = "/-/original"
READ_PATH = "/-/extract"
UNDO_PATH = "/-/undo"
_MAX_LEVEL = 12
SAFE = "/:?#[]@!$&'()*+,;=%~"
"""Letters of an address that stay as they are where it stands in a path."""


class ChoiceError(Exception):
    """The form was not made by us for this user, or too long ago. The client's fault."""


class ChoiceAction(StrEnum):
    """What one form changes: the view of a page (``original``, ``read``), or a site's choice.

    ``private``: that a host in the reader's own network is opened.
    """

    ALWAYS = "always"
    NEVER = "never"
    EXTRACTOR = "extractor"
    LEVEL = "level"
    FORGET = "forget"
    ORIGINAL = "original"
    READ = "read"
    PRIVATE = "private"


_VIEWS = {
    ChoiceAction.ORIGINAL: RequestMode.ORIGINAL,
    ChoiceAction.READ: RequestMode.EXTRACT,
}


@dataclass(frozen=True, slots=True)
class ChoiceRequest:
    """``action`` (with ``value`` for a method or level) for the site of ``page``."""

    action: ChoiceAction
    page: str
    value: str = ""

    @property
    def site(self) -> str:
        """What the choice is stored under: the site's key, or a private host's."""
        if self.action is ChoiceAction.PRIVATE:
            return private_key(self.host)
        return page_site(self.page)

    @property
    def host(self) -> str:
        """The host of the page."""
        return page_origin(self.page).host

    def applied(self, chosen: Choice) -> Choice:
        """The choice for the site after this request."""
        match self.action:
            case ChoiceAction.ALWAYS | ChoiceAction.NEVER:
                return replace(chosen, mode=SiteMode(self.action.value))
            case ChoiceAction.EXTRACTOR:
                return replace(chosen, extractor=self.value, level=None)
            case ChoiceAction.LEVEL:
                return at_level(chosen, int(self.value))
            case ChoiceAction.PRIVATE:
                return Choice(mode=SiteMode.ALWAYS)
            case ChoiceAction.FORGET:
                return NO_CHOICE
            case ChoiceAction.ORIGINAL | ChoiceAction.READ:
                return chosen

    @property
    def view(self) -> RequestMode:
        """How the page is to be shown; ``AUTO`` for choices of a site."""
        return _VIEWS.get(self.action, RequestMode.AUTO)


def at_level(chosen: Choice, level: int) -> Choice:
    """A choice with a level, which is a method too: it goes before any that was chosen."""
    return replace(chosen, extractor=None, level=level)


def fields_of(choice: ChoiceRequest) -> dict[str, str]:
    """The parameters that say ``choice``."""
    value = {"value": choice.value} if choice.value else {}
    return {"action": choice.action.value, "page": choice.page, **value}


def confirmed_fields(
    choice: ChoiceRequest, tokens: FormTokens, now: datetime, owner: str
) -> dict[str, str]:
    """The fields of the form by which ``owner`` confirms ``choice``, its token included."""
    return {**fields_of(choice), "token": tokens.make(_purpose(choice, owner), now)}


def read_choice(fields: Mapping[str, str], extractors: frozenset[str]) -> ChoiceRequest:
    """The choice that ``fields`` say; raises ``ChoiceError`` if there is no such choice.

    ``extractors`` are the names that may be chosen.
    """
    try:
        choice = ChoiceRequest(
            ChoiceAction(fields["action"]), fields["page"], fields.get("value", "")
        )
        page_site(choice.page)
    except (KeyError, ValueError) as error:
        raise ChoiceError("The form is incomplete.") from error
    if not _sensible(choice, extractors):
        raise ChoiceError("There is no such choice.")
    return choice


def read_confirmed(
    fields: Mapping[str, str],
    extractors: frozenset[str],
    tokens: FormTokens,
    now: datetime,
    owner: str,
) -> ChoiceRequest:
    """The choice that ``owner`` confirmed; raises ``ChoiceError`` if it is stale or forged too."""
    choice = read_choice(fields, extractors)
    if not owner or not tokens.holds(fields.get("token", ""), _purpose(choice, owner), now):
        raise ChoiceError("The form has expired or was not made by Winnow.")
    return choice


def _purpose(choice: ChoiceRequest, owner: str) -> str:
    return json.dumps(["choose", owner, choice.action.value, choice.value, choice.page])


def page_origin(page: str) -> Origin:
    """The origin of a page's address; raises ``ValueError`` if it is no address of a web page."""
    try:
        return parse_url(page).origin
    except ClientFaultError as error:
        raise ValueError(f"{page[:80]!r} is no address of a web page.") from error


def page_site(page: str) -> str:
    """The site key of a page's address; raises ``ValueError`` if it is no address of a web page."""
    return site_key(page_origin(page))


def is_from_page(request: RequestHead, page: str) -> bool:
    """Whether a request was made by a link on a page of the same origin as ``page``.

    No other site can send that Referer (Fetch, section 3.2.3: the origin at least of who asks), so
    none can have the view of a page switched that is not its own. Where a browser leaves it out
    the user must confirm.
    """
    headers = request.headers
    if headers.get("sec-fetch-mode", "navigate").lower() != "navigate":
        return False
    if headers.get("sec-fetch-dest", "document").lower() != "document":
        return False
    try:
        return page_origin(headers.get("referer")) == page_origin(page)
    except ValueError:
        return False


def _sensible(choice: ChoiceRequest, extractors: frozenset[str]) -> bool:
    if choice.action is ChoiceAction.EXTRACTOR:
        return is_offered(choice.value, extractors)
    if choice.action is ChoiceAction.LEVEL:
        level = choice.value
        return (
            level.isascii() and level.isdigit() and len(level) < 3 and 1 <= int(level) <= _MAX_LEVEL
        )
    return not choice.value
