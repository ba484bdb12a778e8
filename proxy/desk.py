"""Serves set-up, settings and choices: asked in, shown out; joins pure pages with what is kept.

Knows which page answers where; refuses to know markup and files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import urlencode

from cachetools import TTLCache

from document.values import Rendered
from proxy.access.origins import OWN_NAME, host_name, is_same_origin
from proxy.access.tokens import Tokens
from proxy.errors import ClientFaultError
from proxy.own import Asked, OwnPage, Shown, only, read_query
from proxy.pages.bar import BarView
from proxy.pages.certificates import Certificates
from proxy.pages.choosing import ChoiceError, Links, at_level, read_original, read_wish
from proxy.pages.confirming import confirmation_page, stale_page
from proxy.pages.frame import Sheet
from proxy.pages.languages import Language, choose_language
from proxy.pages.moulds import Moulds
from proxy.pages.pac import Listener, proxy_pac
from proxy.pages.settings import Change, Request, read_request, settings_page
from proxy.pages.setup import SetupView, check_page, setup_page
from proxy.stores.choices import ChoiceStore
from proxy.stores.remembered import NO_CHOICE
from proxy.stores.telling import Told, nobody_told
from proxy.tls.errors import AuthorityError
from proxy.tls.keys import Keys
from proxy.tls.policy import Interception
from proxy.upstream.origins import parse_url
from proxy.values import RequestHead

_MAX_FORM = 16 * 1024
ORIGINAL_SECONDS = 600.0


def _now() -> datetime:
    return datetime.now(UTC)


class Originals:
    """Which page a client wants to see as it came, for a while: the bar's first link."""

    def __init__(self) -> None:
        self._asked: TTLCache[tuple[str, str], bool] = TTLCache(4096, ORIGINAL_SECONDS)
        self.told: Told = nobody_told
        """Awaited with client and page, so that other processes know of it too (``heard``)."""

    async def ask(self, client: str, page: str) -> None:
        self._asked[client, page] = True
        await self.told([client, page])

    def heard(self, asked: Sequence[str]) -> None:
        """A client asked another process of ours."""
        client, page = asked
        self._asked[client, page] = True

    def asked(self, client: str, page: str) -> bool:
        return (client, page) in self._asked


@dataclass(frozen=True)
class Desk:
    """The pages by which a person steers the proxy. ``listener`` tells where it listens."""

    store: ChoiceStore
    keys: Keys
    policy: Interception
    extractors: frozenset[str]
    listener: Callable[[], Listener]
    tokens: Tokens = field(default_factory=Tokens)
    originals: Originals = field(default_factory=Originals)
    now: Callable[[], datetime] = _now

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

    async def setup(self, asked: Asked) -> Shown:
        """``/-/setup``: what to do on each system."""
        only(asked, "GET", "HEAD")
        authority = await self.keys.authority()
        listener = self._reached(asked)
        view = SetupView(
            listener, self.policy, authority.name, authority.fingerprint, came_by(asked)
        )
        return shown(setup_page(view))

    async def check(self, asked: Asked) -> Shown:
        """``/-/check``: only a browser behind Winnow gets here by our own name."""
        only(asked, "GET", "HEAD")
        scheme = came_by(asked)
        if not scheme:
            raise ClientFaultError("This page is to be asked for through the proxy.", 404)
        return shown(check_page(scheme))

    async def pac(self, asked: Asked) -> Shown:
        """``/-/proxy.pac``."""
        only(asked, "GET", "HEAD")
        text = proxy_pac(self._reached(asked), self.policy)
        return Shown(text.encode(), "application/x-ns-proxy-autoconfig")

    async def certificate(self, asked: Asked) -> Shown:
        """``/-/ca.crt``: the authority's certificate as PEM."""
        only(asked, "GET", "HEAD")
        authority = await self.keys.authority()
        saved = ("Content-Disposition", 'attachment; filename="winnow-ca.crt"')
        return Shown(authority.pem, "application/x-x509-ca-cert", fields=(saved,))

    async def choose(self, asked: Asked) -> Shown:
        """``/-/choose``: asks by GET, remembers by POST and leads back to the page."""
        language = _language(asked)
        fields = await _fields(asked)
        try:
            wish = read_wish(fields, self.tokens, self.extractors, self.now())
        except ChoiceError:
            return shown(stale_page(language))
        if asked.head.method != "POST":
            return shown(confirmation_page(wish, language, Links(self.tokens, self.now())))
        back = self._back(asked, wish.page)
        chosen = self.store.now.choices.get(wish.site, NO_CHOICE)
        await self.store.choose(wish.site, wish.applied(chosen))
        return back

    async def original(self, asked: Asked) -> Shown:
        """``/-/original``: leads to the page, which is then shown as it came."""
        only(asked, "GET", "HEAD")
        try:
            page = read_original(asked.query, self.tokens, self.now())
        except ChoiceError:
            return shown(stale_page(_language(asked)))
        if not came_by(asked):
            return see_other(f"/-/read?{urlencode({'url': page, 'mode': 'original'})}")
        await self.originals.ask(asked.head.client, page)
        return see_other(page)

    async def settings(self, asked: Asked) -> Shown:
        """``/-/settings``: what is remembered, and how to undo it."""
        if not asked.head.client:
            raise ClientFaultError("Open the settings by the name of this proxy.", 421)
        if asked.head.method == "POST":
            return await self._changed(asked)
        only(asked, "GET", "HEAD", "POST")
        held = await self._certificates()
        return shown(settings_page(self.store.now, held, self.tokens, self.now()))

    async def _certificates(self) -> Certificates:
        try:
            known = await self.keys.known()
        except AuthorityError as error:
            return Certificates(fault=str(error))
        if known is None:
            return Certificates()
        until = known.certificate.not_valid_after_utc
        return Certificates(known.name, known.fingerprint, until, self.keys.leaves)

    async def _changed(self, asked: Asked) -> Shown:
        if not is_same_origin(dict(asked.head.headers), asked.base.partition(":")[0]):
            raise ClientFaultError("Another site sent this form.", 403, "cross-site")
        try:
            request = read_request(await _fields(asked), self.tokens, self.now())
            await self._do(request)
        except ChoiceError:
            return shown(stale_page(_language(asked)))
        return see_other("/-/settings")

    async def _do(self, request: Request) -> None:
        match request.change:
            case Change.PAUSE:
                await self.store.pause(request.pauses_until(self.now()))
            case Change.RESUME:
                await self.store.pause(None)
            case Change.FORGET:
                await self.store.choose(request.value, NO_CHOICE)
            case Change.LEVEL:
                chosen = self.store.now.choices.get(request.site, NO_CHOICE)
                await self.store.choose(request.site, at_level(chosen, int(request.value)))
            case Change.REOPEN:
                await self.store.unlearn(frozenset({request.value}))
            case Change.FORGET_ALL:
                for site in tuple(self.store.now.choices):
                    await self.store.choose(site, NO_CHOICE)
            case Change.LEAVES:
                await self.keys.forget_leaves()

    def _back(self, asked: Asked, page: str) -> Shown:
        """Raises ClientFaultError for a page that is no address."""
        url = parse_url(page).url
        return see_other(url if came_by(asked) else f"/{url}")

    def _reached(self, asked: Asked) -> Listener:
        """Where this client reaches the listener: by the name that it used, if it came straight."""
        listener = self.listener()
        host = asked.head.headers.get("host")
        if came_by(asked) or not host:
            return listener
        return Listener(host_name(host), listener.port, listener.tls)


@dataclass(frozen=True)
class DeskBars:
    """The bar of each transformed page, with links to the desk."""

    desk: Desk
    moulds: Moulds = field(default_factory=Moulds)

    def variant(self, request: RequestHead) -> str:
        language = choose_language(request.headers.joined("accept-language"))
        return f"{language}-{self.desk.tokens.epoch(self.desk.now())}"

    def __call__(self, request: RequestHead, url: str, rendered: Rendered, prefix: str) -> bytes:
        language = choose_language(request.headers.joined("accept-language"))
        others = tuple(sorted(self.desk.extractors - {rendered.extractor}))
        page = BarView(url, rendered.words_kept, rendered.words_total, rendered.extractor, others)
        base = prefix.rstrip("/") or f"{url.partition(':')[0]}://{OWN_NAME}"
        return self.moulds.bar(page, language, Links(self.desk.tokens, self.desk.now(), base))


def came_by(asked: Asked) -> str:
    """The scheme by which a request came through the proxy; "" if it came straight to us."""
    if asked.head.inside:
        return asked.head.inside.scheme
    return "" if asked.head.target.startswith("/") else "http"


def shown(sheet: Sheet) -> Shown:
    """A page of ``proxy.pages`` as the door sends it."""
    fields = tuple(sheet.headers.items())
    return Shown(sheet.body, sheet.headers["Content-Type"], sheet.status, fields)


def see_other(location: str) -> Shown:
    """Leads on by GET (RFC 9110, section 15.4.4)."""
    return Shown(b"", "text/plain; charset=utf-8", 303, (("Location", location),))


def _language(asked: Asked) -> Language:
    return choose_language(asked.head.headers.joined("accept-language"))


async def _fields(asked: Asked) -> Mapping[str, str]:
    """The fields of a posted form, or of the query."""
    only(asked, "GET", "HEAD", "POST")
    if asked.head.method != "POST":
        return asked.query
    body = await asked.body(_MAX_FORM)
    return read_query(body.decode("utf-8", "replace"))
