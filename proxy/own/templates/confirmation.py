"""The page that asks whether a choice is meant, and the one that says a form is stale. Pure."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from markupsafe import Markup

from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.own.checked_values import web_address
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.templates.base_page import HtmlPage, own_page, page_of
from winnow.proxy.own.templates.choice_forms import (
    PATH,
    ChoiceAction,
    ChoiceRequest,
    confirmed_fields,
)
from winnow.proxy.own.templates.elements import form
from winnow.proxy.own.translation import N_, _

_TEMPLATE: Final = page_template(__package__, "confirmation.html")
ALONE: Final = {"X-Frame-Options": "DENY", "Cross-Origin-Opener-Policy": "same-origin"}
"""No site shows the page in a frame, and none that opened it keeps a handle of its window."""

_LED_BACK: Final = ("form-action 'self'", "form-action 'self' http: https:")
"""Browsers hold form-action against each redirect that follows: to the page, and on from there."""


_MEANINGS: Final = {
    ChoiceAction.ALWAYS: N_("Always extract the articles of {site}?"),
    ChoiceAction.NEVER: N_("Leave all pages of {site} unchanged?"),
    ChoiceAction.EXTRACTOR: N_("Use the method {extractor} on {site}?"),
    ChoiceAction.LEVEL: N_("Use level {level} on {site}?"),
    ChoiceAction.FORGET: N_("Remove your choice for {site}?"),
    ChoiceAction.ORIGINAL: N_("Show the original of {page} for up to an hour?"),
    ChoiceAction.READ: N_("Extract the article of {page} for up to an hour?"),
    ChoiceAction.PRIVATE: N_(
        "{host} is in your own network. Another site may have sent you here, to have one of your "
        "devices answer. Open it only if you meant to."
    ),
}


def confirmation_page(
    choice: ChoiceRequest, tokens: FormTokens, now: datetime, owner: str
) -> HtmlPage:
    """Asks ``owner`` whether ``choice`` is meant; only its form changes anything.

    Its button cannot be pressed at once: a click that was meant for another page, which stood
    there a moment ago, does nothing.
    """
    fields = confirmed_fields(choice, tokens, now, owner)
    title = _("Pages of {site}").format(site=choice.site)
    if choice.action is ChoiceAction.PRIVATE:
        title = _("Open an address in your own network?")
    page = page_of(
        _TEMPLATE,
        title=title,
        meaning=_meaning(choice),
        form=form(PATH, fields, _answer(choice), "first late"),
        page=web_address(choice.page),
        is_undone_in_settings=choice.view is RequestMode.AUTO,
    )
    return leading_to_sites(page).with_headers(ALONE)


def _answer(choice: ChoiceRequest) -> str:
    """What the button says: the answer to the question above it."""
    if choice.action is ChoiceAction.NEVER:
        return _("Leave unchanged")
    if choice.action is ChoiceAction.PRIVATE:
        return _("Open it")
    return _("Save changes")


def leading_to_sites(page: HtmlPage) -> HtmlPage:
    """The page, with a policy by which its forms may lead to pages of sites."""
    policy = page.headers["Content-Security-Policy"]
    return page.with_headers({"Content-Security-Policy": policy.replace(*_LED_BACK)})


def stale_page() -> HtmlPage:
    """Says that a link or form of ours no longer holds, and what to do."""
    text = _(
        "Forms expire after half a day or when Winnow restarts, and work only for the user who "
        "opened them. Go back to the page and try again."
    )
    main = Markup("<p>{}</p>").format(text)
    return own_page(_("This form has expired"), main, status=403)


def _meaning(choice: ChoiceRequest) -> str:
    return _(_MEANINGS[choice.action]).format(
        site=choice.site,
        extractor=choice.value,
        level=choice.value,
        page=choice.page,
        host=choice.host,
    )
