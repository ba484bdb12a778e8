"""Forms that choose what is done with pages: by their kind, and on one site. Pure, no script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from markupsafe import Markup

from winnow.document.values import Purpose
from winnow.proxy.own.templates.elements import hidden, row
from winnow.proxy.own.translation import N_, _
from winnow.proxy.stores.choices import SiteChoiceMode, purpose_key

KINDS: Final[Mapping[Purpose, str]] = MappingProxyType(
    {
        Purpose.ARTICLE: N_("Articles and other texts"),
        Purpose.DOCUMENTATION: N_("Manuals and references"),
        Purpose.THREAD: N_("Discussions"),
        Purpose.QUESTION: N_("Questions with answers"),
        Purpose.RECIPE: N_("Recipes"),
        Purpose.PRODUCT: N_("Things for sale"),
        Purpose.INDEX: N_("Front pages, lists, search results"),
        Purpose.FORM: N_("Log-in, payment and other forms"),
        Purpose.APPLICATION: N_("Maps, editors, mail, players"),
        Purpose.ERROR: N_("Errors and checks for robots"),
    }
)
KINDS_ABOUT: Final = (
    N_(
        "“Extract” shows the text as a reader page, “tidy” keeps the page’s own design and "
        "removes clutter, “original” changes nothing."
    ),
    N_("A choice for a site goes before these."),
)
TREATMENT_OF: Final[Mapping[SiteChoiceMode, str]] = MappingProxyType(
    {
        SiteChoiceMode.ALWAYS: "extract",
        SiteChoiceMode.TIDY: "tidy",
        SiteChoiceMode.NEVER: "original",
    }
)
_SHOWN: Final = {"extract": N_("Extract"), "tidy": N_("Tidy"), "original": N_("Original")}
_BY_KIND: Final = N_("By kind of page")


def _by_mode() -> dict[str, str]:
    return {mode.value: _(_SHOWN[name]) for mode, name in TREATMENT_OF.items()}


def purpose_rows(
    target: str,
    fields: Mapping[str, str],
    defaults: Mapping[str, str],
    chosen: Mapping[str, SiteChoiceMode],
) -> Iterator[Markup]:
    """A row with a form for each kind. ``defaults``: what is done without a choice, by kind."""
    for kind, name in KINDS.items():
        usual = _(_SHOWN[defaults.get(kind.value, "extract")])
        sent = {**fields, "site": purpose_key(kind.value)}
        options = {"": _("Default: {value}").format(value=usual), **_by_mode()}
        listed = _list(_(name), options, chosen.get(kind.value))
        yield row(_(name), _form(target, sent, listed))


def site_treatment(
    target: str, fields: Mapping[str, str], site: str, mode: SiteChoiceMode | None
) -> Markup:
    """The form for a site."""
    options = {"": _(_BY_KIND), **_by_mode()}
    return _form(
        target,
        {**fields, "site": site},
        _list(_("Pages of {site}").format(site=site), options, mode),
    )


def site_form(target: str, fields: Mapping[str, str]) -> Markup:
    """The form for a site that its field names."""
    named = Markup(
        '<label>{} <input name="site" value="" required size="24" placeholder="example.com">'
        "</label> {}"
    )
    return _form(
        target, fields, named.format(_("Site"), _list(_("Pages of this site"), _by_mode(), None))
    )


def _form(target: str, fields: Mapping[str, str], content: Markup) -> Markup:
    sent = {name: value for name, value in fields.items() if name != "value"}
    return Markup('<form method="post" action="{}">{}{} <button>{}</button></form>').format(
        target, hidden(sent), content, _("Apply")
    )


def _list(label: str, options: Mapping[str, str], chosen: SiteChoiceMode | None) -> Markup:
    listed = Markup("").join(
        Markup('<option value="{}"{}>{}</option>').format(
            value, Markup(" selected") if value == (chosen or "") else "", text
        )
        for value, text in options.items()
    )
    return Markup('<select name="value" aria-label="{}">{}</select>').format(label, listed)
