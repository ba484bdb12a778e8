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
from winnow.proxy.own.templates.message_catalogue import CATALOGUE, Language, Messages

ALONE: Final = {"X-Frame-Options": "DENY", "Cross-Origin-Opener-Policy": "same-origin"}
"""No site shows the page in a frame, and none that opened it keeps a handle of its window."""

_LED_BACK: Final = ("form-action 'self'", "form-action 'self' http: https:")
"""Browsers hold form-action against each redirect that follows: to the page, and on from there."""


def confirmation_page(
    choice: ChoiceRequest, language: Language, tokens: FormTokens, now: datetime, owner: str
) -> HtmlPage:
    """Asks ``owner`` whether ``choice`` is meant; only its form changes anything.

    Its button cannot be pressed at once: a click that was meant for another page, which stood
    there a moment ago, does nothing.
    """
    words = CATALOGUE[language]
    fields = confirmed_fields(choice, tokens, now, owner)
    undone = words.confirm_undo if choice.view is RequestMode.AUTO else ""
    main = Markup('{}\n<p>{}<a href="{}">{}</a></p>').format(
        sentences(*filter(None, (_meaning(choice, words), undone))),
        form(PATH, fields, words.confirm_do, "first late"),
        choice.page,
        words.confirm_back,
    )
    title = words.confirm_title.format(site=choice.site)
    page = own_page(title, main, language=language.value)
    return leading_to_sites(page).with_headers(ALONE)


def leading_to_sites(page: HtmlPage) -> HtmlPage:
    """The page, with a policy by which its forms may lead to pages of sites."""
    policy = page.headers["Content-Security-Policy"]
    return page.with_headers({"Content-Security-Policy": policy.replace(*_LED_BACK)})


def stale_page(language: Language) -> HtmlPage:
    """Says that a link or form of ours no longer holds, and what to do."""
    words = CATALOGUE[language]
    return own_page(words.stale_title, sentences(words.stale), status=403, language=language.value)


def _meaning(choice: ChoiceRequest, words: Messages) -> str:
    text = {
        ChoiceAction.ALWAYS: words.confirm_always,
        ChoiceAction.NEVER: words.confirm_never,
        ChoiceAction.EXTRACTOR: words.confirm_extractor,
        ChoiceAction.LEVEL: words.confirm_level,
        ChoiceAction.FORGET: words.confirm_forget,
        ChoiceAction.ORIGINAL: words.confirm_original,
        ChoiceAction.READ: words.confirm_read,
    }[choice.action]
    return text.format(
        site=choice.site, extractor=choice.value, level=choice.value, page=choice.page
    )
