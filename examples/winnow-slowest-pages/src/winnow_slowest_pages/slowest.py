"""The page of the list, and its setting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from winnow.config.setting_fields import setting
from winnow.feature import Context
from winnow.proxy.observability.activity import Activities
from winnow.proxy.own.checked_values import Address, web_address
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.router import OwnPage, OwnRequest, OwnResponse, only, shown
from winnow.proxy.own.templates.base_page import page_of

_TEMPLATE: Final = page_template(__package__, "slowest.html")


@dataclass(frozen=True, slots=True)
class SlowestSettings:
    """The list of slow pages."""

    SECTION: ClassVar[str] = "slowest"
    pages: int = setting(10, "Number of pages in the list.", minimum=1)


@dataclass(frozen=True, slots=True)
class SlowPage:
    """A line of the list; ``link``: None for what is no web address."""

    url: str
    link: Address | None
    seconds: str


@dataclass(frozen=True)
class SlowestPages:
    """To each reader only the own pages."""

    activities: Activities
    most: int

    async def page(self, request: OwnRequest) -> OwnResponse:
        """The list as HTML."""
        only(request, "GET", "HEAD")
        opened = await self.activities.pages(request.head.owner)
        slowest = sorted(opened, key=lambda page: -page.seconds)[: self.most]
        pages = [
            SlowPage(page.url, web_address(page.url), f"{page.seconds:.1f}") for page in slowest
        ]
        return shown(page_of(_TEMPLATE, pages=pages))


def pages(context: Context) -> Mapping[str, OwnPage]:
    most = context.settings.of(SlowestSettings).pages
    return {"/-/slowest": SlowestPages(context.of(Activities), most).page}
