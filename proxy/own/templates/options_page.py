"""``/-/options``: all that can be done with one page, as links and forms without script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import quote, urlencode

from markupsafe import Markup

from winnow.jobs.small_gateway import SMALL_PATH
from winnow.proxy.own.templates.base_page import HtmlPage, listed, own_page
from winnow.proxy.own.templates.choice_forms import (
    ChoiceAction,
    ChoiceLinks,
    ChoiceRequest,
    fields_of,
)
from winnow.proxy.own.templates.elements import USUAL, hidden, select, slider

OPTIONS_PATH: Final = "/-/options"


def options_page(page: str, methods: Sequence[str], token: str) -> HtmlPage:
    """``token`` lets the client open the page by our own pages, private ones too."""
    links = ChoiceLinks(gateway=True)
    fields = {"url": page, "token": token}
    parts = (
        Markup('<p>{}</p>\n<p><a href="{}">Back to the page</a></p>').format(page, page),
        _section("Show", _shown(page, links, fields)),
        _section("Save", _saved(fields)),
        _section("On this site", _site(page, links)),
        Markup("{}\n{}").format(_method(page, methods), _level(page)),
        _section("Winnow", _winnow(page, links)),
    )
    return own_page("Options for this page", Markup("\n").join(parts))


def _section(title: str, links: tuple[Markup, ...]) -> Markup:
    name = title.split(maxsplit=1)[0].lower()
    return Markup('<h2 id="{}">{}</h2>\n{}').format(name, title, listed(links))


def _link(target: str, text: str) -> Markup:
    return Markup('<a href="{}">{}</a>').format(target, text)


def _own(path: str, fields: dict[str, str]) -> str:
    return f"{path}?{urlencode(fields)}"


def _shown(page: str, links: ChoiceLinks, fields: dict[str, str]) -> tuple[Markup, ...]:
    return (
        _link(links.original(page), "The original"),
        _link(links.why(page), "Why something was removed"),
        _link(_own("/-/compare", fields), "Other methods, compared"),
        _link(SMALL_PATH + quote(page, safe="/:?#[]@!$&'()*+,;=%~"), "In small parts"),
        _link(_own("/-/read", {**fields, "profile": "voice"}), "For reading aloud"),
    )


def _saved(fields: dict[str, str]) -> tuple[Markup, ...]:
    return (
        _link(_own("/-/book", fields), "As an EPUB book, for e-readers"),
        _link(_own("/-/read", {**fields, "format": "markdown"}), "As Markdown"),
        _link(_own("/-/read", {**fields, "format": "text"}), "As plain text"),
        _link(_own("/-/feed", fields), "The site's feed, with whole articles"),
    )


def _site(page: str, links: ChoiceLinks) -> tuple[Markup, ...]:
    named = (
        (ChoiceAction.ALWAYS, "Always extract articles"),
        (ChoiceAction.NEVER, "Never change pages"),
        (ChoiceAction.FORGET, "Forget what you chose"),
    )
    return tuple(_link(links.confirm(ChoiceRequest(action, page)), text) for action, text in named)


def _method(page: str, methods: Sequence[str]) -> Markup:
    fields = fields_of(ChoiceRequest(ChoiceAction.EXTRACTOR, page))
    choices = {name: name for name in methods}
    return Markup(
        '<form method="get" action="/-/choose">{}{} <button>Choose</button></form>'
    ).format(hidden(fields), select("value", "Method for this site", choices, "auto"))


def _level(page: str) -> Markup:
    fields = fields_of(ChoiceRequest(ChoiceAction.LEVEL, page))
    words = ("How much to keep on this site, from little to all", "Choose")
    return Markup("<p>{}</p>").format(slider("/-/choose", fields, USUAL, words, post=False))


def _winnow(page: str, links: ChoiceLinks) -> tuple[Markup, ...]:
    return (
        _link(links.looks(page), "Text size, font and colours"),
        _link(links.activity(), "Activity"),
        _link(links.settings(), "Settings"),
    )
