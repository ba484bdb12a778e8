"""The request dispatcher and all behind it, made from the settings and joined."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property, partial

from winnow.balancers import claim_of
from winnow.compose.backend import Backend
from winnow.compose.own_pages.features import (
    FeaturePages,
    front_of,
    observer_of,
    tasks_of,
    texts_of,
)
from winnow.compose.policies import (
    CurrentPolicy,
    administrators,
    annotators,
    gate_of,
    interception_of,
)
from winnow.compose.process.shares import join_bus, share_of
from winnow.compose.run_state import RunState, run_policy
from winnow.config.errors import ConfigError
from winnow.config.sources.source_precedence import Loaded
from winnow.feature import Context, Feature, faces_of, menus_of
from winnow.feature_list import features_of
from winnow.proxy.access.credentials.image_signatures import ImageSignatures
from winnow.proxy.access.memory_account import MemoryAccount
from winnow.proxy.access.request_rate import RequestRate
from winnow.proxy.app.app import App
from winnow.proxy.app.own_requests import OwnRequests
from winnow.proxy.decisions.policy import NO_BARS
from winnow.proxy.forwarding.forwarder import Forwarder
from winnow.proxy.forwarding.interceptor import Interceptor
from winnow.proxy.own.language_choices import LanguageChoices
from winnow.proxy.own.listening_place import ListeningPlace
from winnow.proxy.own.templates.in_page.bar import PageBars
from winnow.proxy.own.templates.in_page.notice_line import page_notice
from winnow.proxy.own.templates.in_page.page_sheet import linked
from winnow.proxy.own.view_choices import AppearanceChoices
from winnow.proxy.server.requests.client_limits import ClientBounds, TunnelLimits
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
        gate, features = gate_of(settings), self._features()
        for check in (administrators, annotators):
            check(settings)  # the own pages ask later, where it would be too late to refuse
        pinning = PinningDetector(state.choices, settings.interception.learn)
        join_bus(state.shared.bus, "gate", gate)
        state.observability.activity.switch(enabled=settings.server.activity)
        appearance = AppearanceChoices(state.library, settings.appearance)
        current = CurrentPolicy(
            replace(run_policy(settings, state), faces=faces_of(features)),
            self.backend.ads,
            self.place,
        )
        context = cache(partial(self._context, current, pinning, appearance))
        return App(
            current,
            OwnRequests(
                FeaturePages(features, context),
                self._forwarder(appearance),
                state.shared.tokens,
                paired=lambda: state.library.now.extensions,
                looks=partial(appearance.of, ours=True),
            ),
            self.backend.client.connector,
            Interceptor(state.ca, self._interception, pinning, self.backend.client, self._tunnels),
            gate,
            observer_of(features, context, state.observability.observe),
            RequestRate(settings.access.requests_per_minute),
            LanguageChoices(state.library),
            replace(menus_of(features), texts=texts_of(features), search=settings.gateway.search),
            tasks_of(features, context),
            front_of(features, context),
            handover=state.handover,
            bounds=ClientBounds(
                tunnel=self._tunnels, http2=settings.server.http2, account=self._account
            ),
            claim=claim_of(settings),
        )

    def _features(self) -> tuple[Feature, ...]:
        """Raises ConfigError for one whose stores were not opened at the start."""
        found = features_of(self.loaded.settings.features)
        for each in found:
            if each.stores and each.name not in self.state.stores:
                raise ConfigError(f"features.enabled: {each.name} needs a restart: it has stores.")
        return found

    @cached_property
    def _account(self) -> MemoryAccount:
        server = share_of(self.loaded.settings, self.state.shared.processes).server
        return MemoryAccount(server.request_memory_per_client, server.request_memory)

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
            sheets=linked,
        )

    def _context(
        self, current: CurrentPolicy, pinning: PinningDetector, appearance: AppearanceChoices
    ) -> Context:
        """For own pages, whose modules are a fifth of what a start would import."""
        from winnow.compose.own_pages.page_context import page_context  # noqa: PLC0415 - at first use

        parts = self.place, pinning, appearance, self._interception
        return page_context(self.loaded, self.state, self.backend, current, *parts)
