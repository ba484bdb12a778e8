"""Which page a refused private address is answered by."""

from __future__ import annotations

import pytest

from winnow.proxy.access.private_addresses import private_address_error
from winnow.proxy.access.requester import REQUESTER, Requester, RequestHead
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.proxy_errors import PortRefusedError, ProxyError
from winnow.proxy.own.handlers.html_errors import error_response
from winnow.proxy.own.router import OwnRequest

PATH = "/-/why?url=http://router/"


def shown_for(error: ProxyError, *, is_sent: bool) -> str:
    """The page for a request that another site's page sent, or the client itself."""
    head = RequestHead("GET", PATH, Headers((("Accept", "text/html"),)))
    request = OwnRequest(head, "/-/why", {"url": "http://router/"}, "http://127.0.0.1:8080/")
    before = REQUESTER.set(Requester(is_sent=is_sent))
    try:
        return error_response(error, request).body.decode()
    finally:
        REQUESTER.reset(before)


def test_who_may_have_been_sent_is_asked() -> None:
    page = shown_for(private_address_error("router"), is_sent=True)
    assert "Open it" in page
    assert 'href="http://router' not in page, "the late button is the only way"


@pytest.mark.parametrize("is_sent", [True, False])
def test_what_cannot_be_opened_is_not_offered(is_sent: bool) -> None:
    """A port that is closed to all, an address that the client itself may not reach."""
    error = PortRefusedError("closed") if is_sent else private_address_error("router")
    page = shown_for(error, is_sent=is_sent)
    assert "<form" not in page
    assert ("This port is blocked" if is_sent else "This address is private") in page
    assert "Open without Winnow" not in page
