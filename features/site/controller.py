"""The settings and choice pages: reads requests, changes the stores, returns pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final

from winnow.document.values import Treatments
from winnow.features.site.settings_page import (
    FOR_EVERYBODY,
    SettingsView,
    certificates_of,
    settings_page,
)
from winnow.features.site.settings_request import (
    SettingsChange,
    SettingsRequest,
    read_request,
)
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.access.requester import LOOPBACK, RequestHead
from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.http.request_target import parse_url
from winnow.proxy.own.handlers.form_checks import (
    form_fields,
    refuse_strange_name,
    refuse_unless_administrator,
)
from winnow.proxy.own.handlers.page_parameters import (
    is_clicked,
    is_vouched,
    scheme_of,
    seen_at,
)
from winnow.proxy.own.router import OwnPage, OwnRequest, OwnResponse, only, see_other, shown
from winnow.proxy.own.templates.choice_forms import (
    ORIGINAL_PATH,
    READ_PATH,
    UNDO_PATH,
    ChoiceAction,
    ChoiceError,
    ChoiceRequest,
    is_from_page,
    read_choice,
    read_confirmed,
)
from winnow.proxy.own.templates.confirmation import confirmation_page, stale_page
from winnow.proxy.own.templates.in_page.choice_links import ChoiceLinks
from winnow.proxy.own.templates.in_page.looks_panel import ALWAYS
from winnow.proxy.own.templates.navigation import SETTINGS
from winnow.proxy.own.view_choices import RequestedViews
from winnow.proxy.stores.choice_store import ChoiceStore
from winnow.proxy.stores.choices import ALL_SITES, EVERYBODY
from winnow.proxy.stores.site_choice import NO_CHOICE, Choice, SiteMode
from winnow.proxy.tls.lazy_authority import LazyAuthority

_AT_ONCE: Final = (ChoiceAction.ALWAYS, ChoiceAction.NEVER)


def _now() -> datetime:
    return datetime.now(UTC)


def _on_this_computer(head: RequestHead) -> bool:
    return head.owner == LOOPBACK


@dataclass(frozen=True)
class SettingsController:
    """The pages by which a person controls the proxy."""

    store: ChoiceStore
    keys: LazyAuthority
    extractors: frozenset[str]
    tokens: FormTokens = field(default_factory=FormTokens)
    views: RequestedViews = field(default_factory=RequestedViews)
    now: Callable[[], datetime] = _now
    administers: Callable[[RequestHead], bool] = _on_this_computer
    """Whether a request is an administrator's."""
    treatments: Treatments = ()
    """What is done with pages by their purpose where nobody chose otherwise."""

    def pages(self) -> Mapping[str, OwnPage]:
        """The pages by path."""
        return {
            "/-/choose": self.choose,
            ORIGINAL_PATH: self.view,
            READ_PATH: self.view,
            UNDO_PATH: self.undo,
            "/-/settings": self.settings,
        }

    async def choose(self, request: OwnRequest) -> OwnResponse:
        """``/-/choose``: GET asks for confirmation, POST stores the choice; a person's click in the
        page itself does at once, where it can be undone there."""
        only(request, "GET", "HEAD", "POST")
        refuse_strange_name(request)
        try:
            if request.head.method != "POST":
                choice = read_choice(request.query, self.extractors)
                if choice.action in _AT_ONCE and is_vouched(request, choice.page):
                    done = f"#{ALWAYS}" if choice.action is ChoiceAction.ALWAYS else ""
                    return await self._apply(request, choice, done)
                return self._confirmation(request, choice)
            return await self._confirmed(request)
        except ChoiceError:
            return _expired()

    async def view(self, request: OwnRequest) -> OwnResponse:
        """``/-/original`` and ``/-/extract``: show a page unchanged, or its article, for an hour.

        Links on the same site act at once; from elsewhere a confirmation is needed.
        """
        only(request, "GET", "HEAD")
        refuse_strange_name(request)
        action = ChoiceAction.ORIGINAL if request.path == ORIGINAL_PATH else ChoiceAction.READ
        fields = {"action": action.value, "page": request.query.get("page", "")}
        try:
            choice = read_choice(fields, self.extractors)
        except ChoiceError:
            return _expired()
        if scheme_of(request) and is_from_page(request.head, choice.page):
            await self.views.switch(request.head.owner, choice.page, choice.view)
            return self._back(request, choice.page)
        return self._confirmation(request, choice)

    async def undo(self, request: OwnRequest) -> OwnResponse:
        """``/-/undo``: takes back *never* and *always*, at once on the page where it was chosen."""
        only(request, "GET", "HEAD")
        refuse_strange_name(request)
        fields = {"action": ChoiceAction.FORGET, "page": request.query.get("page", "")}
        try:
            choice = read_choice(fields, self.extractors)
        except ChoiceError:
            return _expired()
        owner, page = request.head.owner, choice.page
        chosen = self.store.now.of(owner).choices.get(choice.site, NO_CHOICE)
        is_new = self.views.of(owner, page) is RequestMode.ORIGINAL
        never = is_new and chosen.mode is SiteMode.NEVER and is_clicked(request, page)
        if not never and not (chosen.mode is SiteMode.ALWAYS and is_vouched(request, page)):
            return self._confirmation(request, choice)
        await self.store.choose(owner, choice.site, replace(chosen, mode=None))
        await self.views.choose(owner, page, RequestMode.AUTO)
        return self._back(request, page)

    def _confirmation(self, request: OwnRequest, choice: ChoiceRequest) -> OwnResponse:
        owner = request.head.owner
        return shown(confirmation_page(choice, self.tokens, self.now(), owner))

    async def _confirmed(self, request: OwnRequest) -> OwnResponse:
        fields, owner = await form_fields(request), request.head.owner
        choice = read_confirmed(fields, self.extractors, self.tokens, self.now(), owner)
        return await self._apply(request, choice)

    async def _apply(
        self, request: OwnRequest, choice: ChoiceRequest, done: str = ""
    ) -> OwnResponse:
        """Carry out a confirmed choice and redirect to the page; ``done``: the fragment of a line
        there that says so."""
        owner, view = request.head.owner, choice.view
        if view is RequestMode.AUTO:
            chosen = self.store.now.of(owner).choices.get(choice.site, NO_CHOICE)
            await self.store.choose(owner, choice.site, choice.applied(chosen))
        elif not scheme_of(request):
            links = ChoiceLinks(gateway=True)
            show = links.original if view is RequestMode.ORIGINAL else links.read
            return see_other(show(choice.page))
        if choice.action is ChoiceAction.NEVER:  # the page says so, and how to undo it
            await self.views.leave_alone(owner, choice.page)
        else:
            await self.views.choose(owner, choice.page, view)
        return self._back(request, choice.page, done)

    async def settings(self, request: OwnRequest) -> OwnResponse:
        """``/-/settings``: choices, pause, interception and certificates."""
        refuse_strange_name(request)
        if request.head.method == "POST":
            return await self._changed(request)
        only(request, "GET", "HEAD", "POST")
        certificates = await certificates_of(self.keys)
        head = request.head
        view = SettingsView(
            self.store.now,
            head.owner,
            head.client,
            self.administers(head),
            common=self._for_everybody(request),
            treatments=self.treatments,
        )
        return shown(settings_page(view, certificates, self.tokens, self.now()))

    def _for_everybody(self, request: OwnRequest) -> bool:
        """Raises ClientFaultError for who is no administrator."""
        if request.query.get("for") != "everybody":
            return False
        refuse_unless_administrator(self.administers(request.head))
        return True

    async def _changed(self, request: OwnRequest) -> OwnResponse:
        fields, owner = await form_fields(request), request.head.owner
        try:
            form = read_request(fields, self.tokens, self.now(), owner)
        except ChoiceError:
            return _expired()
        administers = self.administers(request.head)
        refuse_unless_administrator(administers or not form.is_for_everybody)
        refusals = self.store.now.refusals_of(None if administers else request.head.client)
        try:
            await self._do(form, owner, refusals)
        except ChoiceError:
            return _expired()
        place = "#sites" if form.is_of_one_site else ""
        return see_other((FOR_EVERYBODY if form.common else SETTINGS) + place)

    async def _do(self, form: SettingsRequest, user: str, refusals: frozenset[str]) -> None:
        """``refusals``: the keys of refused certificates that this user may clear."""
        owner = EVERYBODY if form.common else user
        match form.change:
            case SettingsChange.PAUSE:
                await self.store.pause(owner, form.pauses_until(self.now()))
            case SettingsChange.RESUME:
                await self.store.pause(owner, None)
            case SettingsChange.REOPEN:
                await self.store.unlearn(self.store.now.refused_at(form.value) & refusals)
            case SettingsChange.REOPEN_ALL:
                await self.store.unlearn(refusals)
            case SettingsChange.LEAVES:
                await self.keys.forget_leaves()
            case _:
                await self._choose(form, owner)

    async def _choose(self, form: SettingsRequest, owner: str) -> None:
        """The changes of choices for sites."""
        match form.change:
            case SettingsChange.FORGET:
                await self.store.choose(owner, form.value, NO_CHOICE)
            case SettingsChange.FORGET_ALL:
                for site in self.store.now.of(owner).sites:
                    await self.store.choose(owner, site, NO_CHOICE)
            case SettingsChange.TREATMENT:
                before = self.store.now.of(owner).choices
                for key, mode in form.kinds.items():
                    if before.get(key, NO_CHOICE).mode is not mode:
                        await self.store.choose(owner, key, Choice(mode))
                chosen = before.get(ALL_SITES, NO_CHOICE)
                said: dict[str, Any] = {name: word or None for name, word in form.words.items()}
                if (new := replace(chosen, **said)) != chosen:
                    await self.store.choose(owner, ALL_SITES, new)

    def _back(self, request: OwnRequest, page: str, done: str = "") -> OwnResponse:
        """Raises ClientFaultError for a page that is no address."""
        return see_other(seen_at(request, parse_url(page).url) + done)


def _expired() -> OwnResponse:
    return shown(stale_page())
