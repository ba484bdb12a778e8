"""``/-/options``: all that can be done with one page, as links and forms without script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import quote, urlencode

from markupsafe import Markup

from winnow.jobs.results import MethodParameter
from winnow.jobs.small_gateway import SMALL_PATH
from winnow.proxy.own.templates.base_page import HtmlPage, listed, own_page, sentences
from winnow.proxy.own.templates.choice_forms import (
    ChoiceAction,
    ChoiceLinks,
    ChoiceRequest,
    fields_of,
)
from winnow.proxy.own.templates.elements import USUAL, hidden, select, slider
from winnow.proxy.own.templates.navigation import CRUNCH
from winnow.proxy.own.templates.parameter_fields import parameter_fields
from winnow.proxy.own.templates.rule_form import EDIT
from winnow.proxy.own.translation import _

OPTIONS_PATH: Final = "/-/options"


def options_page(
    page: str,
    methods: Sequence[str],
    parameters: Sequence[MethodParameter],
    token: str,
    method: str = "",
) -> HtmlPage:
    """``parameters``: those of the methods, of which ``method`` shows its own alone. ``token``
    lets the client open the page by our own pages, private ones too."""
    links = ChoiceLinks(gateway=True)
    fields = {"url": page, "token": token}
    parts = (
        Markup('<p dir="ltr">{}</p>\n<p><a href="{}">{}</a></p>').format(
            page, page, _("Back to the page")
        ),
        _section("show", _("Show"), _shown(page, links, fields)),
        _section("save", _("Save"), _saved(fields)),
        _section("on", _("On this site"), _site(page, links)),
        Markup('<h2 id="method">{}</h2>\n{}\n{}').format(
            _("Method"), _method(fields, methods, parameters, method), _level(page)
        ),
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
        _link(_own("/-/save", fields), _("Read later, in saved pages with its images")),
        _link(_own("/-/book", fields), _("As an EPUB book, for e-readers")),
        _link(_own("/-/read", {**fields, "format": "markdown"}), _("As Markdown")),
        _link(_own("/-/read", {**fields, "format": "text"}), _("As plain text")),
        _link(_own("/-/print", fields), _("Print")),
        _link(_own("/-/feed", fields), _("The site’s feed, with whole articles")),
    )


def _site(page: str, links: ChoiceLinks) -> tuple[Markup, ...]:
    named = (
        (ChoiceAction.ALWAYS, _("Always extract articles")),
        (ChoiceAction.NEVER, _("Never change pages")),
        (ChoiceAction.FORGET, _("Forget what you chose")),
    )
    asked = tuple(_link(links.confirm(ChoiceRequest(action, page)), text) for action, text in named)
    rule = _link(_own(EDIT, {"url": page}), _("A rule for this site, tried on this page"))
    return (*asked, rule, _link(_own(CRUNCH, {"site": page}), _("Page filters")))


def _method(
    page: dict[str, str], methods: Sequence[str], parameters: Sequence[MethodParameter], method: str
) -> Markup:
    """The form of a method with its parameters; its first button shows those of another."""
    chosen = method if method in methods else ""
    fields = {**fields_of(ChoiceRequest(ChoiceAction.EXTRACTOR, page["url"])), **page}
    own = [each for each in parameters if each.method == chosen] if chosen else parameters
    return Markup(
        '<form method="get" action="/-/choose">{}{} '
        '<button formaction="{}#method">{}</button>{} <button class="first">{}</button></form>'
    ).format(
        hidden(fields),
        select(
            "value", _("Method for this site"), {name: name for name in methods}, chosen or "auto"
        ),
        OPTIONS_PATH,
        _("Show its parameters"),
        _own_fields(own) if chosen else parameter_fields(own),
        _("Choose"),
    )


def _own_fields(parameters: Sequence[MethodParameter]) -> Markup:
    """The fields of one method, open."""
    if not parameters:
        return sentences(_("This method has no parameters."))
    return parameter_fields(parameters, is_open=True)


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
