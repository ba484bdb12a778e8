"""Forms that choose what is done with pages: by their kind, and on one site. Pure, no script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from markupsafe import Markup

from winnow.document.values import Purpose
from winnow.proxy.own.templates.elements import hidden, row
from winnow.proxy.stores.choices import SiteChoiceMode, purpose_key

KINDS: Final[Mapping[Purpose, str]] = MappingProxyType(
    {
        Purpose.ARTICLE: "Articles and other texts",
        Purpose.DOCUMENTATION: "Manuals and references",
        Purpose.THREAD: "Discussions",
        Purpose.QUESTION: "Questions with answers",
        Purpose.RECIPE: "Recipes",
        Purpose.PRODUCT: "Things for sale",
        Purpose.INDEX: "Front pages, lists, search results",
        Purpose.FORM: "Log-in, payment and other forms",
        Purpose.APPLICATION: "Maps, editors, mail, players",
        Purpose.ERROR: "Errors and checks for robots",
    }
)
KINDS_ABOUT: Final = (
    "“Extract” shows the text as a reader page, “tidy” keeps the page's own design and removes "
    "clutter, “original” changes nothing.",
    "A choice for a site goes before these.",
)
TREATMENT_OF: Final[Mapping[SiteChoiceMode, str]] = MappingProxyType(
    {
        SiteChoiceMode.ALWAYS: "extract",
        SiteChoiceMode.TIDY: "tidy",
        SiteChoiceMode.NEVER: "original",
    }
)
_SHOWN: Final = {"extract": "Extract", "tidy": "Tidy", "original": "Original"}
_BY_KIND: Final = "By kind of page"
_BY_MODE: Final = {mode.value: _SHOWN[name] for mode, name in TREATMENT_OF.items()}


def purpose_rows(
    target: str,
    fields: Mapping[str, str],
    defaults: Mapping[str, str],
    chosen: Mapping[str, SiteChoiceMode],
) -> Iterator[Markup]:
    """A row with a form for each kind. ``defaults``: what is done without a choice, by kind."""
    for kind, name in KINDS.items():
        usual = _SHOWN[defaults.get(kind.value, "extract")]
        sent = {**fields, "site": purpose_key(kind.value)}
        options = {"": f"Default ({usual.lower()})", **_BY_MODE}
        yield row(name, _form(target, sent, _list(name, options, chosen.get(kind.value))))


def site_treatment(
    target: str, fields: Mapping[str, str], site: str, mode: SiteChoiceMode | None
) -> Markup:
    """The form for a site."""
    options = {"": _BY_KIND, **_BY_MODE}
    return _form(target, {**fields, "site": site}, _list(f"Pages of {site}", options, mode))


def site_form(target: str, fields: Mapping[str, str]) -> Markup:
    """The form for a site that its field names."""
    named = Markup(
        '<label>Site <input name="site" value="" required size="24" placeholder="example.com">'
        "</label> {}"
    )
    return _form(target, fields, named.format(_list("Pages of this site", _BY_MODE, None)))


def _form(target: str, fields: Mapping[str, str], content: Markup) -> Markup:
    sent = {name: value for name, value in fields.items() if name != "value"}
    return Markup('<form method="post" action="{}">{}{} <button>Apply</button></form>').format(
        target, hidden(sent), content
    )


def _list(label: str, options: Mapping[str, str], chosen: SiteChoiceMode | None) -> Markup:
    listed = Markup("").join(
        Markup('<option value="{}"{}>{}</option>').format(
            value, Markup(" selected") if value == (chosen or "") else "", text
        )
        for value, text in options.items()
    )
    return Markup('<select name="value" aria-label="{}">{}</select>').format(label, listed)
