"""Pages of every outcome that a data format knows, and a transform that runs in this process."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tests.proxy.proxies import FakeTransform
from winnow.config.settings import Settings
from winnow.document.purposes import treatments_of
from winnow.document.values import Page, Recipe, Rendered
from winnow.engine.pipeline import transform
from winnow.jobs.job_types import PipelineError
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.http.proxy_errors import TransformError

SENTENCE: Final = "The river rose overnight, and by morning the whole village stood on the bridge."
_MENU: Final = "<nav><a href=/1>Home</a> <a href=/2>News</a> <a href=/3>Weather</a></nav>"


def _page(body: str) -> bytes:
    return f"<!doctype html><html lang=en><title>The flood</title><body>{body}".encode()


ARTICLE: Final = _page(f"{_MENU}<article><h1>The flood</h1>{f'<p>{SENTENCE}</p>' * 9}</article>")
FEW_WORDS: Final = _page(f"<article><h1>The flood</h1><p>{SENTENCE}</p></article>")
NO_ARTICLE: Final = _page("<main><img src=/a.png width=9 height=9></main>")
LOG_IN: Final = _page(
    "<main><h1>Log in to your account</h1><form method=post><label>Name <input name=name></label>"
    "<label>Password <input type=password name=secret></label><button>Log in</button></form></main>"
)
SHELL: Final = _page("<noscript>Please enable JavaScript.</noscript><div id=root></div>") + (
    b"<script src=/app.js></script>"
)
TOO_DEEP: Final = _page("<div>" * 600 + SENTENCE)
PDF: Final = b"%PDF-1.7\n" + b"<< /Type /Catalog >>\n" * 40


class PipelineTransform(FakeTransform):
    """The pipeline itself, as a worker runs it."""

    async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
        self.recipes.append(recipe)
        try:
            return transform(page, recipe)
        except PipelineError as error:
            raise TransformError(error.failure.reason, error.failure.message) from error


def by_purpose(policy: Policy) -> Policy:
    """The policy as the settings have it: log-in pages stay as they are."""
    return replace(policy, treatments=treatments_of(Settings().purposes))
