"""Fetches a page's style sheets, with those that they import.

Without cookies, without Referer, and from public addresses, or the page's own host, alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from winnow.document.values import Page
from winnow.jobs.job_types import Workers
from winnow.jobs.page_jobs import ImportsJob, SheetsJob
from winnow.proxy.access.private_addresses import permit_across, public_only
from winnow.proxy.http.headers import Field, media_type, parameter
from winnow.proxy.http.messages import Permit
from winnow.proxy.http.proxy_errors import ProxyError
from winnow.proxy.upstream.fetcher import Fetcher, host_of
from winnow.proxy.upstream.time_limits import results_within

MOST_SHEETS: Final = 30
LARGEST_SHEET: Final = 1_000_000
"""Bytes of one style sheet."""
IMPORT_ROUNDS: Final = 2
PATIENCE: Final = 8.0
"""Seconds for the style sheets of one round; later ones are left out."""
AT_ONCE: Final = 6


@dataclass(frozen=True)
class PageSheets:
    """One for the process."""

    fetcher: Fetcher
    workers: Workers
    permit: Permit = public_only
    _places: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    async def __call__(
        self, page: Page, *more: Field, permit: Permit | None = None
    ) -> Mapping[str, str]:
        """The sheets' texts by address, "" of those that there are not; ``more``: of requests."""
        found: dict[str, str] = {}
        wanted = await self.workers.run(SheetsJob(page))
        for _ in range(1 + IMPORT_ROUNDS):
            missing = [url for url in wanted if url not in found][: MOST_SHEETS - len(found)]
            if not missing:
                break
            allowed = permit or self.permit
            jobs = {url: self._sheet(url, page, allowed, more) for url in missing}
            loaded = await results_within(jobs, PATIENCE)
            found.update({url: loaded.get(url, "") for url in missing})
            sheets = {url: found[url] for url in missing}
            wanted = await self.workers.run(ImportsJob(sheets))
        return found

    async def _sheet(self, url: str, page: Page, permit: Permit, more: tuple[Field, ...]) -> str:
        async with self._places:
            try:
                allowed = permit_across(permit, host_of(page.url or url), host_of(url))
                fetched = await self.fetcher.get(url, allowed, "text/css,*/*;q=0.1", more)
            except ProxyError:
                return ""
        is_css = media_type(fetched.headers) == "text/css"
        if fetched.status != 200 or not is_css or len(fetched.body) > LARGEST_SHEET:
            return ""
        return _decoded(fetched.body, parameter(fetched.headers.get("content-type"), "charset"))


def _decoded(body: bytes, charset: str | None) -> str:
    try:
        return body.decode(charset or "utf-8", "replace")
    except LookupError:
        return body.decode("utf-8", "replace")
