"""A method that lays a page out gets its style sheets; no other method has any fetched."""

from __future__ import annotations

import pytest

from tests.proxy.proxies import FakeTransform
from winnow.document.values import Page, Recipe, RenderMode
from winnow.jobs.rendering_key import ExtractorIdentity
from winnow.proxy.http.headers import Field
from winnow.transforms.method_inputs import MethodInputsTransform

PAGE = Page(b"<p>Text.</p>", "https://a.test/")


class Sheets:
    """A page's style sheets, and the fields with which they were asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[Field, ...]] = []

    async def __call__(self, _page: Page, *more: Field) -> dict[str, str]:
        self.asked.append(more)
        return {"https://a.test/a.css": "p { color: red }"}


async def identity(_recipe: Recipe) -> ExtractorIdentity:
    return ExtractorIdentity("")


@pytest.mark.parametrize(
    ("render", "fields", "said"),
    [
        (RenderMode.NO, (("Cache-Control", "only-if-cached"),), "from the cache"),
        (RenderMode.WHEN_EMPTY, (), "fetched"),
        (RenderMode.ALWAYS, (), "fetched"),
    ],
)
async def test_sheets_are_fetched_where_a_browser_may_draw(
    render: RenderMode, fields: tuple[Field, ...], said: str
) -> None:
    plain, sheets = FakeTransform(), Sheets()
    transform = MethodInputsTransform(plain, identity, sheets)
    rendered = await transform(PAGE, Recipe("vips:6", render=render))
    assert sheets.asked == [fields]
    assert plain.pages[0].sheets == (("https://a.test/a.css", "p { color: red }"),)
    assert plain.pages[0].beside == (("sheets", said),)
    assert not rendered.by_page_alone


async def test_no_other_method_has_sheets() -> None:
    plain, sheets = FakeTransform(), Sheets()
    transform = MethodInputsTransform(plain, identity, sheets)
    rendered = await transform(PAGE, Recipe("bte", render=RenderMode.ALWAYS))
    assert (sheets.asked, plain.pages) == ([], [PAGE])
    assert rendered.by_page_alone


async def test_what_is_drawn_before_is_no_other_rendering_here() -> None:
    transform = MethodInputsTransform(FakeTransform(), identity, Sheets())
    keys = {await transform.fingerprint(Recipe("bte", render=mode)) for mode in RenderMode}
    assert len(keys) == 1
