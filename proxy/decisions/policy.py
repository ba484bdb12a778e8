"""What the proxy decides from: a request's head and the policy; refuses to decide anything."""

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
from winnow.proxy.access.request_head import RequestHead
from winnow.proxy.decisions.preferences import RequestMode
from winnow.proxy.http.content_coding import DecodingBounds
from winnow.proxy.http.messages import Permit, anywhere
from winnow.proxy.http.origins import Origin, parse_url


class SiteMode(StrEnum):
    """What a site's rule says."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class SiteRule:
    """A choice for one site; ``extractor`` and ``level`` replace the defaults where given."""

    rule: SiteMode = SiteMode.AUTO
    extractor: str = ""
    level: int | None = None
    transform_anyway: bool = False
    """Transform although the site says ``no-transform``: the user said so for this site."""
    keep: tuple[str, ...] = ()
    """Selectors of what is always kept, and always dropped, whatever the method says."""
    drop: tuple[str, ...] = ()
    pages: int | None = None
    """How many pages of an article are joined at most."""
    knowledge: SiteKnowledge = NO_KNOWLEDGE
    """What pages of the site taught."""


RuleFor = Callable[[Origin, str], SiteRule]
"""The rule for an origin that holds for an owner (``RequestHead.owner``)."""


def no_rule(_origin: Origin, _owner: str) -> SiteRule:
    """Of no site anything special is said."""
    return SiteRule()


def spare_all(_host: str) -> str:
    """Opens the TLS of no host."""
    return "not-intercepted"


def reach_all(_client: str) -> Permit:
    """Every client may reach every address."""
    return anywhere


def usual_view(_owner: str, _url: str) -> RequestMode:
    """Nobody chose the view of a page by a link."""
    return RequestMode.AUTO


def none_paused(_owner: str) -> bool:
    """Nobody wants all pages unchanged."""
    return False


@dataclass(frozen=True)
class Policy:
    """All that ``route`` and ``verdict`` need to know beside the heads.

    ``own_names`` are authorities (``host:port`` or ``host``) at which the proxy itself answers.
    ``largest_body`` counts bytes as they come, ``bounds`` those of the decoded body.
    """

    name: str = "winnow"
    own_names: frozenset[str] = frozenset({"winnow.internal"})
    page_names: tuple[str, ...] = ()
    """Further host names under which our own pages may be opened."""
    recipe: Recipe = field(default_factory=Recipe)
    treatments: Treatments = ()
    """What is done with pages that nobody asked for, by their purpose."""
    bounds: DecodingBounds = field(default_factory=DecodingBounds)
    largest_body: int = 16 * 1024 * 1024
    gather_seconds: float = 30
    gateway: bool = True
    spares: Callable[[str], str] = spare_all
    """Why a host's TLS is not opened, as a reason token; empty where it is."""
    permit_for: Callable[[str], Permit] = reach_all
    """Which addresses a client, named by its own, may reach."""
    rule_for: RuleFor = no_rule
    view_of: Callable[[str, str], RequestMode] = usual_view
    """How an owner chose, by a link of ours, to see this address."""
    is_paused: Callable[[str], bool] = none_paused
    """Whether an owner wants all pages unchanged now."""

    def rule_at(self, url: str, owner: str) -> SiteRule:
        """The rule for a page's address. Raises ClientFaultError for what is none."""
        return self.rule_for(parse_url(url).origin, owner)


class Transform(Protocol):
    """A page made readable. Raises TransformError; the proxy then sends the original."""

    async def __call__(self, page: Page, recipe: Recipe) -> Rendered: ...

    async def fingerprint(self, recipe: Recipe) -> str:
        """Changes whenever the same page would be shown differently."""
        ...

    async def aclose(self) -> None:
        """Release what it holds, and what the transforms behind it hold."""


class BarRenderer(Protocol):
    """Makes the bar that stands in a transformed page."""

    def variant(self, request: RequestHead) -> str:
        """What of the request, and of the time, decides over the bar besides the page."""
        ...

    def __call__(self, request: RequestHead, url: str, rendered: Rendered, prefix: str) -> bytes:
        """The bar's markup; ``prefix`` stands before every address in the gateway, else empty."""
        ...


class NoBar:
    """No page has a bar."""

    def variant(self, request: RequestHead) -> str:
        return ""

    def __call__(self, request: RequestHead, url: str, rendered: Rendered, prefix: str) -> bytes:
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


def as_usual(_request: RequestHead, _prefix: str) -> bytes:
    """All pages look alike."""
    return b""
