"""``/-/compare``: several methods on one page, each shown as soon as it has run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from winnow.document.values import Page, Recipe
from winnow.extractors import registry
from winnow.feature import Context
from winnow.features.compare.jobs import MethodTrial, OutlineJob, SideBySideJob, TriedMethod, TryJob
from winnow.features.compare.templates.comparison import (
    Comparison,
    ComparisonFrame,
    ask_page,
    failed_summary,
    frame_of,
    summary,
    trial_row,
)
from winnow.features.site.parameter_fields import with_parameters
from winnow.jobs.job_types import PoolBusyError, WorkerLateError, Workers
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.http.proxy_errors import TransformError
from winnow.proxy.own.handlers.html_errors import people_pages
from winnow.proxy.own.handlers.page_parameters import address_of, every, recipe_at, scheme_of
from winnow.proxy.own.router import OwnPage, OwnRequest, OwnResponse, only, shown
from winnow.proxy.own.translation import N_
from winnow.proxy.upstream.fetcher import Fetcher

MOST_METHODS: Final = 20
ALL: Final = "all"
"""``method=all`` compares every method offered."""
TRIES: Final = 3
"""How often a method waits for a free worker."""
LATE: Final = N_("The method took too long.")


@dataclass(frozen=True)
class ComparePage:
    """``offered`` are the methods to choose from, ``usual`` those taken if none is chosen."""

    fetcher: Fetcher
    workers: Workers
    policy: Callable[[], Policy]
    offered: tuple[str, ...]
    usual: tuple[str, ...]

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD")
        if not request.query.get("url"):
            return shown(ask_page(self.offered, self.usual))
        url = address_of(request)
        named = every(request, "method") or every(request, "extractor")
        chosen = self.offered if tuple(named) == (ALL,) else named or self.usual
        methods = tuple(dict.fromkeys(with_parameters(chosen, request.query)))[:MOST_METHODS]
        page = await self.fetcher.page(url, request.permit)
        recipe = self._recipe(url, request.head.owner)
        outline = await self.workers.run(OutlineJob(page, recipe))
        about = Comparison(url, outline, self.offered, bool(scheme_of(request)))
        frame = frame_of(about)
        results = self._results(page, methods, recipe, about, frame)
        return replace(shown(frame.page), rest=results)

    def _recipe(self, url: str, owner: str) -> Recipe:
        """The page's recipe, less the level: each method is compared by its own parameters."""
        recipe = recipe_at({}, url, owner, self.policy())
        return replace(recipe, options=replace(recipe.options, level=None))

    async def _results(
        self,
        page: Page,
        methods: tuple[str, ...],
        recipe: Recipe,
        about: Comparison,
        frame: ComparisonFrame,
    ) -> AsyncIterator[bytes]:
        """A row of each method, then what all of them say together."""
        tried = []
        for method in methods:
            tried.append(await self._tried(page, method, recipe))
            yield trial_row(tried[-1].trial, about).encode()
        try:
            job = SideBySideJob(page, tuple(tried), recipe)
            found = await self.workers.run(job, anew=True)
            end = summary(found, about)
        except TransformError as error:
            end = failed_summary(error.sentence, about, methods)
        yield f"{frame.behind_rows}{end}{frame.end}".encode()

    async def _tried(self, page: Page, method: str, recipe: Recipe) -> TriedMethod:
        """One method; where all workers are busy it waits for its turn again."""
        failure = ""
        for _turn in range(TRIES):
            try:
                return await self.workers.run(TryJob(page, method, recipe), anew=True)
            except TransformError as error:
                failure = LATE if error.reason == WorkerLateError.reason else str(error)
                if error.reason != PoolBusyError.reason:
                    break
        return TriedMethod(MethodTrial(method, failure=failure))


def pages(context: Context) -> Mapping[str, OwnPage]:
    usual = tuple(name for name in registry.USUAL if name in context.extractors)
    page = ComparePage(
        context.fetcher(), context.workers, context.policy, context.extractors, usual
    )
    return people_pages({"/-/compare": page})
