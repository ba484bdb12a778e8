"""What one process made another need not make; whatever fails there is a miss."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace

import pytest

from winnow.compose.caches import pack_rendering, unpack_rendering
from winnow.document.values import Page, Recipe, Rendered
from winnow.proxy.caching import renderings
from winnow.proxy.caching.cache_entry import StorageError
from winnow.proxy.caching.renderings import SharedTransform
from winnow.proxy.caching.tiered import CircuitBreaker
from winnow.proxy.http.proxy_errors import TransformError

PAGE = Page(b"<p>page", "http://origin.test/", "utf-8")
RECIPE = Recipe()
MADE = Rendered(b"made", "text/html", "bte", "T", reasons=("a",), lesson=b"hashes", row=b"row")


@dataclass
class Making:
    """Makes the same each time, and counts."""

    made: int = 0
    failure: str = ""

    async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
        self.made += 1
        if self.failure:
            raise TransformError(self.failure)
        return MADE

    async def fingerprint(self, recipe: Recipe) -> str:
        return recipe.extractor

    async def aclose(self) -> None:
        pass


@dataclass
class Kept:
    """Values in memory that tell when one has come; broken or silent if told so."""

    values: dict[str, bytes] = field(default_factory=dict)
    came: asyncio.Event = field(default_factory=asyncio.Event)
    broken: bool = False
    silent: bool = False
    requested: int = 0

    async def get(self, key: str) -> bytes | None:
        self.requested += 1
        if self.silent:
            await asyncio.Event().wait()
        if self.broken:
            raise StorageError("broken")
        return self.values.get(key)

    async def put(self, key: str, value: bytes) -> None:
        self.values[key] = value
        self.came.set()

    async def aclose(self) -> None:
        self.values.clear()


def shared(making: Making, stored: Kept, patience: float = 5.0) -> SharedTransform:
    return SharedTransform(
        making, stored, CircuitBreaker(patience), (pack_rendering, unpack_rendering)
    )


async def test_the_second_process_gets_what_the_first_has_made() -> None:
    stored, first, second = Kept(), Making(), Making()
    assert await shared(first, stored)(PAGE, RECIPE) == MADE
    await stored.came.wait()
    found = await shared(second, stored)(PAGE, RECIPE)
    assert found == replace(MADE, lesson=b"", row=b"")  # these do not leave a process
    assert (first.made, second.made) == (1, 0)


@pytest.mark.parametrize(
    ("page", "recipe"),
    [
        (replace(PAGE, body=b"<p>other"), RECIPE),
        (replace(PAGE, url="http://other.test/"), RECIPE),
        (PAGE, replace(RECIPE, extractor="mss")),
    ],
)
async def test_another_page_or_recipe_is_another_rendering(page: Page, recipe: Recipe) -> None:
    stored, making = Kept(), Making()
    await shared(making, stored)(PAGE, RECIPE)
    await stored.came.wait()
    await shared(making, stored)(page, recipe)
    assert making.made == 2


async def test_what_is_damaged_is_made_again() -> None:
    stored, making = Kept(), Making()
    transform = shared(making, stored)
    for damaged in (b"", b"no JSON", b"{}\n", b'{"reason": "deadline", "message": "m"}\n', b"[]\n"):
        stored.came.clear()
        await transform(PAGE, RECIPE)
        await stored.came.wait()
        stored.values = dict.fromkeys(stored.values, damaged)
    assert making.made == 5


async def test_what_is_broken_or_silent_is_requested_once_and_then_left_alone() -> None:
    for stored in (Kept(broken=True), Kept(silent=True)):
        making = Making()
        transform = shared(making, stored, patience=0.05)
        assert [await transform(PAGE, RECIPE) for _ in range(3)] == [MADE] * 3
        assert (making.made, stored.requested) == (3, 1)


async def test_what_is_on_its_way_is_bounded_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renderings, "MAX_PENDING_BYTES", 2 * len(pack_rendering(MADE)))
    stored = Kept()
    transform = shared(Making(), stored)
    pages = [Page(b"<p>%d" % number, "http://origin.test/", "utf-8") for number in range(3)]
    await asyncio.gather(*(transform(page, RECIPE) for page in pages))
    await transform(PAGE, RECIPE)
    assert len(stored.values) == 2


async def test_a_failure_is_reported_and_not_stored() -> None:
    stored = Kept()
    with pytest.raises(TransformError):
        await shared(Making(failure="deadline"), stored)(PAGE, RECIPE)
    assert not stored.values
