"""Errors of own pages as HTML, where the client accepts that."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

from markupsafe import Markup

from winnow.proxy.access.requester import REQUESTER
from winnow.proxy.http.proxy_errors import PrivateAddressError, ProxyError, TransformError
from winnow.proxy.own import router
from winnow.proxy.own.handlers.extract_api import as_answer
from winnow.proxy.own.handlers.page_parameters import NO_ADDRESS
from winnow.proxy.own.router import OwnRequest, OwnResponse, shown
from winnow.proxy.own.templates.address_forms import entrance_page
from winnow.proxy.own.templates.base_page import HtmlPage, own_page, sentences
from winnow.proxy.own.templates.private_address_page import FetchRequest, begun_page, question_page
from winnow.proxy.own.translation import _, own_words


def for_people(view: router.OwnPage) -> router.OwnPage:
    """The page with its errors shown in HTML where the client accepts that."""

    async def answered(request: OwnRequest) -> OwnResponse:
        wanted = _wanted(request)
        if wanted.begins:
            return shown(begun_page(wanted))
        try:
            return await view(request)
        except TransformError as error:
            return error_response(as_answer(error), request)
        except ProxyError as error:
            return error_response(error, request)

    return answered


def error_response(error: ProxyError, request: OwnRequest) -> OwnResponse:
    """An error as a page or a problem document; if the address is missing, a form for it.

    A question, where another site may have led the client to a private address.
    """
    if "text/html" not in request.head.headers.joined("accept"):
        return router.as_problem(error)
    if error.reason == NO_ADDRESS and (entrance := entrance_page(request.path, request.token)):
        return shown(entrance)
    if isinstance(error, PrivateAddressError) and REQUESTER.get().is_sent:
        return shown(question_page(_wanted(request), error.host, request.token))
    return shown(error_page(error, request.query.get("url", "")))


def _wanted(request: OwnRequest) -> FetchRequest:
    """What the request's address asks for; ``request.query`` says which parameters count."""
    fields = parse_qsl(urlsplit(request.head.target).query)
    return FetchRequest(request.path, tuple(each for each in fields if each[0] in request.query))


def error_page(error: ProxyError, url: str) -> HtmlPage:
    """The error with a link to the original page, if any."""
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
        + Markup('<p class="quiet">{}</p>').format(error.reason)
    )
    return own_page(_("Something went wrong"), main, status=error.status)
