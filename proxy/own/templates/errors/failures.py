"""What went wrong in a plain sentence, and what its reader can do about it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from winnow.document.addresses import host_of
from winnow.proxy.access.private_addresses import is_public_host
from winnow.proxy.http.proxy_errors import OriginCertificateError, OriginFaultError, ProxyError
from winnow.proxy.http.reasons import Reason
from winnow.proxy.own.checked_values import Address, own_address, web_address
from winnow.proxy.own.templates.in_page.choice_links import ChoiceLinks
from winnow.proxy.own.templates.navigation import RENDER, SAVED_PAGES, is_gone
from winnow.proxy.own.translation import N_, _, says

_ARCHIVE: Final = "https://web.archive.org/web/"
_SAID: Final[Mapping[str, str]] = {
    "dns_error": N_("There is no server named {host}. Is the address spelt right?"),
    "dns_timeout": N_("The name {host} could not be looked up: the network may be down."),
    "connection_refused": N_("{host} accepts no connections at this address: it may be down."),
    "destination_ip_unroutable": N_("No way leads to {host}: the network may be down."),
    "connection_timeout": N_("{host} did not answer in time: it may be busy or down."),
    "tls_alert_received": N_("{host} and Winnow found no way to connect securely."),
    "tls_protocol_error": N_("{host} and Winnow found no way to connect securely."),
    "origin-unreachable": N_("{host} cannot be reached now."),
    "origin-timeout": N_("{host} did not answer in time: it may be busy or down."),
    "connection_terminated": N_("{host} ended the connection before the page was there."),
    "origin-closed": N_("{host} ended the connection before the page was there."),
    "origin-malformed": N_("{host} sent an answer that is not valid."),
    "script-shell": N_("The text of this page is written by scripts, and here no scripts run."),
}
"""By the type of RFC 9209, section 2.3, or the token of Winnow-Reason."""
_OF_THE_PAGE: Final = frozenset(
    "deadline busy starting too-complex too-large too-slow no-article few-words little-kept "
    "low-confidence not-for-reading not-html not-markup empty coding cut-short script-shell "
    "no-browser no-sandbox render-failed status".split()
)
"""Reasons for which Winnow cannot show a page that a browser may show."""
_PASSING: Final = frozenset({"deadline", "busy", "starting", "too-slow", "render-failed", "status"})


@dataclass(frozen=True, slots=True)
class FailedRequest:
    """What was asked for, where its error is shown.

    ``page``: the address of the site's page, "" for none. ``again``: the same request, as an
    address. ``base``: the origin of our own pages, "" where the error stands there itself.
    ``straight``: a browser that opens ``page`` does not come here: no proxy is set in it.
    """

    page: str = ""
    again: Address | None = None
    base: str = ""
    straight: bool = False

    @classmethod
    def of_page(cls, url: str, target: str, prefix: str) -> FailedRequest:
        """A page's own request by proxy, or by the gateway at ``prefix``."""
        links = ChoiceLinks.of(url, prefix)
        if links.gateway:
            return cls(url, web_address(f"{links.base}{target}"), straight=True)
        return cls(url, web_address(url), links.base)

    @property
    def host(self) -> str:
        return host_of(self.page)


NOTHING_FAILED: Final = FailedRequest()


@dataclass(frozen=True, slots=True)
class Remedy:
    """A button; ``apart``: it leads to a site, which is not told whence."""

    target: Address
    text: str
    apart: bool = False


def plain_sentence(error: ProxyError, host: str) -> str:
    """What happened, without the words of systems and protocols."""
    kind = error.proxy_status if isinstance(error, OriginFaultError) else ""
    said = _SAID.get(kind) or _SAID.get(error.reason)
    return says(said, host=host) if said and host else error.sentence


def remedies(error: ProxyError, failed: FailedRequest) -> Iterator[Remedy]:
    """What may help. Nothing leads past a refusal, by the guard, by access rules or of a
    certificate: its reason is in none of the tables above."""
    is_of_origin = _is_of_origin(error)
    if failed.again and (is_of_origin or error.reason in _PASSING):
        yield Remedy(failed.again, _("Try again"))
    page = web_address(failed.page)
    if page and error.reason == Reason.SCRIPT_SHELL and not is_gone(RENDER):
        asked = own_address(f"{RENDER}?{urlencode({'url': page})}")
        yield Remedy(asked, _("Run them in Winnow’s browser"))
    if page and (is_of_origin or error.reason in _OF_THE_PAGE):
        if failed.straight:
            yield Remedy(page, _("Open without Winnow"), apart=True)
        elif not is_of_origin:
            yield Remedy(page, _("Open the page itself"), apart=True)
        copy = ChoiceLinks(failed.base).own(SAVED_PAGES, failed.page)
        if not is_gone(copy):
            yield Remedy(web_address(copy) or own_address(copy), _("Look for a saved copy"))


def archived(error: ProxyError, failed: FailedRequest) -> Address | None:
    """Where the web archive has a public page that its own server does not send."""
    is_there = _is_of_origin(error) and is_public_host(failed.host)
    return web_address(f"{_ARCHIVE}{failed.page}") if is_there else None


def _is_of_origin(error: ProxyError) -> bool:
    """Whether the origin did not send the page; a certificate that is refused is our refusal."""
    return isinstance(error, OriginFaultError) and not isinstance(error, OriginCertificateError)
