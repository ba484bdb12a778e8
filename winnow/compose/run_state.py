"""The stores of a run and the policy made from them."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from winnow.compose.factories import policy_of
from winnow.compose.observing import Observability
from winnow.compose.policies import (
    interception_of,
    pauses,
    private_names,
    rules,
    spares,
)
from winnow.compose.process.shares import SharedState, join_bus
from winnow.compose.stores import across_instances, choices_of, learning_of, library_of, move_parts
from winnow.config.settings import Settings
from winnow.data_folder import data_folder, keys_of
from winnow.feature import Opening, loaded
from winnow.feature_list import known
from winnow.jobs.small_gateway import OWN_NAME
from winnow.proxy.access.credentials.terminal_codes import TerminalCodes
from winnow.proxy.decisions.policy import Policy, RuleFor
from winnow.proxy.http.request_target import parse_url
from winnow.proxy.learning.service import LearningService
from winnow.proxy.learning.teaching import with_learning
from winnow.proxy.own.settings_editor import SettingsEditor
from winnow.proxy.own.view_choices import RequestedViews
from winnow.proxy.server.connection_limits import ConnectionLimits
from winnow.proxy.server.handover import Handover
from winnow.proxy.stores.choice_store import ChoiceStore
from winnow.proxy.stores.files import data_folder_used
from winnow.proxy.stores.library import LibraryStore
from winnow.proxy.stores.notices import Notices
from winnow.proxy.stores.settings_history import SettingsHistory
from winnow.proxy.stores.site_choice import SiteMode
from winnow.proxy.tls.lazy_authority import LazyAuthority


@dataclass(frozen=True)
class RunState:
    """The stores of a run, and what outlives a reload of the settings."""

    choices: ChoiceStore
    ca: LazyAuthority
    library: LibraryStore
    shared: SharedState
    observability: Observability
    learning: LearningService | None = None
    editor: SettingsEditor | None = None
    codes: TerminalCodes | None = None
    views: RequestedViews = field(default_factory=RequestedViews)
    handover: Handover = field(default_factory=Handover)
    connection_limits: ConnectionLimits = field(default_factory=ConnectionLimits)
    stores: Mapping[str, tuple[object, ...]] = field(default_factory=dict)
    """Those that features bring, by feature."""


@asynccontextmanager
async def open_state(settings: Settings, shared: SharedState) -> AsyncIterator[RunState]:
    """Open the choices, the library, the authority and the sites. Raises ``StoreError``."""
    notices = Notices()
    local_library = await library_of(settings, notices)
    async with AsyncExitStack() as stack:
        stack.enter_context(data_folder_used(data_folder(settings), shared.name, notices))
        ca = keys_of(settings, notices)
        stack.callback(ca.close)
        local_choices = await choices_of(settings, notices)
        stack.push_async_callback(local_choices.aclose)
        stores = await _stores(settings, notices, stack)
        among = across_instances(settings, shared, local_choices, local_library)
        shared, choices, library = await stack.enter_async_context(among)
        await move_parts(library, choices)
        learning = await learning_of(settings, notices)
        if learning is not None:
            stack.push_async_callback(learning.aclose)
        state = RunState(
            choices,
            ca,
            library,
            shared,
            Observability(shared.bus, notices, log_requests=settings.server.log_requests),
            learning,
            _editor_of(settings, shared),
            TerminalCodes(shared.tokens, _show),
            RequestedViews(partial(_is_left_alone, choices)),
            stores=stores,
        )
        join_bus(shared.bus, "choices", local_choices)
        join_bus(shared.bus, "library", local_library)
        join_bus(shared.bus, "views", state.views)
        join_bus(shared.bus, "activity changes", state.observability.activity)
        join_bus(shared.bus, "leaves", ca)
        yield state


async def _stores(
    settings: Settings, notices: Notices, stack: AsyncExitStack
) -> Mapping[str, tuple[object, ...]]:
    """Those of features that are switched off, too: a reload may switch one on."""
    opening, found = Opening(settings, data_folder(settings), notices), {}
    for feature in known(settings.features):
        if feature.stores:
            opened = loaded(feature.stores)(opening)
            found[feature.name] = await stack.enter_async_context(opened)
    return found


def _editor_of(settings: Settings, shared: SharedState) -> SettingsEditor | None:
    """What changes the settings file; None where this program has none."""
    if shared.source is None:
        return None
    history = SettingsHistory(data_folder(settings))
    return SettingsEditor(shared.source, history, shared.reload_all)


def _is_left_alone(choices: ChoiceStore, owner: str, page: str) -> bool:
    choice = choices.now.choice(owner, parse_url(page).origin)
    return choice.mode is SiteMode.NEVER


def _show(line: str) -> None:
    """Write a line to the terminal or the service's log: what only the owner reads."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def run_policy(settings: Settings, state: RunState) -> Policy:
    """The policy of these settings; ``CurrentPolicy`` adds the names of the listener."""
    return replace(
        policy_of(settings, frozenset({OWN_NAME}), state.shared.name),
        spares=spares(interception_of(settings)),
        rule_for=rules_of(settings, state),
        private_names=private_names(settings, state.choices),
        view_of=state.views.of,
        is_paused=pauses(state.choices),
    )


def rules_of(settings: Settings, state: RunState) -> RuleFor:
    """The rule for an origin and an owner: configured, chosen, learned."""
    found = rules(settings, state.choices)
    return with_learning(found, state.learning) if state.learning else found
