"""What the gateway shows of a page that its scripts write, and the form that has them run. Pure."""

from __future__ import annotations

from http import HTTPStatus
from urllib.parse import quote

from markupsafe import Markup

from winnow.proxy.own.templates.base_page import HtmlPage, bare_page, own_page
from winnow.proxy.own.translation import N_, _

RENDER_PATH = "/-/render"
_COST = N_(
    "Winnow then opens the page in a browser of its own, without your cookies, and shows the "
    "article. This takes some seconds."
)


def script_shell_page(url: str) -> HtmlPage:
    """Instead of a page without text, with the way to have its scripts run."""
    main = Markup(
        '<p>{}</p>\n<p><a class="first" href="{}?url={}">{}</a></p>\n<p><a href="{}">{}</a></p>'
    ).format(
        _("The text of this page is written by scripts, and here no scripts run."),
        RENDER_PATH,
        quote(url, safe=""),
        _("Run them in Winnow’s browser"),
        url,
        _("Open the page itself"),
    )
    title = _("This page is written by scripts")
    return bare_page(title, main, status=HTTPStatus.UNPROCESSABLE_ENTITY)


def render_page(url: str, token: str) -> HtmlPage:
    """The form that has a page's scripts run; ``token`` proves that it is ours."""
    main = Markup(
        '<p>{}</p>\n<form action="/-/read" method="get">'
        '<p><label for="url">{}</label><br><input id="url" name="url" inputmode="url" '
        'autocomplete="url" size="50" value="{}" required></p>'
        '<input type="hidden" name="render" value="always">'
        '<p><input type="hidden" name="token" value="{}"><button class="first">{}</button></p>'
        "</form>"
    ).format(_(_COST), _("Address"), url, token, _("Run scripts and read"))
    return own_page(_("Read a page that scripts write"), main)
