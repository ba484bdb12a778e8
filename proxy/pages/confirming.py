"""The page that asks whether a choice is meant, and the one that says a link is stale. Pure."""

from __future__ import annotations

from markupsafe import Markup

from proxy.pages.bar import form
from proxy.pages.choosing import Action, Links, Wish
from proxy.pages.frame import Sheet, own_page, sentences
from proxy.pages.languages import Language
from proxy.pages.messages import CATALOGUE, Messages


def confirmation_page(wish: Wish, language: Language, links: Links) -> Sheet:
    """Asks whether ``wish`` is meant; only its form changes anything."""
    words = CATALOGUE[language]
    main = Markup('{}\n<p>{}<a href="{}">{}</a></p>').format(
        sentences(_meaning(wish, words), words.confirm_undo),
        form(links.target(), links.fields(wish), words.confirm_do, "first"),
        wish.page,
        words.confirm_back,
    )
    title = words.confirm_title.format(site=wish.site)
    return own_page(title, main, language=language.value)


def stale_page(language: Language) -> Sheet:
    """Says that a link or form of ours no longer holds, and what to do."""
    words = CATALOGUE[language]
    return own_page(words.stale_title, sentences(words.stale), status=403, language=language.value)


def _meaning(wish: Wish, words: Messages) -> str:
    text = {
        Action.ALWAYS: words.confirm_always,
        Action.NEVER: words.confirm_never,
        Action.EXTRACTOR: words.confirm_extractor,
        Action.LEVEL: words.confirm_level,
        Action.FORGET: words.confirm_forget,
    }[wish.action]
    return text.format(site=wish.site, extractor=wish.value, level=wish.value)
