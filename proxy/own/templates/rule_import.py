"""The form that imports site rules. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from winnow.proxy.own.templates.base_page import STYLE as FRAME_STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, listed, sentences, styled_page
from winnow.proxy.own.templates.elements import hidden
from winnow.proxy.own.templates.navigation import RULES
from winnow.proxy.own.templates.setting_fields import FIELDS_STYLE
from winnow.proxy.own.translation import _, filled, own_words

IMPORT: Final = f"{RULES}/import"
EXPORT: Final = f"{RULES}/export"


def import_page(token: str, faults: Sequence[str] = ()) -> HtmlPage:
    """``faults``: what is wrong with a file that was sent."""
    what = _(
        "Choose a file of site rules (TOML), as {export} makes it. Its rules go in the place of "
        "those for the same sites; all others stay."
    )
    export = Markup("<em>{}</em>").format(_("Export"))
    tests = _("Tests of saved pages are not imported: their files are not in it.")
    wrong = Markup('<div role="alert"><p class="wrong">{}</p>{}</div>\n').format(
        _("Nothing was changed."), listed(tuple(map(own_words, faults)))
    )
    main = Markup(
        '{}{}\n<form method="post" action="{}" enctype="multipart/form-data">{}'
        '<p><label for="file">{}</label><br><input type="file" id="file" name="file" required>'
        '</p><p><button class="first">{}</button></p></form>\n<p><a href="{}">{}</a></p>'
    ).format(
        wrong if faults else "",
        sentences(filled(what, export=export), tests),
        IMPORT,
        hidden({"token": token}),
        _("File"),
        _("Import"),
        RULES,
        _("Site rules"),
    )
    return styled_page(_("Import site rules"), main, FRAME_STYLE + FIELDS_STYLE)
