"""Bookmarks of the pages for small screens: a form of one button each."""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

from winnow.features.small.small_request import SmallRequest
from winnow.features.small.templates.small_pages import button
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.own.handlers.form_checks import form_token
from winnow.proxy.own.translation import _
from winnow.proxy.stores.library import LibraryEntry

BOOKMARK_PURPOSE: Final = "bookmark {url}"


def mark_form(tokens: FormTokens, visit: SmallRequest, entry: LibraryEntry, do: str) -> Markup:
    """The form that adds or removes (``do``) a bookmark."""
    fields = {"url": entry.url, "title": entry.title, "do": do}
    text = _("Remove") if do == "remove" else _("Bookmark this page")
    token = form_token(tokens, visit.owner, BOOKMARK_PURPOSE, fields)
    return button(f"{visit.prefix}bookmark", {**fields, "token": token}, text)
