"""Answers in place of the proxy: every request goes to one site, and its pages can be read."""

from __future__ import annotations

from dataclasses import dataclass, replace

from aiohttp import web

from winnow.config.errors import ConfigError
from winnow.feature import Context
from winnow.features.origin.origin_sender import OriginSender, forwarded
from winnow.features.origin.settings import OriginSettings
from winnow.features.origin.site_links import SiteBar, SiteNotice
from winnow.features.origin.site_views import (
    ORIGINAL,
    chosen,
    health_path,
    preferred,
    site_view,
)
from winnow.proxy.access.admission import check_rate, identify
from winnow.proxy.access.credentials.same_origin import host_name
from winnow.proxy.access.own_addresses import NO_FACES
from winnow.proxy.access.private_addresses import public_only
from winnow.proxy.app.app import App
from winnow.proxy.app.error_responses import send_brief
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.request.routing import ForwardRoute, OwnPageRoute, answered_here
from winnow.proxy.forwarding.forwarder import Forwarder
from winnow.proxy.http.messages import Sender
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.request_target import Origin, origin_target, parse_authority, parse_url
from winnow.proxy.server.requests.exchange import Exchange


def front(context: Context) -> SiteFront:
    """Raises ConfigError where the settings name no site."""
    settings = context.settings.of(OriginSettings)
    try:
        origin = parse_url(settings.url).origin
    except ClientFaultError as error:
        raise ConfigError(f"origin.url: {error}") from error
    prefix = settings.own_prefix
    forward = Forwarder(
        context.sender, context.transform, SiteBar(prefix), notices=SiteNotice(prefix)
    )
    names = frozenset(settings.names or (origin.host,))
    return SiteFront(context.sender, forward, origin, names, prefix)


@dataclass(frozen=True)
class SiteFront:
    """A Front. ``names``: those of the site that readers use; ``prefix`` stands before views."""

    sender: Sender
    forward: Forwarder
    origin: Origin
    names: frozenset[str]
    prefix: str

    async def __call__(self, exchange: Exchange, app: App) -> web.StreamResponse:
        head, policy = exchange.head, app.policy()
        if own := health_path(head.target, self.prefix):
            return await app.own(exchange, OwnPageRoute(own), policy, public_only)
        public = self.public(exchange, policy)
        without = replace(head, headers=head.headers.without(("authorization",)))  # is the site's
        await identify(app.gate, without, (public.host,), NO_FACES)
        check_rate(app.rate, head)
        if route := answered_here(head, policy):
            return await send_brief(exchange, route)
        view = site_view(head.target, self.prefix)
        if view.name == ORIGINAL:
            return await exchange.send(303, chosen(public, view.path), b"")
        sender = OriginSender(self.sender, self.origin, forwarded(head, public))
        forward = replace(self.forward, client=sender)
        target = ForwardRoute(origin_target(public, view.path))
        return await forward(exchange, target, policy, preferred(head, view, policy))

    def public(self, exchange: Exchange, policy: Policy) -> Origin:
        """The site as the reader names it. Raises ClientFaultError for any other name."""
        host = exchange.head.headers.get("host")
        if exchange.head.is_straight and (
            host_name(host) in self.names or host.lower() in policy.own_names
        ):
            return parse_authority(host, "https" if exchange.secure else "http")
        raise ClientFaultError("This server answers for one site alone.", 421, "misdirected")
