"""The pages of this feature, by path."""

from __future__ import annotations

from collections.abc import Mapping

from winnow.feature import Context
from winnow.features.activity.activity import ActivityPage
from winnow.proxy.observability.activity import Activities
from winnow.proxy.own.handlers.html_errors import people_pages
from winnow.proxy.own.router import OwnPage
from winnow.proxy.own.templates.navigation import ACTIVITY


def pages(context: Context) -> Mapping[str, OwnPage]:
    activities, learning = context.of(Activities), context.settings.learning
    stores_sites = learning.enabled and bool(learning.on_disk or learning.redis)
    page = ActivityPage(activities.log, context.tokens, activities.elsewhere, stores_sites)
    return people_pages({ACTIVITY: page})
