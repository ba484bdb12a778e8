"""Answers the command line for one page, whose scripts may run first."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from winnow.command_errors import CommandError
from winnow.compose.factories import client_of
from winnow.config.settings import Settings
from winnow.document.values import Page, Recipe, Rendered
from winnow.engine.page_answer import answer
from winnow.feature_list import drawing_of
from winnow.jobs.answers import Fallback
from winnow.jobs.job_types import InProcess, PipelineError
from winnow.jobs.rendering_key import ExtractorIdentity
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.http.messages import anywhere
from winnow.proxy.http.proxy_errors import TransformError
from winnow.proxy.upstream.fetcher import Fetcher
from winnow.transforms.method_inputs import MethodInputsTransform
from winnow.transforms.page_sheets import PageSheets

_NOT_DRAWN = frozenset({"busy", "no-browser", "no-sandbox", "render-failed"})


def rendered(page: Page, recipe: Recipe, settings: Settings, fallback: Fallback) -> Rendered:
    """As the proxy has it. Raises PipelineError, and CommandError where nothing is drawn."""
    try:
        return asyncio.run(_rendered(page, recipe, settings, fallback))
    except TransformError as error:
        if error.reason in _NOT_DRAWN:
            raise CommandError(f"cannot render {page.url}: {error}") from error
        raise PipelineError(error.reason, str(error)) from error


async def _rendered(page: Page, recipe: Recipe, settings: Settings, fallback: Fallback) -> Rendered:
    client = client_of(settings)
    try:
        sheets = PageSheets(Fetcher(client, Policy), InProcess(), anywhere)
        transform = MethodInputsTransform(_Answers(fallback), _without_request, sheets)
        drawing = drawing_of(settings, client.connector, client, InProcess(), anywhere)
        return await (drawing.before(transform) if drawing else transform)(page, recipe)
    finally:
        await client.aclose()


async def _without_request(_recipe: Recipe) -> ExtractorIdentity:
    """No method has fields of a request here."""
    return ExtractorIdentity("")


@dataclass(frozen=True)
class _Answers:
    """A Transform in this process."""

    fallback: Fallback

    async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
        try:
            return answer(page, recipe, self.fallback)
        except PipelineError as error:
            raise TransformError(error.failure.reason, str(error)) from error

    async def fingerprint(self, recipe: Recipe) -> str:
        """Nothing is cached here."""
        return recipe.extractor

    async def aclose(self) -> None:
        pass
