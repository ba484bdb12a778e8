"""Error pages: a refusal, a server that does not respond. Pure."""

from __future__ import annotations

from http import HTTPStatus

from markupsafe import Markup

from winnow.proxy.own.templates.base_page import (
    HtmlPage,
    bare_page,
    own_page,
    sentences,
)

_TITLES = {
    "origin-unreachable": "The server cannot be reached",
    "origin-timeout": "The server took too long to respond",
    "origin-closed": "The server closed the connection",
    "origin-failed": "The server closed the connection",
    "origin-malformed": "The server sent an invalid response",
    "address-refused": "This address is private",
    "port-refused": "This port is blocked",
    "bad-address": "Invalid address",
    "loop": "Proxy loop",
    "password": "Sign in to Winnow",
    "too-many-failures": "Too many wrong passwords",
    "too-many-requests": "Too many requests",
    "gateway-off": "The gateway is switched off",
    "not-found": "Page not found",
    "no-browser": "No browser is installed",
    "no-sandbox": "The browser's sandbox cannot start",
    "render-failed": "The page could not be rendered",
}
"""Titles by the token of Winnow-Reason."""
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
    main = sentences(message) + Markup('\n<p class="quiet">Winnow: {}</p>').format(reason)
    title = _TITLES.get(reason) or _phrase(status)
    page = (own_page if is_ours else bare_page)(title, main, status=status)
    return page.with_headers(proxy_status(reason))


def proxy_status(reason: str) -> dict[str, str]:
    """The Proxy-Status field (RFC 9209)."""
    error = _PROXY_STATUS.get(reason)
    return {"Proxy-Status": f"winnow; error={error}"} if error else {}


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return f"Error {status}"
