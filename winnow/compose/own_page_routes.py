"""Our own pages by path, made from the settings and the state of a run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

from winnow.compose.backend import Backend
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
)
from winnow.compose.pooled import PooledPageWork, PooledTransform
from winnow.compose.run_state import RunState
from winnow.compose.site_rule_pages import RulesInForce
from winnow.config.settings_in_force import fixed_origin, listed
from winnow.config.source_precedence import Loaded
from winnow.document.values import Page
from winnow.extractors.registry import names
from winnow.jobs.quality import QualityLimits
from winnow.proxy.access.own_faces import SHOW_PATH
from winnow.proxy.decisions.policy import Transform
from winnow.proxy.own.controller import SettingsController
from winnow.proxy.own.handlers.activity import ActivityPage
from winnow.proxy.own.handlers.crunch_page import CrunchPage
from winnow.proxy.own.handlers.extension_api import ExtensionApi
from winnow.proxy.own.handlers.extensions import ExtensionsPage
from winnow.proxy.own.handlers.extract_api import ExtractApi
from winnow.proxy.own.handlers.html_errors import for_people
from winnow.proxy.own.handlers.https_switch import HttpsSwitch
from winnow.proxy.own.handlers.index import Home, Ready, health
from winnow.proxy.own.handlers.network_switch import NetworkSwitch
from winnow.proxy.own.handlers.openapi import openapi
from winnow.proxy.own.handlers.render import render_form
from winnow.proxy.own.handlers.save_sent import SaveSent
from winnow.proxy.own.handlers.setup_guide import SetupGuide
from winnow.proxy.own.handlers.show import ShowPage
from winnow.proxy.own.handlers.small_rendering import DrawnPages
from winnow.proxy.own.router import OwnPage, OwnPages
from winnow.proxy.own.templates.navigation import ACTIVITY, CRUNCH, EXTENSIONS
from winnow.proxy.own.templates.network_form import USER
from winnow.proxy.own.templates.script_page import RENDER_PATH
from winnow.proxy.own.view_choices import AppearanceChoices
from winnow.proxy.server.network_address import network_address
from winnow.proxy.stores.choices import SiteChoiceMode
from winnow.proxy.stores.library import PartsBySite
from winnow.proxy.tls.interception_policy import InterceptionPolicy
from winnow.proxy.tls.pinning import PinningDetector


@dataclass(frozen=True)
class OwnPageRoutes:
    """Makes the own pages of one dispatcher."""

    loaded: Loaded
    state: RunState
    backend: Backend
    place: ListeningPlace
    current: CurrentPolicy
    pinning: PinningDetector
    appearance: AppearanceChoices
    interception: InterceptionPolicy

    def pages(self) -> OwnPages:
        """Raises ConfigError if the settings do not fit each other."""
        factory, observability = self._factory(), self.state.observability
        plain: dict[str, OwnPage] = {
            "/": Home(
                factory.annotates,
                self._https_switch.state,
                self._left_alone,
                bool(self.interception.opened),
            ),
            "/-/health": health,
            "/-/live": health,
            "/-/ready": Ready(lambda: self.state.handover.not_ready),
            **self._extension_api(factory).pages(),
            EXTENSIONS: for_people(ExtensionsPage(self.state.library, self.state.shared.tokens)),
            "/-/openapi.json": openapi,
            RENDER_PATH: render_form,
            SHOW_PATH: for_people(
                ShowPage(self._unlearning, self.current, self.state.shared.tokens)
            ),
            CRUNCH: for_people(self._crunch_page()),
            ACTIVITY: for_people(self._activity_page()),
        }
        settings_pages = {**self._setup_guide().pages(), **self._controller().pages()}
        return OwnPages(
            {**plain, **settings_pages, **factory.pages(), **observability.pages()},
            factory.subtrees(),
        )

    @cached_property
    def _unlearning(self) -> PooledTransform:
        """For pages that a reader's browser sends: nothing is cached or learned."""
        limits = QualityLimits.of(self.loaded.settings.extraction)
        return PooledTransform(self.backend.pool, limits)

    def _activity_page(self) -> ActivityPage:
        observability = self.state.observability
        elsewhere = observability.activity_elsewhere
        return ActivityPage(observability.activity, self.state.shared.tokens, elsewhere)

    def _crunch_page(self) -> CrunchPage:
        state = self.state
        return CrunchPage(state.choices, state.shared.tokens, crunch_ladder())

    def _api(self, transform: Transform) -> ExtractApi:
        redirects = self.loaded.settings.gateway.max_redirects
        return ExtractApi(self.backend.sender, transform, self.current, redirects)

    def _extension_api(self, factory: OwnPageFactory) -> ExtensionApi:
        state = self.state
        saved = SavedPageParts(state.saved, self.loaded.settings.saved.images)
        return ExtensionApi(
            state.library,
            state.choices,
            state.views,
            state.shared.tokens,
            USUAL_METHODS,
            self._api(self.backend.transform),
            self._api(self._unlearning),
            SaveSent(factory.saver(saved), self._unlearning, self.current),
        )

    def _setup_guide(self) -> SetupGuide:
        keys, listener = self.state.ca, self.place.listener
        https = self._https_switch
        checked = self.pinning.checked
        return SetupGuide(keys, self.interception, listener, checked, https, https.network)

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

    def _left_alone(self, owner: str) -> tuple[str, ...]:
        """The sites that Winnow never changes for an owner."""
        sites = self.state.choices.now.of(owner).sites
        return tuple(site for site, each in sites.items() if each.mode is SiteChoiceMode.NEVER)

    def _parts_of(self, owner: str) -> PartsBySite:
        return self.state.library.now.own_parts(owner)

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
            parts_of=self._parts_of,
        )

    async def _drawn(self, url: str, ads: str) -> Page:
        return (await self.backend.draw(url, ads)).page

    def _factory(self) -> OwnPageFactory:
        settings, state = self.loaded.settings, self.state
        return OwnPageFactory(
            self.backend.sender,
            PooledPageWork(self.backend.pool),
            self.backend.transform,
            self.current,
            state.library,
            state.shared.tokens,
            settings.gateway.max_redirects,
            partial(listed, settings, self.loaded.origins),
            small_of(settings),
            annotations_of(settings),
            annotators(settings),
            administrators(settings),
            self.appearance,
            state.learning,
            RulesInForce.of(settings),
            state.editor,
            state.codes,
            SavedPageParts(state.saved, settings.saved.images),
            DrawnPages(self._drawn),
            audio_jobs(settings.speech),
        )
