"""The page that asks whether a choice is meant, and the one that says a form is stale. Pure."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from markupsafe import Markup

from winnow.proxy.access.tokens import FormTokens
from winnow.proxy.decisions.preferences import RequestMode
from winnow.proxy.own.templates.base_page import HtmlPage, own_page, sentences
from winnow.proxy.own.templates.choice_forms import (
    PATH,
    ChoiceAction,
    ChoiceRequest,
    confirmed_fields,
)
from winnow.proxy.own.templates.elements import form
from winnow.proxy.own.templates.navigation import SETTINGS
from winnow.proxy.own.translation import N_, _, filled

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
}


def confirmation_page(
    choice: ChoiceRequest, tokens: FormTokens, now: datetime, owner: str
) -> HtmlPage:
    """Asks ``owner`` whether ``choice`` is meant; only its form changes anything.

    Its button cannot be pressed at once: a click that was meant for another page, which stood
    there a moment ago, does nothing.
    """
    fields = confirmed_fields(choice, tokens, now, owner)
    undone = _undone() if choice.view is RequestMode.AUTO else Markup("")
    main = Markup('{}\n<p>{}<a href="{}">{}</a></p>{}').format(
        sentences(_meaning(choice)),
        form(PATH, fields, _answer(choice), "first late"),
        choice.page,
        _("Cancel"),
        undone,
    )
    title = _("Pages of {site}").format(site=choice.site)
    page = own_page(title, main)
    return leading_to_sites(page).with_headers(ALONE)


def _answer(choice: ChoiceRequest) -> str:
    """What the button says: the answer to the question above it."""
    if choice.action is ChoiceAction.NEVER:
        return _("Leave unchanged")
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
    return own_page(_("This form has expired"), sentences(text), status=403)


def _undone() -> Markup:
    link = Markup('<a href="{}#sites">{}</a>').format(SETTINGS, _("Winnow’s settings"))
    text = _("You can change this in {settings} at any time.")
    return Markup("\n<p>{}</p>").format(filled(text, settings=link))


def _meaning(choice: ChoiceRequest) -> str:
    return _(_MEANINGS[choice.action]).format(
        site=choice.site, extractor=choice.value, level=choice.value, page=choice.page
    )
