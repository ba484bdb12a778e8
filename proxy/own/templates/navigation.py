"""The header of own pages, and the links between the settings pages."""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

SETTINGS: Final = "/-/settings"
READING: Final = "/-/settings/reading"
RULES: Final = "/-/settings/rules"
ALL: Final = "/-/settings/all"
SAVED: Final = "/-/settings/saved"
OLD_SAVED: Final = "/-/settings/kept"
"""Redirected, for one release."""
LEARNED: Final = "/-/settings/sites"
CRUNCH: Final = "/-/settings/crunch"
ACTIVITY: Final = "/-/activity"
_PAGES: Final = {
    SETTINGS: "Site choices and pause",
    READING: "Text and colours",
    RULES: "Site rules",
    CRUNCH: "Page filters",
    SAVED: "Saved items",
    LEARNED: "Learned sites",
    ALL: "All settings",
}
_HEADER: Final = {
    "en": ("Skip to content", "Read a page", "Activity", "Saved items", "Settings", "Setup guide"),
    "de": ("Zum Inhalt", "Seite lesen", "Aktivität", "Gespeichert", "Einstellungen", "Einrichtung"),
}
"""By language: a link for the keyboard, and the names of ``_PLACES``."""
_PLACES: Final = ("#main", "/", ACTIVITY, SAVED, SETTINGS, "/-/setup")


def header(language: str) -> Markup:
    """The links at the top of every own page."""
    names = _HEADER.get(language, _HEADER["en"])
    skip, *links = (
        Markup('<a href="{}">{}</a>').format(place, name)
        for place, name in zip(_PLACES, names, strict=True)
    )
    return Markup('<header>\n{}\n<nav aria-label="Winnow">{}</nav>\n</header>\n').format(
        skip, Markup(" ").join(links)
    )


def navigation(here: str) -> Markup:
    """Links to all settings pages but the one at ``here``."""
    links = (
        Markup('<a href="{}">{}</a>').format(path, name)
        for path, name in _PAGES.items()
        if path != here
    )
    return Markup('<nav aria-label="Settings">{}</nav>').format(Markup(" · ").join(links))
