"""Error pages: a refusal, a server that does not respond. Pure."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from winnow.proxy.http.proxy_errors import ProxyError
from winnow.proxy.own.checked_values import web_address
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.templates.base_page import HtmlPage, page_of
from winnow.proxy.own.translation import LANGUAGE, N_, Language, _

_ERROR: Final = page_template(__package__, "error.html")
_TITLES = {
    "origin-unreachable": N_("The server cannot be reached"),
    "origin-timeout": N_("The server took too long to respond"),
    "origin-closed": N_("The server closed the connection"),
    "origin-failed": N_("The server closed the connection"),
    "origin-malformed": N_("The server sent an invalid response"),
    "address-refused": N_("This address is private"),
    "port-refused": N_("This port is blocked"),
    "bad-address": N_("Invalid address"),
    "loop": N_("Proxy loop"),
    "password": N_("Sign in to Winnow"),
    "too-many-failures": N_("Too many wrong passwords"),
    "too-many-requests": N_("Too many requests"),
    "ad-list": N_("This address is blocked as an advertisement"),
    "gateway-off": N_("The gateway is switched off"),
    "not-found": N_("Page not found"),
    "no-browser": N_("No browser is installed"),
    "no-sandbox": N_("The browser’s sandbox cannot start"),
    "render-failed": N_("The page could not be rendered"),
}
"""Titles by the token of Winnow-Reason."""
_STATUSES = frozenset(HTTPStatus)
_PROXY_STATUS = {
    "origin-unreachable": "destination_unavailable",
    "origin-timeout": "http_response_timeout",
    "origin-closed": "connection_terminated",
    "origin-failed": "connection_terminated",
    "origin-malformed": "http_protocol_error",
    "origin-certificate": "tls_certificate_error",
    "address-refused": "destination_ip_prohibited",
    "port-refused": "http_request_denied",
    "loop": "proxy_loop_detected",
}
"""RFC 9209, section 2.3, by the same token."""


def problem_page(status: int, reason: str, message: str, *, is_ours: bool = False) -> HtmlPage:
    """One error: ``reason`` is the token of Winnow-Reason. ``is_ours``: at an address of ours."""
    title = _(_TITLES[reason]) if reason in _TITLES else _phrase(status)
    page = page_of(
        _ERROR,
        status=status,
        title=title,
        message=message,
        original=None,
        reason=reason,
        bare=not is_ours,
    )
    return page.with_headers(proxy_status(reason))


def own_error_page(error: ProxyError, url: str) -> HtmlPage:
    """An error of an own page, with a link to the original page, if any."""
    return page_of(
        _ERROR,
        status=error.status,
        title=_("Something went wrong"),
        message=error.sentence,
        original=web_address(url),
        reason=error.reason,
    )


def proxy_status(reason: str) -> dict[str, str]:
    """The Proxy-Status field (RFC 9209)."""
    error = _PROXY_STATUS.get(reason)
    return {"Proxy-Status": f"winnow; error={error}"} if error else {}


def _phrase(status: int) -> str:
    if LANGUAGE.get() is Language.ENGLISH and status in _STATUSES:
        return HTTPStatus(status).phrase
    return _("Error {status}").format(status=status)
