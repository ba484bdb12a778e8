"""The links between the settings pages."""

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
ACTIVITY: Final = "/-/activity"
_PAGES: Final = {
    SETTINGS: "Site choices and pause",
    READING: "Text and colours",
    RULES: "Site rules",
    SAVED: "Saved items",
    LEARNED: "Learned sites",
    ALL: "All settings",
    ACTIVITY: "Activity",
    "/-/setup": "Setup guide",
    "/-/status": "Status",
    "/": "Read a page",
}


def navigation(here: str) -> Markup:
    """Links to all pages but the one at ``here``."""
    links = (
        Markup('<a href="{}">{}</a>').format(path, name)
        for path, name in _PAGES.items()
        if path != here
    )
    return Markup('<nav aria-label="More">{}</nav>').format(Markup(" · ").join(links))
