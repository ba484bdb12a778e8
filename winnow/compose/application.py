"""The request dispatcher and all behind it, made from the settings and joined."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

from winnow.compose.backend import Backend
from winnow.compose.balancers import claim_of
from winnow.compose.policies import (
    CurrentPolicy,
    ListeningPlace,
    administrators,
    annotators,
    gate_of,
    interception_of,
)
from winnow.compose.run_state import RunState, run_policy
from winnow.compose.shares import join_bus
from winnow.config.source_precedence import Loaded
from winnow.proxy.access.image_signatures import ImageSignatures
from winnow.proxy.access.request_rate import RequestRate
from winnow.proxy.app.app import App
from winnow.proxy.app.own_requests import OwnRequests
from winnow.proxy.decisions.policy import NO_BARS
from winnow.proxy.forwarding.forwarder import Forwarder
from winnow.proxy.forwarding.interceptor import Interceptor
from winnow.proxy.own.language_choices import LanguageChoices
from winnow.proxy.own.lazy_pages import LazyOwnPages
from winnow.proxy.own.router import OwnPages
from winnow.proxy.own.templates.bar import PageBars
from winnow.proxy.own.templates.notice_line import page_notice
from winnow.proxy.own.view_choices import AppearanceChoices
from winnow.proxy.server.client_limits import ClientBounds, TunnelLimits
from winnow.proxy.tls.interception_policy import InterceptionPolicy
from winnow.proxy.tls.pinning import PinningDetector


@dataclass(frozen=True)
class AppFactory:
    """Makes the request dispatcher and everything behind it."""

    loaded: Loaded
    state: RunState
    backend: Backend
    place: ListeningPlace

    def app(self) -> App:
        """Raises ConfigError if the settings do not fit each other."""
        settings, state = self.loaded.settings, self.state
        gate = gate_of(settings)
        for check in (administrators, annotators):
            check(settings)  # the own pages ask later, where it would be too late to refuse
        pinning = PinningDetector(state.choices, settings.interception.learn)
        join_bus(state.shared.bus, "gate", gate)
        state.observability.activity.switch(enabled=settings.server.activity)
        appearance = AppearanceChoices(state.library, settings.appearance)
        current = CurrentPolicy(run_policy(settings, state), self.backend.ads, self.place)
        return App(
            current,
            OwnRequests(
                LazyOwnPages(partial(self._own_pages, current, pinning, appearance)),
                self._forwarder(appearance),
                state.shared.tokens,
                paired=lambda: state.library.now.extensions,
                theme=appearance.theme,
            ),
            self.backend.client.connector,
            Interceptor(state.ca, self._interception, pinning, self.backend.client, self._tunnels),
            gate,
            state.observability.observe,
            state.handover,
            ClientBounds(tunnel=self._tunnels, http2=settings.server.http2),
            claim_of(settings),
            RequestRate(settings.access.requests_per_minute),
            LanguageChoices(state.library),
        )

    @cached_property
    def _interception(self) -> InterceptionPolicy:
        return interception_of(self.loaded.settings)

    @cached_property
    def _tunnels(self) -> TunnelLimits:
        return TunnelLimits(idle=self.loaded.settings.server.tunnel_idle)

    def _forwarder(self, appearance: AppearanceChoices) -> Forwarder:
        extraction = self.loaded.settings.extraction
        bars = PageBars(appearance.of, annotates=bool(self.loaded.settings.annotation.folder))
        return Forwarder(
            self.backend.sender,
            self.backend.transform,
            bars if extraction.bar else NO_BARS,
            looks=appearance,
            voices=appearance.reads_aloud,
            tunnels=self._tunnels,
            images=ImageSignatures(self.state.shared.tokens),
            notices=page_notice if extraction.notice else None,
        )

    def _own_pages(
        self, current: CurrentPolicy, pinning: PinningDetector, appearance: AppearanceChoices
    ) -> OwnPages:
        """The own pages, whose modules are a fifth of what a start would import."""
        from winnow.compose.own_page_routes import OwnPageRoutes  # noqa: PLC0415 - at first use

        return OwnPageRoutes(
            self.loaded,
            self.state,
            self.backend,
            self.place,
            current,
            pinning,
            appearance,
            self._interception,
        ).pages()
