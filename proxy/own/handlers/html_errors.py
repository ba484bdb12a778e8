"""Errors of own pages as HTML, where the client accepts that."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlencode

from winnow.proxy.access.requester import REQUESTER
from winnow.proxy.http.proxy_errors import PrivateAddressError, ProxyError
from winnow.proxy.http.request_target import BAD_ADDRESS
from winnow.proxy.own import router
from winnow.proxy.own.checked_values import own_address
from winnow.proxy.own.handlers.page_parameters import NO_ADDRESS
from winnow.proxy.own.problem_details import words_page_of
from winnow.proxy.own.router import OwnRequest, OwnResponse, see_other, shown
from winnow.proxy.own.templates.errors.address_forms import entrance_page
from winnow.proxy.own.templates.errors.error_pages import error_page
from winnow.proxy.own.templates.errors.failures import FailedRequest
from winnow.proxy.own.templates.errors.private_address_page import (
    FetchRequest,
    begun_page,
    question_page,
)
from winnow.proxy.own.templates.in_page.choice_links import private_question


def for_people(view: router.OwnPage) -> router.OwnPage:
    """The page with its errors shown in HTML where the client accepts that."""

    async def answered(request: OwnRequest) -> OwnResponse:
        wanted = _wanted(request)
        if wanted.begins:
            return shown(begun_page(wanted))
        try:
            return await view(request)
        except ProxyError as error:
            router.warn_of(error)
            return error_response(error, request)

    return answered


def people_pages(views: Mapping[str, router.OwnPage]) -> dict[str, router.OwnPage]:
    """Several such pages, by path."""
    return {path: for_people(view) for path, view in views.items()}


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
    if isinstance(error, PrivateAddressError) and error.asks and (page := _wanted(request).page):
        return see_other(private_question(page, request.base))
    typed = request.query.get("url", "")
    if typed and error.reason == BAD_ADDRESS and not _wanted(request).page:
        fields, body = words_page_of(request.head, request.path, typed, request.token)
        return OwnResponse(body, status=error.status, fields=tuple(fields))
    return shown(error_page(error, _failed(request)))


def _failed(request: OwnRequest) -> FailedRequest:
    """What an own page was asked for, at an address that asks for it again."""
    wanted, head = _wanted(request), request.head
    address = own_address(f"{wanted.path}?{urlencode(wanted.fields)}")
    again = address if head.method in ("GET", "HEAD") else None
    return FailedRequest(wanted.page, again, straight=head.is_straight)


def _wanted(request: OwnRequest) -> FetchRequest:
    """What the request's address asks for; ``request.query`` says which parameters count."""
    fields = parse_qsl(request.head.target.partition("?")[2].partition("#")[0])
    return FetchRequest(request.path, tuple(each for each in fields if each[0] in request.query))
