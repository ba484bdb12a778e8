"""Serves set-up, settings and choices: asked in, shown out; joins pure pages with what is kept.

Knows which page answers where; refuses to know markup and files.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from cachetools import TTLCache

from winnow.document.values import Rendered
from winnow.jobs.small_gateway import OWN_NAME
from winnow.proxy.access.ip_addresses import is_local
from winnow.proxy.access.request_head import RequestHead
from winnow.proxy.access.same_origin import host_name, is_same_origin
from winnow.proxy.access.tokens import FormTokens
from winnow.proxy.http.origins import parse_url
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.router import OwnPage, OwnRequest, OwnResponse, only, read_query
from winnow.proxy.own.templates.bar import BarView, make_bar
from winnow.proxy.own.templates.base_page import HtmlPage
from winnow.proxy.own.templates.certificates import Certificates
from winnow.proxy.own.templates.choice_forms import (
    ChoiceAction,
    ChoiceError,
    ChoiceLinks,
    ChoiceRequest,
    at_level,
    is_from_page,
    read_choice,
    read_confirmed,
)
from winnow.proxy.own.templates.confirmation import confirmation_page, stale_page
from winnow.proxy.own.templates.languages import Language, choose_language
from winnow.proxy.own.templates.pac_file import ListeningAddress, proxy_pac
from winnow.proxy.own.templates.settings_page import (
    SettingsChange,
    SettingsRequest,
    SettingsView,
    read_request,
    settings_page,
)
from winnow.proxy.own.templates.setup_page import SetupView, check_page, setup_page
from winnow.proxy.stores.choice_store import ChoiceStore
from winnow.proxy.stores.choices import EVERYBODY, NO_CHOICE
from winnow.proxy.stores.notify import Notify, notify_nobody
from winnow.proxy.tls.interception_policy import InterceptionPolicy
from winnow.proxy.tls.lazy_authority import LazyAuthority
from winnow.proxy.tls.tls_errors import AuthorityError

_MAX_FORM = 16 * 1024
ORIGINAL_SECONDS = 600.0


def _now() -> datetime:
    return datetime.now(UTC)


async def nobody_checks(_client: str) -> None:
    """No TLS is opened: nothing was refused."""


def _on_this_computer(head: RequestHead) -> bool:
    return is_local(head.client)


class RequestedOriginals:
    """Which page an owner (RequestHead.owner) wants to see as it came, for a while."""

    def __init__(self) -> None:
        self._pages: TTLCache[tuple[str, str], bool] = TTLCache(4096, ORIGINAL_SECONDS)
        self.notify: Notify = notify_nobody
        """Awaited with owner and page, so that other processes know of it too (``on_notify``)."""

    async def ask(self, owner: str, page: str) -> None:
        self._pages[owner, page] = True
        await self.notify([owner, page])

    def on_notify(self, message: Sequence[str]) -> None:
        """Another process of ours received a request for an original."""
        owner, page = message
        self._pages[owner, page] = True

    def shows(self, owner: str, page: str) -> bool:
        return bool(self._pages) and (owner, page) in self._pages


@dataclass(frozen=True)
class SettingsController:
    """The pages by which a person steers the proxy. ``listener`` tells where it listens."""

    store: ChoiceStore
    keys: LazyAuthority
    policy: InterceptionPolicy
    extractors: frozenset[str]
    listener: Callable[[], ListeningAddress]
    tokens: FormTokens = field(default_factory=FormTokens)
    originals: RequestedOriginals = field(default_factory=RequestedOriginals)
    checked: Callable[[str], Awaitable[None]] = nobody_checks
    """Notify of the address of each client whose certificate check was green."""
    now: Callable[[], datetime] = _now
    administers: Callable[[RequestHead], bool] = _on_this_computer
    """Whether a request is of who may choose for everybody."""

    def pages(self) -> Mapping[str, OwnPage]:
        """Paths and who answers there."""
        return {
            "/-/setup": self.setup,
            "/-/check": self.check,
            "/-/proxy.pac": self.pac,
            "/-/ca.crt": self.certificate,
            "/-/choose": self.choose,
            "/-/original": self.original,
            "/-/settings": self.settings,
        }

    async def setup(self, request: OwnRequest) -> OwnResponse:
        """``/-/setup``: what to do on each system."""
        only(request, "GET", "HEAD")
        authority = await self.keys.authority()
        listener = self._reached(request)
        view = SetupView(
            listener,
            self.policy,
            authority.name,
            authority.fingerprint,
            came_by(request),
            await self.keys.replaced(),
        )
        return shown(setup_page(view))

    async def check(self, request: OwnRequest) -> OwnResponse:
        """``/-/check``: only a browser behind Winnow gets here by our own name."""
        only(request, "GET", "HEAD")
        scheme = came_by(request)
        if not scheme:
            raise ClientFaultError("This page is only available through the proxy.", 404)
        if scheme == "https":
            await self.checked(request.head.client)
        return shown(check_page(scheme))

    async def pac(self, request: OwnRequest) -> OwnResponse:
        """``/-/proxy.pac``."""
        only(request, "GET", "HEAD")
        text = proxy_pac(self._reached(request), self.policy)
        return OwnResponse(text.encode(), "application/x-ns-proxy-autoconfig")

    async def certificate(self, request: OwnRequest) -> OwnResponse:
        """``/-/ca.crt``: the authority's certificate as PEM."""
        only(request, "GET", "HEAD")
        authority = await self.keys.authority()
        saved = ("Content-Disposition", 'attachment; filename="winnow-ca.crt"')
        return OwnResponse(authority.pem, "application/x-x509-ca-cert", fields=(saved,))

    async def choose(self, request: OwnRequest) -> OwnResponse:
        """``/-/choose``: asks by GET; by POST of its own form remembers, and leads to the page."""
        only(request, "GET", "HEAD", "POST")
        _refuse_strangers(request)
        try:
            if request.head.method != "POST":
                return self._confirmation(request, read_choice(request.query, self.extractors))
            return await self._confirmed(request)
        except ChoiceError:
            return shown(stale_page(_language(request)))

    async def original(self, request: OwnRequest) -> OwnResponse:
        """``/-/original``: shows a page as its site sends it, for a while.

        Acts at once for a link on that site's own pages, and asks whoever comes from elsewhere.
        """
        only(request, "GET", "HEAD")
        _refuse_strangers(request)
        fields = {"action": ChoiceAction.ORIGINAL.value, "page": request.query.get("page", "")}
        try:
            choice = read_choice(fields, self.extractors)
        except ChoiceError:
            return shown(stale_page(_language(request)))
        if came_by(request) and is_from_page(request.head, choice.page):
            return await self._apply(request, choice)
        return self._confirmation(request, choice)

    def _confirmation(self, request: OwnRequest, choice: ChoiceRequest) -> OwnResponse:
        language, owner = _language(request), request.head.owner
        return shown(confirmation_page(choice, language, self.tokens, self.now(), owner))

    async def _confirmed(self, request: OwnRequest) -> OwnResponse:
        if not _is_same_origin(request):
            raise ClientFaultError("This form was sent by another site.", 403, "cross-site")
        fields, owner = await _form(request), request.head.owner
        choice = read_confirmed(fields, self.extractors, self.tokens, self.now(), owner)
        return await self._apply(request, choice)

    async def _apply(self, request: OwnRequest, choice: ChoiceRequest) -> OwnResponse:
        """Do what was confirmed, and lead to the page."""
        owner = request.head.owner
        if choice.action is not ChoiceAction.ORIGINAL:
            chosen = self.store.now.of(owner).choices.get(choice.site, NO_CHOICE)
            await self.store.choose(owner, choice.site, choice.applied(chosen))
        elif not came_by(request):
            return see_other(ChoiceLinks(gateway=True).original(choice.page))
        else:
            await self.originals.ask(owner, choice.page)
        return self._back(request, choice.page)

    async def settings(self, request: OwnRequest) -> OwnResponse:
        """``/-/settings``: what is remembered, and how to undo it."""
        _refuse_strangers(request)
        if request.head.method == "POST":
            return await self._changed(request)
        only(request, "GET", "HEAD", "POST")
        certificates = await self._certificates()
        head = request.head
        view = SettingsView(self.store.now, head.owner, head.client, self.administers(head))
        return shown(settings_page(view, certificates, self.tokens, self.now()))

    async def _certificates(self) -> Certificates:
        try:
            authority = await self.keys.known()
        except AuthorityError as error:
            return Certificates(fault=str(error))
        if authority is None:
            return Certificates()
        until = authority.certificate.not_valid_after_utc
        return Certificates(authority.name, authority.fingerprint, until, self.keys.leaves)

    async def _changed(self, request: OwnRequest) -> OwnResponse:
        if not _is_same_origin(request):
            raise ClientFaultError("This form was sent by another site.", 403, "cross-site")
        try:
            fields, owner = await _form(request), request.head.owner
            form = read_request(fields, self.tokens, self.now(), owner)
        except ChoiceError:
            return shown(stale_page(_language(request)))
        administers = self.administers(request.head)
        if form.is_for_everybody and not administers:
            message = "Only an administrator (access.admins) can change this for everybody."
            raise ClientFaultError(message, 403, "admin")
        refusals = self.store.now.refusals_of(None if administers else request.head.client)
        try:
            await self._do(form, owner, refusals)
        except ChoiceError:
            return shown(stale_page(_language(request)))
        return see_other("/-/settings")

    async def _do(self, form: SettingsRequest, user: str, refusals: frozenset[str]) -> None:
        """``refusals``: the keys of those that this user may clear."""
        owner = EVERYBODY if form.common else user
        match form.change:
            case SettingsChange.PAUSE:
                await self.store.pause(owner, form.pauses_until(self.now()))
            case SettingsChange.RESUME:
                await self.store.pause(owner, None)
            case SettingsChange.REOPEN:
                await self.store.unlearn(self.store.now.refused_at(form.value) & refusals)
            case SettingsChange.REOPEN_ALL:
                await self.store.unlearn(refusals)
            case SettingsChange.LEAVES:
                await self.keys.forget_leaves()
            case _:
                await self._choose(form, owner, user)

    async def _choose(self, form: SettingsRequest, owner: str, user: str) -> None:
        """The changes of choices for sites."""
        chosen = self.store.now.of(owner).choices
        match form.change:
            case SettingsChange.FORGET:
                await self.store.choose(owner, form.value, NO_CHOICE)
            case SettingsChange.FORGET_ALL:
                for site in tuple(chosen):
                    await self.store.choose(owner, site, NO_CHOICE)
            case SettingsChange.LEVEL:
                at = at_level(chosen.get(form.site, NO_CHOICE), int(form.value))
                await self.store.choose(owner, form.site, at)
            case SettingsChange.SHARE:
                await self._share(user, form.value)

    async def _share(self, user: str, site: str) -> None:
        """Make a user's own choice everybody's."""
        choice = self.store.now.of(user).choices.get(site)
        if choice is None:
            raise ChoiceError("Nothing is chosen for that site.")
        await self.store.choose(EVERYBODY, site, choice)
        await self.store.choose(user, site, NO_CHOICE)

    def _back(self, request: OwnRequest, page: str) -> OwnResponse:
        """Raises ClientFaultError for a page that is no address."""
        url = parse_url(page).url
        return see_other(url if came_by(request) else f"/{url}")

    def _reached(self, request: OwnRequest) -> ListeningAddress:
        """Where this client reaches the listener: by the name that it used, if it came straight."""
        listener = self.listener()
        host = request.head.headers.get("host")
        if came_by(request) or not host:
            return listener
        return ListeningAddress(host_name(host), listener.port, listener.tls)


@dataclass(frozen=True)
class PageBars:
    """The bar of each transformed page, with links to the pages of the controller."""

    controller: SettingsController

    def variant(self, request: RequestHead) -> str:
        return choose_language(request.headers.joined("accept-language"))

    def __call__(self, request: RequestHead, url: str, rendered: Rendered, prefix: str) -> bytes:
        language = choose_language(request.headers.joined("accept-language"))
        others = tuple(sorted(self.controller.extractors - {rendered.extractor}))
        page = BarView(url, rendered.words_kept, rendered.words_total, rendered.extractor, others)
        base = prefix.rstrip("/") or f"{url.partition(':')[0]}://{OWN_NAME}"
        return make_bar(page, language, ChoiceLinks(base, gateway=bool(prefix))).markup


def came_by(request: OwnRequest) -> str:
    """The scheme by which a request came through the proxy; "" if it came straight to us."""
    if request.head.inside:
        return request.head.inside.scheme
    return "" if request.head.target.startswith("/") else "http"


def shown(sheet: HtmlPage) -> OwnResponse:
    """A page of ``winnow.proxy.own.templates`` as the door sends it."""
    fields = tuple(sheet.headers.items())
    return OwnResponse(sheet.body, sheet.headers["Content-Type"], sheet.status, fields)


def see_other(location: str) -> OwnResponse:
    """Leads on by GET (RFC 9110, section 15.4.4)."""
    return OwnResponse(b"", "text/plain; charset=utf-8", 303, (("Location", location),))


def _language(request: OwnRequest) -> Language:
    return choose_language(request.head.headers.joined("accept-language"))


async def _form(request: OwnRequest) -> Mapping[str, str]:
    """The fields of a posted form."""
    body = await request.body(_MAX_FORM)
    return read_query(body.decode("utf-8", "replace"))


def _is_same_origin(request: OwnRequest) -> bool:
    """Whether no page of another origin sent the form: an Origin of ``null`` is one."""
    return is_same_origin(dict(request.head.headers), request.base.partition(":")[0])


def _refuse_strangers(request: OwnRequest) -> None:
    """Raises ClientFaultError for who asks under a name that is not ours (DNS rebinding)."""
    if not request.head.client:
        raise ClientFaultError("Open this page under the name of this proxy.", 421, "misdirected")
