"""The header of own pages, and the links between the settings pages."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

from markupsafe import Markup

from winnow.document.addresses import parts_of
from winnow.proxy.own.languages import NAMES, Language
from winnow.proxy.own.menus import MENUS
from winnow.proxy.own.translation import LANGUAGE, _

OWN: Final = "/-/"
SETTINGS: Final = "/-/settings"
READING: Final = "/-/settings/reading"
SITE: Final = "/-/settings/site"
RULES: Final = "/-/settings/rules"
RULE_EDIT: Final = f"{RULES}/edit"
ALL: Final = "/-/settings/all"
SAVED: Final = "/-/settings/saved"
SAVED_PAGES: Final = "/-/saved"
RENDER: Final = "/-/render"
OLD_SAVED: Final = "/-/settings/kept"
"""Redirected, for one release."""
LEARNED: Final = "/-/settings/sites"
CRUNCH: Final = "/-/settings/crunch"
EXTENSIONS: Final = "/-/extensions"
ACTIVITY: Final = "/-/activity"
LANGUAGES: Final = "/-/settings/language"
HERE: Final[ContextVar[str]] = ContextVar("here", default="")
"""The path of the own page that is being answered."""


def is_gone(target: str) -> bool:
    """Whether it is an own page of a feature that is switched off or removed."""
    there, path = MENUS.get().addresses, parts_of(target).path
    if not there or path in there or not path.startswith(OWN):
        return False
    return not any(each.endswith("/") and path.startswith(each) for each in there)


def link_to(target: str, text: str, more: str = "") -> Markup:
    """A link to an address of ours or of a site; ``more``: further attributes, as markup.

    Empty where it would lead to an own page of a feature that is switched off or removed.
    """
    return Markup() if is_gone(target) else _link(target, text, more)


def header_links(base: str = "") -> tuple[Markup, ...]:
    """The links at the top of every own page, the one past them first, the one that leads here
    marked.

    ``base``: the origin of our pages, of an error's page at the address of another.
    """
    menu = MENUS.get().header
    here = "" if base else max((path for path in menu if _leads_to(path)), key=len, default="")
    links = (
        _link(path, _(name), ' aria-current="page"' if path == here else "", base)
        for path, name in menu.items()
    )
    return (_link("#main", _("Skip to content")), *links, _language(base))


def _leads_to(path: str) -> bool:
    """Whether the page that is being answered is at this path of the menu, or below it."""
    return HERE.get() == path or (path != "/" and HERE.get().startswith(f"{path}/"))


def _language(base: str) -> Markup:
    """The way to the language menu, for those too who cannot read this page."""
    language, word = LANGUAGE.get(), Markup('<span lang="en" dir="ltr">Language</span>')
    if language is not Language.ENGLISH:
        word = Markup("{} · {}").format(NAMES[language], word)
    return _link(LANGUAGES, word, base=base)


def _link(path: str, text: str, more: str = "", base: str = "") -> Markup:
    """A link to one of our pages; the first one's names no page of a site in the gateway, whose
    own ``/`` it would mean (decisions/routing.py)."""
    more = f'{more} rel="noreferrer"' if path == "/" else more
    return Markup('<a href="{}{}"{}>{}</a>').format(base, path, Markup(more), text)  # noqa: S704 - ours


def navigation(here: str) -> Markup:
    """Links to all settings pages but the one at ``here``."""
    links = (_link(path, _(name)) for path, name in MENUS.get().settings.items() if path != here)
    nav = Markup('<nav aria-label="{}"><p>{}</p></nav>')
    return nav.format(_("Settings"), Markup(" · ").join(links))
