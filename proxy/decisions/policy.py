"""The policy that decisions are made from, and the protocols of what renders pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from winnow.document.values import (
    NO_KNOWLEDGE,
    Page,
    Recipe,
    Rendered,
    SiteKnowledge,
    Treatments,
)
from winnow.proxy.access.own_addresses import NO_FACES, OwnFaces
from winnow.proxy.access.private_addresses import ClientPermit, is_public_host, public_only
from winnow.proxy.access.private_requests import is_of_a_browser
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.http.content_coding import DecodingBounds
from winnow.proxy.http.messages import Permit, anywhere
from winnow.proxy.http.request_target import Origin, parse_url
from winnow.proxy.stores.site_choice import Choice


@dataclass(frozen=True, slots=True)
class SiteRule(Choice):
    """What is in force for one site."""

    knowledge: SiteKnowledge = NO_KNOWLEDGE
    """What was learned from pages of the site."""
    treatments: Treatments = ()
    """What the owner chose by purpose, on all sites; goes before the policy's."""
    fixed: bool = False
    """Whether a preset holds that neither the reader nor a request can undo."""


NO_RULE = SiteRule()
RuleFor = Callable[[Origin, str], SiteRule]
"""The rule for an origin that holds for an owner (``RequestHead.owner``)."""


def no_rule(_origin: Origin, _owner: str) -> SiteRule:
    """The RuleFor of no rules."""
    return NO_RULE


def no_names(_owner: str) -> frozenset[str]:
    """No name that may lead to private addresses."""
    return frozenset()


def spare_all(_host: str) -> str:
    """Intercepts no host's TLS."""
    return "not-intercepted"


def reach_all(_client: str) -> Permit:
    """Every client may reach every address."""
    return anywhere


def usual_view(_owner: str, _url: str) -> RequestMode:
    """Nobody chose the view of a page by a link."""
    return RequestMode.AUTO


def lists_nothing(_url: str, _page: str, _kind: str) -> bool:
    """No list of advertisements refuses requests."""
    return False


def none_paused(_owner: str) -> bool:
    """Nobody paused the proxy."""
    return False


@dataclass(frozen=True)
class Policy:
    """What ``route`` and ``verdict`` decide from besides the heads.

    ``own_names`` are authorities (``host:port`` or ``host``) at which the proxy itself answers.
    ``largest_body`` counts bytes as they come, ``bounds`` those of the decoded body.
    """

    name: str = "winnow"
    own_names: frozenset[str] = frozenset({"winnow.internal"})
    page_names: tuple[str, ...] = ()
    faces: OwnFaces = NO_FACES
    """Further host names under which our own pages may be opened."""
    recipe: Recipe = field(default_factory=Recipe)
    treatments: Treatments = ()
    """How pages are treated by their purpose, unless the request is explicit."""
    bounds: DecodingBounds = field(default_factory=DecodingBounds)
    largest_body: int = 16 * 1024 * 1024
    gather_seconds: float = 30
    gateway: bool = True
    devices: tuple[str, ...] = ()
    """The old machines (device_profiles.OLD_MACHINES) that get small pages alone."""
    spares_programs: bool = True
    """Whether programs that crawl, download or build get the original by proxy."""
    spares: Callable[[str], str] = spare_all
    """Why a host's TLS is not intercepted, as a reason token; "" where it is."""
    permit_for: Callable[[str], Permit] = reach_all
    """Which addresses a client, named by its own, may reach."""
    private_names: Callable[[str], frozenset[str]] = no_names
    """The names that may lead to private addresses for an owner (``ClientPermit.names``)."""
    rule_for: RuleFor = no_rule
    view_of: Callable[[str, str], RequestMode] = usual_view
    """How an owner chose, by a link of ours, to see this address."""
    is_paused: Callable[[str], bool] = none_paused
    """Whether an owner paused the proxy: all pages are sent unchanged."""

    traced_hosts: frozenset[str] = frozenset()
    """Hosts that are sent what a client says about the trace of its request."""
    lists: Callable[[str, str, str], bool] = lists_nothing
    """Whether requests for an address are refused as advertisements': the address, the host of the
    page that requests it ("" where unknown), and Adblock's name for the kind of request."""

    def permit_of(self, request: RequestHead) -> Permit:
        """Which addresses a request may reach.

        A client that was redirected on its way to a public address gets no further, whatever the
        name that it sends resolves to here.
        """
        meant = request.redirected
        if meant and meant.is_literal and is_public_host(meant.host):
            return public_only
        permit = self.permit_for(request.client)
        if permit is not anywhere:
            return permit
        return ClientPermit(self.private_names(request.owner), is_of_a_browser(request.headers))

    def rule_at(self, url: str, owner: str) -> SiteRule:
        """The rule for a page's address. Raises ClientFaultError for what is none."""
        return self.rule_for(parse_url(url).origin, owner)


class Transform(Protocol):
    """Renders a page. Raises TransformError; the proxy then sends the original."""

    async def __call__(self, page: Page, recipe: Recipe) -> Rendered: ...

    async def fingerprint(self, recipe: Recipe) -> str:
        """Changes whenever the same page would be shown differently."""
        ...

    async def aclose(self) -> None:
        """Release resources, those of the transforms behind it too."""


class BarLook(StrEnum):
    """``reader``: a page of ours, whose text and colours its reader chooses. ``linked``: the same
    with its style in a file. ``unstyled``: the page keeps its own policy, which allows no style
    attributes."""

    READER = "reader"
    LINKED = "linked"
    STYLED = "styled"
    UNSTYLED = "unstyled"
    BASIC = "basic"


class BarRenderer(Protocol):
    """Renders the bar of a transformed page."""

    def variant(self, request: RequestHead) -> str:
        """What the bar depends on besides the page: of the request, and of the time."""
        ...

    def __call__(
        self, request: RequestHead, url: str, rendered: Rendered, prefix: str, *, look: BarLook
    ) -> bytes:
        """The bar's markup; ``prefix`` stands before every address in the gateway, else empty."""
        ...


class NoBar:
    """Renders no bar."""

    def variant(self, request: RequestHead) -> str:
        return ""

    def __call__(
        self, request: RequestHead, url: str, rendered: Rendered, prefix: str, *, look: BarLook
    ) -> bytes:
        return b""


NO_BARS = NoBar()


class NoticeRenderer(Protocol):
    """Makes the line in an original page that says why it is one."""

    def __call__(
        self, request: RequestHead, url: str, reason: str, prefix: str, *, styled: bool
    ) -> bytes:
        """Markup in ASCII; ``prefix`` as for the bar, ``styled``: it may have style attributes."""
        ...


class ImageSigner(Protocol):
    """Signs the addresses of images that a basic page shows from our own origin."""

    def variant(self, owner: str) -> str:
        """Changes whenever the signatures of ``owner`` do."""
        ...

    def __call__(self, body: bytes, owner: str) -> bytes:
        """The page with its images signed for ``owner`` (RequestHead.owner)."""
        ...


AppearanceStyle = Callable[[RequestHead, str], bytes]
"""Makes the style that a reader chose for reader pages: an element, or nothing. The text is the
prefix of links in the gateway, else empty."""


VoiceChoice = Callable[[RequestHead, str], bool]
"""Whether a reader chose pages for reading aloud; the text is as above."""


def as_usual(_request: RequestHead, _prefix: str) -> bytes:
    """The AppearanceStyle without a style."""
    return b""


def never_aloud(_request: RequestHead, _prefix: str) -> bool:
    """The VoiceChoice of nobody."""
    return False
