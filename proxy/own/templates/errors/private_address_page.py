"""Asks whether an address in the reader's own network is to be opened, and says what follows. Pure.

Another site may have sent the reader there, so that their devices answer in their name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from winnow.proxy.http.proxy_errors import ClientFaultError, PrivateAddressError
from winnow.proxy.http.request_target import completed
from winnow.proxy.own.checked_values import own_address, web_address
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.templates.base_page import HtmlPage, page_of
from winnow.proxy.own.templates.errors.error_pages import proxy_status

_QUESTION: Final = page_template(__package__, "private_address.html")
_BEGUN: Final = page_template(__package__, "download_begun.html")

BEGIN: Final = "begin"
"""The parameter with which a file's address answers by a page that has it downloaded.

It counts only in requests that no other site can have caused (``app/own_requests.py``).
"""
_FILES: Final = frozenset({"/-/book"})
"""Own pages that answer by a file, which leaves the page in the tab as it is."""


@dataclass(frozen=True, slots=True)
class FetchRequest:
    """A request for an own page that fetches; ``fields``: the parameters of its address."""

    path: str
    fields: tuple[tuple[str, str], ...]

    @property
    def page(self) -> str:
        """The address that is named first, "" for none that is valid."""
        named = next((value for name, value in self.fields if name == "url"), "")
        try:
            return completed(named)
        except ClientFaultError:
            return ""

    @property
    def begins(self) -> bool:
        """Whether ``begun_page`` is to be shown first."""
        return self.path in _FILES and any(name == BEGIN for name, _value in self.fields)

    def without(self, *names: str) -> FetchRequest:
        """The request without the parameters of these names."""
        rest = tuple(field for field in self.fields if field[0] not in names)
        return FetchRequest(self.path, rest)


def question_page(request: FetchRequest, host: str, token: str) -> HtmlPage:
    """Whether ``host`` is to be asked, with a form for the same request with ``token``.

    Its button is late, so that a site that leads here cannot have it hit by a click of its own.
    """
    again = (("token", token), *((BEGIN, "1") for _file in _FILES & {request.path}))
    sent = (*request.without("token", BEGIN).fields, *again)
    page = page_of(
        _QUESTION,
        status=PrivateAddressError.status,
        host=host,
        path=own_address(request.path),
        fields=sent,
        reason=PrivateAddressError.reason,
    )
    return page.with_headers(proxy_status(PrivateAddressError.reason))


def begun_page(request: FetchRequest) -> HtmlPage:
    """Says that a download has begun, and begins it (``Refresh``: no script is needed)."""
    file = request.without(BEGIN)
    target = f"{file.path}?{urlencode(file.fields)}"
    page = page_of(_BEGUN, page=web_address(file.page), target=own_address(target))
    return page.with_headers({"Refresh": f"0; url={target}"})
