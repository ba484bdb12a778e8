"""Directories above a page are requested where it matters, once an hour, with a short timeout."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from winnow.document.values import MethodOptions, Page, Recipe, Rendered
from winnow.proxy.http.proxy_errors import OriginFaultError
from winnow.transforms.parent_probe import MOST, ParentProbeTransform

PAGE = Page(b"<p>", "http://a.example/uk/index.html")
ABOVE = ("http://a.example/uk/", "http://a.example/")


@dataclass
class World:
    """A transform that records its recipes, and origins with given statuses."""

    answers: Mapping[str, int | Exception]
    requests: list[str] = field(default_factory=list)
    recipes: list[Recipe] = field(default_factory=list)
    above: Sequence[str] = ABOVE

    async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
        self.recipes.append(recipe)
        return Rendered(b"", "text/html", "x")

    async def fingerprint(self, recipe: Recipe) -> str:
        return "x"

    async def aclose(self) -> None:
        pass

    async def status(self, url: str) -> int:
        self.requests.append(url)
        answer = self.answers.get(url, 200)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def transform(self, patience: float = 60.0) -> ParentProbeTransform:
        return ParentProbeTransform(
            self,
            self.status,
            lambda page, _: self.above if page is PAGE else (),
            lambda _, recipe, statuses: replace(
                recipe, options=MethodOptions(inner=404 in statuses.values())
            ),
            patience,
        )


async def test_the_statuses_decide_the_recipe() -> None:
    for status, inner in ((200, False), (404, True)):
        world = World({ABOVE[0]: status})
        shown = await world.transform()(PAGE, Recipe())
        assert not shown.by_page_alone
        assert [recipe.options.inner for recipe in world.recipes] == [inner]
        assert world.requests == list(ABOVE)


async def test_other_pages_send_no_request() -> None:
    world = World({ABOVE[0]: 404})
    shown = await world.transform()(Page(b"<p>", PAGE.url), Recipe())
    assert shown.by_page_alone
    assert (world.requests, world.recipes[0].options.inner) == ([], False)


async def test_statuses_and_failures_are_cached() -> None:
    world = World({ABOVE[0]: 404, ABOVE[1]: OriginFaultError("Nobody is there.")})
    transform = world.transform()
    for _ in range(3):
        await transform(PAGE, Recipe())
    assert world.requests == list(ABOVE)
    assert all(recipe.options.inner for recipe in world.recipes)


async def test_a_silent_origin_counts_as_unknown() -> None:
    world = World({})

    async def silent(_: str) -> int:
        await asyncio.Event().wait()
        return 404

    transform = world.transform(patience=0.01)
    transform.status = silent
    await transform(PAGE, Recipe())
    assert not world.recipes[0].options.inner


async def test_of_many_directories_the_nearest_are_requested() -> None:
    world = World({}, above=[f"http://a.example/{number}/" for number in range(20)])
    await world.transform()(PAGE, Recipe())
    assert len(world.requests) == MOST
