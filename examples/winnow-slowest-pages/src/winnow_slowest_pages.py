"""``/-/slowest``: the pages that took their reader longest since Winnow was started."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

from markupsafe import Markup

from winnow.config.setting_fields import setting
from winnow.feature import Context, Feature, OwnAddress
from winnow.proxy.observability.events import Event, Observer, PageOpened
from winnow.proxy.own.menus import in_header
from winnow.proxy.own.router import OwnPage, OwnRequest, OwnResponse, only, shown
from winnow.proxy.own.templates.base_page import own_page

PATH: Final = "/-/slowest"


@dataclass(frozen=True, slots=True)
class SlowestSettings:
    """The list of slow pages."""

    SECTION: ClassVar[str] = "slowest"
    pages: int = setting(10, "Number of pages in the list.", minimum=1)


@dataclass
class SlowestPages:
    """An Observer, and the page that shows what it saw: to each reader only the own pages."""

    most: int
    pages: list[PageOpened] = field(default_factory=list)

    def observe(self, event: Event) -> None:
        """Remember a page if it is one of its reader's slowest."""
        if isinstance(event, PageOpened):
            mine = [*(page for page in self.pages if page.owner == event.owner), event]
            mine.sort(key=lambda page: -page.seconds)
            others = [page for page in self.pages if page.owner != event.owner]
            self.pages = others + mine[: self.most]

    async def page(self, request: OwnRequest) -> OwnResponse:
        """The list as HTML."""
        only(request, "GET", "HEAD")
        mine = [page for page in self.pages if page.owner == request.head.owner]
        items = Markup("\n").join(
            Markup('<li><a href="{0}">{0}</a>: {1:.1f} s</li>').format(page.url, page.seconds)
            for page in mine
        )
        return shown(own_page("Slowest pages", Markup("<ol>\n{}\n</ol>").format(items)))


def slowest(context: Context) -> SlowestPages:
    """One for the observer and the page."""
    return SlowestPages(context.settings.of(SlowestSettings).pages)


def observers(context: Context) -> Sequence[Observer]:
    return (context.once(slowest).observe,)


def pages(context: Context) -> Mapping[str, OwnPage]:
    return {PATH: context.once(slowest).page}


FEATURE: Final = Feature(
    name="slowest",
    settings="winnow_slowest_pages:SlowestSettings",
    addresses=(OwnAddress(PATH, entries=(in_header("Slowest pages", 60),)),),
    pages="winnow_slowest_pages:pages",
    observers="winnow_slowest_pages:observers",
)
