"""The forms of pages that need an address, shown where none was given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from winnow.proxy.own.checked_values import own_address
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.templates.base_page import HtmlPage, page_of
from winnow.proxy.own.translation import N_

_TEMPLATE: Final = page_template(__package__, "address_form.html")


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
    if entrance := ENTRANCES.get(path):
        return page_of(_TEMPLATE, entrance=entrance, path=own_address(path), token=token)
    return None
