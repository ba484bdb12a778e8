"""``/-/activity``: the last pages of this client, and what was done with each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from markupsafe import Markup

from winnow.data_folder import shares_sites
from winnow.feature import Context
from winnow.features.activity.activity_page import ActivityView, activity_page
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.sentences import says
from winnow.proxy.observability.activity import (
    Activities,
    ActivityChange,
    ActivityLog,
)
from winnow.proxy.own.handlers.form_checks import OwnForms, posted, refuse_strange_name
from winnow.proxy.own.handlers.html_errors import people_pages
from winnow.proxy.own.router import OwnPage, OwnRequest, OwnResponse, only, see_other, shown
from winnow.proxy.own.templates.choice_forms import PATH, ChoiceRequest, confirmed_fields
from winnow.proxy.own.templates.elements import form
from winnow.proxy.own.templates.navigation import ACTIVITY

PURPOSE: Final = "activity {change}"


@dataclass(frozen=True)
class ActivityPage:
    activities: Activities
    tokens: FormTokens
    stores_sites: bool
    """Whether what was learned of sites is stored (``learning.on_disk``, or shared)."""

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD", "POST")
        refuse_strange_name(request)
        log = self.activities.log if self.activities.log.keeps(request.head) else None
        if request.head.method == "POST":
            return await self._changed(log, request.head.owner, await self._posted(request))
        owner = request.head.owner
        forms = OwnForms(self.tokens, owner, ACTIVITY, PURPOSE)
        now = datetime.now(UTC)

        def choose(choice: ChoiceRequest, text: str) -> Markup:
            return form(PATH, confirmed_fields(choice, self.tokens, now, owner), text)

        def change(what: ActivityChange, text: str) -> Markup:
            return forms.button({"change": what.value}, text)

        pages = await self.activities.pages(owner) if log else None
        lists_paths = log is not None and log.lists_paths(owner)
        return shown(
            activity_page(
                ActivityView(pages, lists_paths, choose, change, stores_sites=self.stores_sites)
            )
        )

    async def _posted(self, request: OwnRequest) -> Mapping[str, str]:
        return await posted(request, self.tokens, PURPOSE)

    async def _changed(
        self, log: ActivityLog | None, owner: str, fields: Mapping[str, str]
    ) -> OwnResponse:
        if log is None or fields.get("change") not in set(ActivityChange):
            raise ClientFaultError(says("There is no such change."), 400, "bad-form")
        await log.change(owner, ActivityChange(fields["change"]))
        return see_other(ACTIVITY)


def pages(context: Context) -> Mapping[str, OwnPage]:
    activities, learning = context.of(Activities), context.settings.learning
    stores_sites = learning.enabled and (learning.on_disk or shares_sites(context.settings))
    page = ActivityPage(activities, context.tokens, stores_sites)
    return people_pages({ACTIVITY: page})
