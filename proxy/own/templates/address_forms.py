"""The forms of pages that need an address, shown where none was given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from winnow.proxy.own.templates.base_page import HtmlPage, own_page
from winnow.proxy.own.translation import N_, _


@dataclass(frozen=True, slots=True)
class AddressForm:
    """``lead`` says what the page does, ``fields`` how many addresses it takes."""

    title: str
    lead: str
    button: str
    fields: int = 1


ENTRANCES: Final[Mapping[str, AddressForm]] = {
    "/-/why": AddressForm(
        N_("Why was something removed?"),
        N_(
            "Shows the text of a page block by block: what Winnow removes, and by which rule. "
            "Blocks removed by mistake can be kept."
        ),
        N_("Show why"),
    ),
    "/-/feed": AddressForm(
        N_("Full-text feed"),
        N_(
            "Enter the address of a feed (RSS, Atom or JSON), or of a page that links to one. "
            "Each item will contain the whole article. Copy the resulting address into your feed "
            "reader."
        ),
        N_("Open feed"),
    ),
    "/-/save": AddressForm(
        N_("Read a page later"),
        N_(
            "The article and its images are stored on the computer that runs Winnow, to be read "
            "and searched later."
        ),
        N_("Continue"),
    ),
    "/-/book": AddressForm(
        N_("Create an EPUB book"),
        N_(
            "Enter the addresses of one or more pages: each becomes a chapter of one EPUB book, "
            "images included."
        ),
        N_("Create book"),
        fields=4,
    ),
}
"""By the path of the page."""


def entrance_page(path: str, token: str) -> HtmlPage | None:
    """The form of the page at ``path``, if it has one.

    ``token`` proves that the address was entered there, so that private ones may be fetched.
    """
    entrance = ENTRANCES.get(path)
    if entrance is None:
        return None
    rows = Markup("").join(_field(number, entrance.fields) for number in range(entrance.fields))
    main = Markup(
        '<p>{}</p>\n<form action="{}" method="get">{}'
        '<p><input type="hidden" name="token" value="{}"><button class="first">{}</button></p>'
        '</form>\n<p><a href="/" rel="noreferrer">{}</a></p>'
    ).format(_(entrance.lead), path, rows, token, _(entrance.button), _("Read a page"))
    return own_page(_(entrance.title), main)


def _field(number: int, of: int) -> Markup:
    label = _("Address of page {number}").format(number=number + 1) if of > 1 else _("Address")
    required = Markup(" required") if number == 0 else Markup("")
    return Markup(
        '<p><label for="url{0}">{1}</label><br><input id="url{0}" name="url" inputmode="url" '
        'autocomplete="url" size="50"{2}></p>'
    ).format(number, label, required)
