"""The request dispatcher and all behind it, made from the settings and joined."""

from __future__ import annotations

from functools import partial

from winnow.compose.backend import Engine
from winnow.compose.factories import treatments_of
from winnow.compose.own_pages import (
    OwnPageFactory,
    RulesInForce,
    annotations_of,
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
from winnow.compose.pooled import PooledPageWork
from winnow.compose.run_state import RunState, run_policy
from winnow.compose.shares import join_bus
from winnow.config.settings_in_force import listed
from winnow.config.source_precedence import Loaded
from winnow.extractors.registry import names
from winnow.proxy.access.image_signatures import ImageSignatures
from winnow.proxy.app.app import App
from winnow.proxy.app.own_requests import OwnRequests
from winnow.proxy.decisions.policy import NO_BARS
from winnow.proxy.forwarding.forwarder import Forwarder
from winnow.proxy.forwarding.interceptor import Interceptor
from winnow.proxy.own.controller import SettingsController
from winnow.proxy.own.handlers.extract_api import ExtractApi
from winnow.proxy.own.handlers.html_errors import for_people
from winnow.proxy.own.handlers.index import Home, Ready, health
from winnow.proxy.own.handlers.openapi import openapi
from winnow.proxy.own.router import OwnPage, OwnPages
from winnow.proxy.own.templates.bar import PageBars
from winnow.proxy.own.templates.navigation import ACTIVITY
from winnow.proxy.own.templates.notice_line import page_notice
from winnow.proxy.own.view_choices import AppearanceChoices
from winnow.proxy.server.client_limits import ClientBounds, TunnelLimits
from winnow.proxy.tls.pinning import PinningDetector


def app_of(loaded: Loaded, state: RunState, engine: Engine, place: ListeningPlace) -> App:
    """The request dispatcher and everything behind it."""
    settings, observability, tokens = loaded.settings, state.observability, state.shared.tokens
    client, sender, transform = engine.client, engine.sender, engine.transform
    interception, gate = interception_of(settings), gate_of(settings)
    pinning = PinningDetector(state.choices, settings.interception.learn)
    controller = SettingsController(
        state.choices,
        state.ca,
        interception,
        frozenset(names()),
        place.listener,
        tokens,
        state.views,
        pinning.checked,
        administers=administrators(settings),
        treatments=treatments_of(settings),
    )
    policy, appearance = (
        run_policy(settings, state),
        AppearanceChoices(state.library, settings.appearance),
    )
    join_bus(state.shared.bus, "gate", gate)
    current = CurrentPolicy(policy, engine.ads, place)
    api = ExtractApi(sender, transform, policy, settings.gateway.max_redirects)
    factory = OwnPageFactory(
        sender,
        PooledPageWork(engine.pool),
        transform,
        current,
        state.library,
        tokens,
        settings.gateway.max_redirects,
        partial(listed, settings, loaded.origins),
        small_of(settings),
        annotations_of(settings),
        annotators(settings),
        administrators(settings),
        appearance,
        state.learning,
        RulesInForce.of(settings),
    )
    plain: dict[str, OwnPage] = {
        "/": Home(factory.annotates),
        "/-/health": health,
        "/-/ready": Ready(lambda: bool(engine.pool.pids)),
        "/-/api/extract": api,
        "/-/openapi.json": openapi,
        ACTIVITY: for_people(observability.activity_page(tokens)),
    }
    observability.activity.switch(enabled=settings.server.activity)
    tunnels = TunnelLimits(idle=settings.server.tunnel_idle)
    forwarder = Forwarder(
        sender,
        transform,
        PageBars(controller.extractors) if settings.extraction.bar else NO_BARS,
        looks=appearance,
        tunnels=tunnels,
        images=ImageSignatures(tokens),
        notices=page_notice if settings.extraction.notice else None,
    )
    pages = OwnPages(
        {**plain, **controller.pages(), **factory.pages(), **observability.pages()},
        factory.subtrees(),
    )
    return App(
        current,
        OwnRequests(pages, forwarder, tokens),
        client.connector,
        Interceptor(state.ca, interception, pinning, client, tunnels),
        gate,
        observability.observe,
        state.handover,
        ClientBounds(tunnel=tunnels, http2=settings.server.http2),
    )
