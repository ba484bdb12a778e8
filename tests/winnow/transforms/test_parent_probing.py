"""The directories above a page are requested only where Crunch finds the level itself."""

from __future__ import annotations

import pytest

from tests.proxy.origins import Origin, serving
from winnow.compose.factories import client_of
from winnow.config.settings import Settings
from winnow.document.values import Page, Recipe, Rendered
from winnow.engine.named_extractor import extractor_of
from winnow.extractors.crunch.crunch_extractor import Crunch
from winnow.proxy.upstream.origin_client import OriginClient
from winnow.transforms.parent_probe import directories_of, with_parent_probe, with_statuses

FRONT = "http://a.example/uk/index.html"
AUTO = Recipe("crunch:preset=auto")


@pytest.mark.parametrize(
    ("url", "recipe", "above"),
    [
        (FRONT, AUTO, ["http://a.example/uk/", "http://a.example/"]),
        ("http://a.example/~ada", AUTO, ["http://a.example/"]),
        ("http://a.example/", AUTO, []),
        ("http://a.example", AUTO, []),
        ("http://a.example/story.html", AUTO, []),
        (None, AUTO, []),
        (FRONT, Recipe("crunch:2"), []),
        (FRONT, Recipe("crunch:preset=auto,inner=true"), []),
        (FRONT, Recipe("crunch:no-such-parameter"), []),
        (FRONT, Recipe("auto"), []),
    ],
)
def test_the_directories_that_are_requested(
    url: str | None, recipe: Recipe, above: list[str]
) -> None:
    assert list(directories_of(Page(b"<p>", url), recipe)) == above


@pytest.mark.parametrize(("status", "inner"), [(200, False), (301, False), (404, True)])
def test_the_status_reaches_the_method(status: int, inner: bool) -> None:
    recipe = with_statuses(Page(b"<p>", FRONT), AUTO, {"http://a.example/uk/": status})
    extractor = extractor_of(recipe)
    assert isinstance(extractor, Crunch)
    assert extractor.inner is inner


async def test_private_hosts_are_not_requested() -> None:
    seen: list[Recipe] = []

    class Seeing:
        async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
            seen.append(recipe)
            return Rendered(b"", "text/html", "x")

        async def fingerprint(self, recipe: Recipe) -> str:
            return "x"

        async def aclose(self) -> None:
            pass

    async with serving(Origin()) as origin:
        client: OriginClient = client_of(Settings())
        transform = with_parent_probe(Seeing(), client)
        await transform(Page(b"<p>", origin.url("/uk/index.html")), AUTO)
        await client.aclose()
        assert origin.requests == []
    assert seen == [AUTO]
