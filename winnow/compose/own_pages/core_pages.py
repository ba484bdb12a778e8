"""The pages of the core itself: for monitoring, for programs, and for all settings."""

from __future__ import annotations

from collections.abc import Mapping

from winnow.compose.observing import Observability
from winnow.feature import Context
from winnow.proxy.access.own_addresses import HEALTHZ, READ_PATH, SHEETS
from winnow.proxy.own.handlers.health import Ready, health
from winnow.proxy.own.handlers.html_errors import people_pages
from winnow.proxy.own.handlers.language_menu import LanguageMenu
from winnow.proxy.own.handlers.openapi import OpenApi
from winnow.proxy.own.router import OwnPage, OwnRequest, OwnResponse, only
from winnow.proxy.own.templates.in_page.page_sheet import sheet
from winnow.proxy.own.templates.navigation import LANGUAGES
from winnow.proxy.server.handover import Handover


async def read_by_get(request: OwnRequest) -> OwnResponse:
    """``/-/read`` by another method: the dispatcher answers GET itself (app/own_requests)."""
    only(request, "GET", "HEAD")
    raise AssertionError("The dispatcher answers GET.")


def pages(context: Context) -> Mapping[str, OwnPage]:
    handover, observability = context.of(Handover), context.of(Observability)
    return {
        "/-/health": health,
        "/-/live": health,
        HEALTHZ: health,
        "/-/ready": Ready(lambda: handover.not_ready, observability.faults),
        "/-/openapi.json": OpenApi(context.described),
        READ_PATH: read_by_get,
        SHEETS: sheet,
        **observability.pages(),
        **people_pages({LANGUAGES: LanguageMenu(context.library, context.tokens)}),
    }
