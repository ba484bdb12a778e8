"""The pages of this feature, by path."""

from __future__ import annotations

from collections.abc import Mapping

from winnow.feature import Context
from winnow.features.small.small import SmallGateway
from winnow.features.small.small_article import SmallArticles
from winnow.features.small.small_library import SmallLibrary
from winnow.features.small.small_rendering import DrawnPages
from winnow.features.small.small_request import SmallSettings
from winnow.jobs.small_gateway import SMALL_PATH
from winnow.proxy.own.handlers.devices import SmallOptions
from winnow.proxy.own.router import OwnPage


def pages(context: Context) -> Mapping[str, OwnPage]:
    gateway = context.settings.gateway
    usual = SmallOptions.usual(gateway)
    settings = SmallSettings(usual, gateway.search, gateway.page_budget // 1000)
    articles = SmallArticles(
        context.fetcher(),
        context.workers,
        context.policy,
        SmallLibrary(context.library, context.tokens, gateway.history),
        settings,
        DrawnPages(context.drawing.page) if context.drawing else None,
    )
    return {SMALL_PATH: SmallGateway(articles)}
