"""Errors of own pages as HTML, where the client accepts that."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

from markupsafe import Markup

from winnow.proxy.http.proxy_errors import AddressRefusedError, ProxyError, TransformError
from winnow.proxy.own import router
from winnow.proxy.own.handlers.extract_api import as_answer
from winnow.proxy.own.handlers.page_parameters import NO_ADDRESS
from winnow.proxy.own.router import OwnRequest, OwnResponse, shown
from winnow.proxy.own.templates.address_forms import entrance_page
from winnow.proxy.own.templates.base_page import HtmlPage, own_page, sentences
from winnow.proxy.own.templates.elements import hidden
from winnow.proxy.own.translation import _, own_words


def for_people(view: router.OwnPage) -> router.OwnPage:
    """The page with its errors shown in HTML where the client accepts that."""

    async def answered(request: OwnRequest) -> OwnResponse:
        try:
            return await view(request)
        except TransformError as error:
            return error_response(as_answer(error), request)
        except ProxyError as error:
            return error_response(error, request)

    return answered


def error_response(error: ProxyError, request: OwnRequest) -> OwnResponse:
    """An error as a page or a problem document; if the address is missing, a form for it."""
    if "text/html" not in request.head.headers.joined("accept"):
        return router.as_problem(error)
    if error.reason == NO_ADDRESS and (entrance := entrance_page(request.path, request.token)):
        return shown(entrance)
    form = _fetch_form(request) if isinstance(error, AddressRefusedError) else Markup("")
    return shown(error_page(error, request.query.get("url", ""), form))


def _fetch_form(request: OwnRequest) -> Markup:
    """Asks for confirmation where another site may have caused the request."""
    query = parse_qsl(urlsplit(request.head.target).query)
    fields = [hidden({name: value}) for name, value in query if name != "token"]
    fields.append(hidden({"token": request.token}))
    return Markup(
        '<p>{}</p><form method="get" action="{}">{}<p><button>{}</button></p></form>'
    ).format(
        _("This address is in your own network. Open it only if no other site sent you here:"),
        request.path,
        Markup("").join(fields),
        _("Open it"),
    )


def error_page(error: ProxyError, url: str, form: Markup) -> HtmlPage:
    """The error with a link to the original page, if any, and ``form``."""
    link = (
        Markup('<p><a href="{}" rel="noreferrer">{}</a></p>').format(
            url, _("Open {address} directly").format(address=url)
        )
        if url.startswith(("http://", "https://"))
        else Markup("")
    )
    main = (
        sentences(own_words(error.sentence))
        + link
        + form
        + Markup('<p class="quiet">{}</p>').format(error.reason)
    )
    return own_page(_("Something went wrong"), main, status=error.status)
