"""A page is transformed once, and only the very same page."""

from __future__ import annotations

import asyncio
import gc
from dataclasses import dataclass, field, replace

import pytest

from winnow.document.values import Format, Page, Recipe, Rendered
from winnow.proxy.access.requester import REQUESTER, Requester
from winnow.proxy.caching.renderings import CachingTransform
from winnow.proxy.http.proxy_errors import TransformError

PAGE = Page(b"<p>page", "http://origin.test/", "utf-8")
RECIPE = Recipe()


@dataclass
class Counting:
    """Transforms when ``gate`` opens; remembers how often."""

    made: int = 0
    failure: str = ""
    size: int = 10
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    version: str = "1"

    async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
        self.made += 1
        self.begun.set()
        await self.gate.wait()
        if self.failure:
            raise TransformError(self.failure)
        return Rendered(b"x" * self.size, "text/html", recipe.extractor)

    async def fingerprint(self, recipe: Recipe) -> str:
        return f"{self.version}/{recipe.extractor}/{recipe.format}"

    async def aclose(self) -> None:
        pass


@pytest.fixture
def counting() -> Counting:
    made = Counting()
    made.gate.set()
    return made


async def test_a_page_is_transformed_once(counting: Counting) -> None:
    once = CachingTransform(counting, 100_000)
    assert await once(PAGE, RECIPE) is await once(PAGE, RECIPE)
    assert counting.made == 1


@pytest.mark.parametrize(
    ("page", "recipe"),
    [
        (replace(PAGE, body=b"<p>pagE"), RECIPE),
        (replace(PAGE, url="http://origin.test/2"), RECIPE),
        (replace(PAGE, url=None), RECIPE),
        (replace(PAGE, charset="latin-1"), RECIPE),
        (replace(PAGE, charset=None), RECIPE),
        (PAGE, replace(RECIPE, extractor="bte")),
        (PAGE, replace(RECIPE, format=Format.TEXT)),
    ],
)
async def test_whatever_differs_is_transformed_again(
    counting: Counting, page: Page, recipe: Recipe
) -> None:
    once = CachingTransform(counting, 100_000)
    await once(PAGE, RECIPE)
    await once(page, recipe)
    assert counting.made == 2


async def test_another_version_of_the_pipeline_transforms_again(counting: Counting) -> None:
    once = CachingTransform(counting, 100_000)
    await once(PAGE, RECIPE)
    counting.version = "2"
    await once(PAGE, RECIPE)
    assert counting.made == 2
    assert await once.fingerprint(RECIPE) == await counting.fingerprint(RECIPE)


async def test_equal_pages_at_once_are_transformed_once() -> None:
    counting = Counting()
    once = CachingTransform(counting, 100_000)
    crowd = asyncio.gather(*(once(PAGE, RECIPE) for _ in range(100)))
    await counting.begun.wait()
    counting.gate.set()
    assert len(set(map(id, await crowd))) == 1
    assert counting.made == 1


async def test_a_failure_is_reported_to_all_who_wait_and_not_stored() -> None:
    counting = Counting(failure="deadline")
    once = CachingTransform(counting, 100_000)
    crowd = asyncio.gather(*(once(PAGE, RECIPE) for _ in range(3)), return_exceptions=True)
    await counting.begun.wait()
    counting.gate.set()
    assert all(isinstance(end, TransformError) for end in await crowd)
    counting.failure = ""
    assert (await once(PAGE, RECIPE)).body
    assert counting.made == 2


@pytest.mark.parametrize("leaver", [0, 1])
async def test_a_client_that_leaves_does_not_take_the_page_from_the_others(leaver: int) -> None:
    counting = Counting()
    once = CachingTransform(counting, 100_000)
    crowd = [asyncio.create_task(once(PAGE, RECIPE)) for _ in range(3)]
    await counting.begun.wait()
    crowd[leaver].cancel()
    await asyncio.gather(crowd[leaver], return_exceptions=True)
    counting.gate.set()
    del crowd[leaver]
    assert all(rendered.body for rendered in await asyncio.gather(*crowd))
    assert counting.made == 1


async def test_what_takes_more_than_its_share_is_not_stored(counting: Counting) -> None:
    counting.size = 20_000
    once = CachingTransform(counting, 100_000)
    await once(PAGE, RECIPE)
    await once(PAGE, RECIPE)
    assert counting.made == 2


async def test_memory_is_bounded_and_the_last_used_stay(counting: Counting) -> None:
    counting.size = 4_000
    once = CachingTransform(counting, 40_000)
    pages = [replace(PAGE, body=str(number).encode()) for number in range(20)]
    for page in pages:
        await once(page, RECIPE)
        await once(pages[0], RECIPE)
    assert counting.made == 20
    await once(pages[1], RECIPE)
    assert counting.made == 21
    assert once.size <= 40_000


async def test_a_failure_that_nobody_waits_for_any_more_is_not_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    counting = Counting(failure="deadline")
    once = CachingTransform(counting, 100_000)
    asking = asyncio.create_task(once(PAGE, RECIPE))
    await counting.begun.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    counting.gate.set()
    for _ in range(20):
        await asyncio.sleep(0)
    assert not once._running
    gc.collect()  # asyncio tells of a failure that was never retrieved when its task is freed
    assert not caplog.records


@dataclass
class Crowded:
    """One client has too many pages waiting; whose turn it is, is noted."""

    crowded: str = "a"
    requested: list[Requester] = field(default_factory=list)

    async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
        self.requested.append(REQUESTER.get())
        await asyncio.sleep(0.01)
        if REQUESTER.get().client == self.crowded:
            raise TransformError("busy")
        return Rendered(b"x", "text/html", recipe.extractor)

    async def fingerprint(self, recipe: Recipe) -> str:
        return ""

    async def aclose(self) -> None:
        pass


@pytest.mark.usefixtures("virtual_time")
async def test_who_joined_a_page_of_a_crowded_client_asks_in_its_own_name() -> None:
    crowded = Crowded()
    once = CachingTransform(crowded, 100_000)

    async def by(client: str) -> str:
        REQUESTER.set(Requester(client))
        try:
            return (await once(PAGE, RECIPE)).media_type
        except TransformError as error:
            return error.reason

    begun = asyncio.get_running_loop().time()
    asking = [asyncio.create_task(by(client)) for client in ("a", "b", "c")]
    assert await asyncio.gather(*asking) == ["busy", "text/html", "text/html"]
    assert [each.client for each in crowded.requested] == ["a", "b"]
    assert crowded.requested[0].since is None
    assert crowded.requested[1].since == begun  # its wait goes on
