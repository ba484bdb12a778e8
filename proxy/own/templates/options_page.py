"""``/-/options``: all that can be done with one page, as links and forms without script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import quote, urlencode

from markupsafe import Markup

from winnow.jobs.results import MethodParameter
from winnow.jobs.small_gateway import SMALL_PATH
from winnow.proxy.own.templates.base_page import HtmlPage, listed, own_page
from winnow.proxy.own.templates.choice_forms import (
    ChoiceAction,
    ChoiceLinks,
    ChoiceRequest,
    fields_of,
)
from winnow.proxy.own.templates.elements import USUAL, hidden, select, slider
from winnow.proxy.own.templates.navigation import CRUNCH
from winnow.proxy.own.templates.parameter_fields import parameter_fields
from winnow.proxy.own.translation import _

OPTIONS_PATH: Final = "/-/options"


def options_page(
    page: str, methods: Sequence[str], parameters: Sequence[MethodParameter], token: str
) -> HtmlPage:
    """``parameters``: those of the methods. ``token`` lets the client open the page by our own
    pages, private ones too."""
    links = ChoiceLinks(gateway=True)
    fields = {"url": page, "token": token}
    parts = (
        Markup('<p dir="ltr">{}</p>\n<p><a href="{}">{}</a></p>').format(
            page, page, _("Back to the page")
        ),
        _section("show", _("Show"), _shown(page, links, fields)),
        _section("save", _("Save"), _saved(fields)),
        _section("on", _("On this site"), _site(page, links)),
        Markup("{}\n{}").format(_method(page, methods, parameters), _level(page)),
        _section("winnow", "Winnow", _winnow(page, links)),
    )
    return own_page(_("Options for this page"), Markup("\n").join(parts))


def _section(name: str, title: str, links: tuple[Markup, ...]) -> Markup:
    return Markup('<h2 id="{}">{}</h2>\n{}').format(name, title, listed(links))


def _link(target: str, text: str) -> Markup:
    return Markup('<a href="{}">{}</a>').format(target, text)


def _own(path: str, fields: dict[str, str]) -> str:
    return f"{path}?{urlencode(fields)}"


def _shown(page: str, links: ChoiceLinks, fields: dict[str, str]) -> tuple[Markup, ...]:
    return (
        _link(links.original(page), _("The original")),
        _link(links.why(page), _("Why something was removed")),
        _link(_own("/-/compare", fields), _("Other methods, compared")),
        _link(SMALL_PATH + quote(page, safe="/:?#[]@!$&'()*+,;=%~"), _("In small parts")),
        _link(_own("/-/listen", fields), _("Listen")),
        _link(_own("/-/read", {**fields, "profile": "voice"}), _("For reading aloud")),
    )


def _saved(fields: dict[str, str]) -> tuple[Markup, ...]:
    return (
        _link(_own("/-/save", fields), _("In saved pages, with its images")),
        _link(_own("/-/book", fields), _("As an EPUB book, for e-readers")),
        _link(_own("/-/read", {**fields, "format": "markdown"}), _("As Markdown")),
        _link(_own("/-/read", {**fields, "format": "text"}), _("As plain text")),
        _link(_own("/-/feed", fields), _("The site's feed, with whole articles")),
    )


def _site(page: str, links: ChoiceLinks) -> tuple[Markup, ...]:
    named = (
        (ChoiceAction.ALWAYS, _("Always extract articles")),
        (ChoiceAction.NEVER, _("Never change pages")),
        (ChoiceAction.FORGET, _("Forget what you chose")),
    )
    asked = tuple(_link(links.confirm(ChoiceRequest(action, page)), text) for action, text in named)
    return (*asked, _link(_own(CRUNCH, {"site": page}), _("Page filters")))


def _method(page: str, methods: Sequence[str], parameters: Sequence[MethodParameter]) -> Markup:
    fields = fields_of(ChoiceRequest(ChoiceAction.EXTRACTOR, page))
    choices = {name: name for name in methods}
    return Markup('<form method="get" action="/-/choose">{}{}{} <button>{}</button></form>').format(
        hidden(fields),
        select("value", _("Method for this site"), choices, "auto"),
        parameter_fields(parameters),
        _("Choose"),
    )


def _level(page: str) -> Markup:
    fields = fields_of(ChoiceRequest(ChoiceAction.LEVEL, page))
    words = (_("How much to keep on this site, from little to all"), _("Choose"))
    return Markup("<p>{}</p>").format(slider("/-/choose", fields, USUAL, words, post=False))


def _winnow(page: str, links: ChoiceLinks) -> tuple[Markup, ...]:
    return (
        _link(links.looks(page), _("Text size, font and colours")),
        _link(links.activity(), _("Activity")),
        _link(links.settings(), _("Settings")),
    )
