"""The header of own pages, and the links between the settings pages."""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

from winnow.proxy.own.languages import NAMES, Language
from winnow.proxy.own.translation import LANGUAGE, N_, _

SETTINGS: Final = "/-/settings"
READING: Final = "/-/settings/reading"
RULES: Final = "/-/settings/rules"
ALL: Final = "/-/settings/all"
SAVED: Final = "/-/settings/saved"
SAVED_PAGES: Final = "/-/saved"
OLD_SAVED: Final = "/-/settings/kept"
"""Redirected, for one release."""
LEARNED: Final = "/-/settings/sites"
CRUNCH: Final = "/-/settings/crunch"
EXTENSIONS: Final = "/-/extensions"
ACTIVITY: Final = "/-/activity"
LANGUAGES: Final = "/-/settings/language"
_PAGES: Final = {
    SETTINGS: N_("Site choices and pause"),
    READING: N_("Text and colours"),
    RULES: N_("Site rules"),
    CRUNCH: N_("Page filters"),
    SAVED: N_("Saved items"),
    LEARNED: N_("Learned sites"),
    EXTENSIONS: N_("Browser extension"),
    ALL: N_("All settings"),
    LANGUAGES: N_("Language"),
}
_HEADER: Final = {
    "/": N_("Read a page"),
    ACTIVITY: N_("Activity"),
    SAVED_PAGES: N_("Saved pages"),
    SETTINGS: N_("Settings"),
    "/-/setup": N_("Setup guide"),
}


def header() -> Markup:
    """The links at the top of every own page."""
    links = [_link(path, _(name)) for path, name in _HEADER.items()]
    return Markup('<header>\n{}\n<nav aria-label="Winnow">{}</nav>\n</header>\n').format(
        _link("#main", _("Skip to content")), Markup(" ").join((*links, _language()))
    )


def _language() -> Markup:
    """The way to the language menu, for those too who cannot read this page."""
    language, word = LANGUAGE.get(), Markup('<span lang="en" dir="ltr">Language</span>')
    if language is Language.ENGLISH:
        return _link(LANGUAGES, word)
    return _link(LANGUAGES, Markup("{} · {}").format(NAMES[language], word))


def _link(path: str, text: str) -> Markup:
    """A link to one of our pages; the first one's names no page of a site in the gateway, whose
    own ``/`` it would mean (decisions/routing.py)."""
    rel = Markup(' rel="noreferrer"') if path == "/" else ""
    return Markup('<a href="{}"{}>{}</a>').format(path, rel, text)


def navigation(here: str) -> Markup:
    """Links to all settings pages but the one at ``here``."""
    links = (_link(path, _(name)) for path, name in _PAGES.items() if path != here)
    return Markup('<nav aria-label="{}">{}</nav>').format(_("Settings"), Markup(" · ").join(links))
