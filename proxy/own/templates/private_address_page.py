"""Asks whether an address in the reader's own network is to be opened, and says what follows. Pure.

Another site may have sent the reader there, so that their devices answer in their name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from markupsafe import Markup

from winnow.proxy.http.proxy_errors import ClientFaultError, PrivateAddressError
from winnow.proxy.http.request_target import completed
from winnow.proxy.own.templates.base_page import HtmlPage, own_page
from winnow.proxy.own.templates.elements import hidden
from winnow.proxy.own.templates.error_pages import proxy_status
from winnow.proxy.own.translation import _

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
    inputs = Markup("").join(hidden({name: value}) for name, value in sent)
    main = Markup(
        '<p>{}</p>\n<form method="get" action="{}">{}<p><button class="first late">'
        '<span>{}</span></button></p></form>\n{}<p class="quiet">{}</p>'
    ).format(
        _(
            "{host} is in your own network. Another site may have sent you here, to have one of "
            "your devices answer. Open it only if you meant to."
        ).format(host=host),
        *(request.path, inputs, _("Open it")),
        _outside(request.page, _("Open {address} directly").format(address=request.page)),
        PrivateAddressError.reason,
    )
    status = PrivateAddressError.status
    page = own_page(_("Open an address in your own network?"), main, status=status)
    return page.with_headers(proxy_status(PrivateAddressError.reason))


def begun_page(request: FetchRequest) -> HtmlPage:
    """Says that a download has begun, and begins it (``Refresh``: no script is needed)."""
    file = request.without(BEGIN)
    target = f"{file.path}?{urlencode(file.fields)}"
    main = Markup('{}<p><a href="{}">{}</a></p>').format(
        _outside(file.page, _("Back to the page")), target, _("Download it again")
    )
    page = own_page(_("Your download has begun"), main)
    return page.with_headers({"Refresh": f"0; url={target}"})


def _outside(url: str, text: str) -> Markup:
    """A link to a page of a site, which is not told of ours; none where there is no address."""
    if not url:
        return Markup("")
    return Markup('<p><a href="{}" rel="noreferrer">{}</a></p>\n').format(url, text)
