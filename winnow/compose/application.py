"""The request dispatcher and all behind it, made from the settings and joined."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

from winnow.compose.backend import Backend
from winnow.compose.balancers import claim_of
from winnow.compose.crunch_ladder import crunch_ladder
from winnow.compose.factories import treatments_of
from winnow.compose.own_pages import (
    USUAL_METHODS,
    OwnPageFactory,
    SavedPageParts,
    annotations_of,
    audio_jobs,
    small_of,
)
from winnow.compose.policies import (
    CurrentPolicy,
    ListeningPlace,
    administrators,
    annotators,
    gate_of,
    interception_of,
)
from winnow.compose.pooled import PooledPageWork, PooledTransform
from winnow.compose.run_state import RunState, run_policy
from winnow.compose.shares import join_bus
from winnow.compose.site_rule_pages import RulesInForce
from winnow.config.settings_in_force import fixed_origin, listed
from winnow.config.source_precedence import Loaded
from winnow.document.values import Page
from winnow.extractors.registry import names
from winnow.jobs.quality import QualityLimits
from winnow.proxy.access.image_signatures import ImageSignatures
from winnow.proxy.access.own_faces import SHOW_PATH
from winnow.proxy.access.request_rate import RequestRate
from winnow.proxy.app.app import App
from winnow.proxy.app.own_requests import OwnRequests
from winnow.proxy.decisions.policy import NO_BARS, Transform
from winnow.proxy.forwarding.forwarder import Forwarder
from winnow.proxy.forwarding.interceptor import Interceptor
from winnow.proxy.own.controller import SettingsController
from winnow.proxy.own.handlers.crunch_page import CrunchPage
from winnow.proxy.own.handlers.extension_api import ExtensionApi
from winnow.proxy.own.handlers.extensions import ExtensionsPage
from winnow.proxy.own.handlers.extract_api import ExtractApi
from winnow.proxy.own.handlers.html_errors import for_people
from winnow.proxy.own.handlers.https_switch import HttpsSwitch
from winnow.proxy.own.handlers.index import Home, Ready, health
from winnow.proxy.own.handlers.language_menu import LanguageChoices
from winnow.proxy.own.handlers.network_switch import NetworkSwitch
from winnow.proxy.own.handlers.openapi import openapi
from winnow.proxy.own.handlers.render import render_form
from winnow.proxy.own.handlers.save_sent import SaveSent
from winnow.proxy.own.handlers.setup_guide import SetupGuide
from winnow.proxy.own.handlers.show import ShowPage
from winnow.proxy.own.handlers.small_rendering import DrawnPages
from winnow.proxy.own.router import OwnPage, OwnPages
from winnow.proxy.own.templates.bar import PageBars
from winnow.proxy.own.templates.navigation import ACTIVITY, CRUNCH, EXTENSIONS
from winnow.proxy.own.templates.network_form import USER
from winnow.proxy.own.templates.notice_line import page_notice
from winnow.proxy.own.templates.script_page import RENDER_PATH
from winnow.proxy.own.view_choices import AppearanceChoices
from winnow.proxy.server.client_limits import ClientBounds, TunnelLimits
from winnow.proxy.server.network_address import network_address
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
        pinning = PinningDetector(state.choices, settings.interception.learn)
        join_bus(state.shared.bus, "gate", gate)
        state.observability.activity.switch(enabled=settings.server.activity)
        appearance = AppearanceChoices(state.library, settings.appearance)
        current = CurrentPolicy(run_policy(settings, state), self.backend.ads, self.place)
        return App(
            current,
            OwnRequests(
                self._pages(current, pinning, appearance),
                self._forwarder(appearance),
                state.shared.tokens,
                paired=lambda: state.library.now.extensions,
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

    def _pages(
        self, current: CurrentPolicy, pinning: PinningDetector, appearance: AppearanceChoices
    ) -> OwnPages:
        factory, observability = self._own_pages(current, appearance), self.state.observability
        plain: dict[str, OwnPage] = {
            "/": Home(factory.annotates, self._https_switch.state),
            "/-/health": health,
            "/-/live": health,
            "/-/ready": Ready(lambda: self.state.handover.not_ready),
            **self._extension_api(current, factory).pages(),
            EXTENSIONS: for_people(ExtensionsPage(self.state.library, self.state.shared.tokens)),
            "/-/openapi.json": openapi,
            RENDER_PATH: render_form,
            SHOW_PATH: for_people(ShowPage(self._unlearning, current, self.state.shared.tokens)),
            CRUNCH: for_people(self._crunch_page()),
            ACTIVITY: for_people(observability.activity_page(self.state.shared.tokens)),
        }
        settings_pages = {**self._setup_guide(pinning).pages(), **self._controller().pages()}
        return OwnPages(
            {**plain, **settings_pages, **factory.pages(), **observability.pages()},
            factory.subtrees(),
        )

    @cached_property
    def _unlearning(self) -> PooledTransform:
        """For pages that a reader's browser sends: nothing is cached or learned."""
        limits = QualityLimits.of(self.loaded.settings.extraction)
        return PooledTransform(self.backend.pool, limits)

    def _crunch_page(self) -> CrunchPage:
        state = self.state
        return CrunchPage(state.choices, state.shared.tokens, crunch_ladder())

    def _api(self, policy: CurrentPolicy, transform: Transform) -> ExtractApi:
        redirects = self.loaded.settings.gateway.max_redirects
        return ExtractApi(self.backend.sender, transform, policy, redirects)

    def _extension_api(self, policy: CurrentPolicy, factory: OwnPageFactory) -> ExtensionApi:
        state = self.state
        saved = SavedPageParts(state.saved, self.loaded.settings.saved.images)
        return ExtensionApi(
            state.library,
            state.choices,
            state.views,
            state.shared.tokens,
            USUAL_METHODS,
            self._api(policy, self.backend.transform),
            self._api(policy, self._unlearning),
            SaveSent(factory.saver(saved), self._unlearning, policy),
        )

    def _setup_guide(self, pinning: PinningDetector) -> SetupGuide:
        keys, listener = self.state.ca, self.place.listener
        https = self._https_switch
        checked = pinning.checked
        return SetupGuide(keys, self._interception, listener, checked, https, https.network)

    @cached_property
    def _network_switch(self) -> NetworkSwitch:
        settings, state = self.loaded.settings, self.state
        names = {line.partition(":")[0] for line in settings.access.users}
        return NetworkSwitch(
            state.editor,
            state.codes,
            state.shared.tokens,
            administrators(settings),
            self.place.listener,
            lambda: self.place.network or network_address(),
            USER in names,
            fixed_origin(self.loaded.origins, "server.host"),
        )

    @cached_property
    def _https_switch(self) -> HttpsSwitch:
        settings, state = self.loaded.settings, self.state
        return HttpsSwitch(
            state.editor,
            state.choices,
            state.ca,
            state.shared.tokens,
            administrators(settings),
            settings.interception.hosts,
            fixed_origin(self.loaded.origins, "interception.hosts"),
            self._network_switch,
        )

    def _controller(self) -> SettingsController:
        settings, state = self.loaded.settings, self.state
        return SettingsController(
            state.choices,
            state.ca,
            frozenset(names()),
            state.shared.tokens,
            state.views,
            administers=administrators(settings),
            treatments=treatments_of(settings),
        )

    async def _drawn(self, url: str, ads: str) -> Page:
        return (await self.backend.draw(url, ads)).page

    def _own_pages(self, current: CurrentPolicy, appearance: AppearanceChoices) -> OwnPageFactory:
        settings, state = self.loaded.settings, self.state
        return OwnPageFactory(
            self.backend.sender,
            PooledPageWork(self.backend.pool),
            self.backend.transform,
            current,
            state.library,
            state.shared.tokens,
            settings.gateway.max_redirects,
            partial(listed, settings, self.loaded.origins),
            small_of(settings),
            annotations_of(settings),
            annotators(settings),
            administrators(settings),
            appearance,
            state.learning,
            RulesInForce.of(settings),
            state.editor,
            state.codes,
            SavedPageParts(state.saved, settings.saved.images),
            DrawnPages(self._drawn),
            audio_jobs(settings.speech),
        )
