"""Pages of one article become one: in order, at most so many, never round and round."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

import pytest

from winnow.document.values import BAR_MARK, Format, Page, Recipe, Rendered
from winnow.proxy.forwarding.multi_page import joined
from winnow.proxy.http.proxy_errors import OriginFaultError

URL = "http://a.example/1"
PAGES = {f"http://a.example/{n}": f"page {n}" for n in range(1, 7)}


@dataclass
class Pages:
    """Renders a page's bytes and knows the next of each; remembers what was fetched."""

    following: dict[str, str]
    fetched: list[str] = field(default_factory=list)
    poor: str = ""

    async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
        text = page.body.decode()
        body = {
            Format.JSON: json.dumps({"content": f"<p>{text}</p>"}),
            Format.HTML: f"<body><main><p>{text}</p></main></body>",
            Format.PRUNED: f"<body>{BAR_MARK.decode()}<p>{text}</p></body>",
        }.get(recipe.format, f"{text}\n")
        reported = self.following.get(page.url or "", "")
        poor = self.poor if recipe.number > 1 else ""
        return Rendered(
            body.encode(), "text/html", "x", words_kept=2, next_page=reported, poor=poor
        )

    async def fingerprint(self, recipe: Recipe) -> str:
        return ""

    async def aclose(self) -> None:
        pass

    async def fetch(self, url: str) -> Page | None:
        self.fetched.append(url)
        if url not in PAGES:
            raise OriginFaultError("There is no such page.")
        return Page(PAGES[url].encode(), url)


def chain(*addresses: str) -> Pages:
    return Pages(dict(zip((URL, *addresses), addresses, strict=False)))


async def made(pages: Pages, recipe: Recipe) -> Rendered:
    page = Page(b"page 1", URL)
    return await joined(await pages(page, recipe), page, recipe, pages, pages.fetch)


def addresses(*numbers: int) -> list[str]:
    return [f"http://a.example/{number}" for number in numbers]


@pytest.mark.parametrize(
    ("form", "body"),
    [
        (Format.TEXT, "page 1\n\npage 2\n\npage 3\n"),
        (Format.MARKDOWN, "page 1\n\npage 2\n\npage 3\n"),
        (
            Format.HTML,
            "<body><main><p>page 1</p>"
            '<section aria-label="Page 2"><p><a href="http://a.example/2">Page 2</a></p>'
            "<p>page 2</p></section>"
            '<section aria-label="Page 3"><p><a href="http://a.example/3">Page 3</a></p>'
            "<p>page 3</p></section></main></body>",
        ),
    ],
)
async def test_pages_follow_one_another(form: Format, body: str) -> None:
    rendered = await made(chain(*addresses(2, 3)), Recipe(format=form, pages=5))
    assert rendered.body.decode() == body
    assert rendered.words_kept == 6


async def test_a_pruned_page_has_one_bar_and_one_body() -> None:
    rendered = await made(chain(*addresses(2)), Recipe(format=Format.PRUNED, pages=5))
    assert rendered.body.count(BAR_MARK) == rendered.body.count(b"<body>") == 1
    assert b"page 1" in rendered.body
    assert b"page 2" in rendered.body


async def test_no_more_pages_are_joined_than_requested_for() -> None:
    pages = chain(*addresses(2, 3, 4, 5))
    rendered = await made(pages, Recipe(format=Format.TEXT, pages=3))
    assert pages.fetched == addresses(2, 3)
    assert rendered.next_page == "http://a.example/4"


@pytest.mark.parametrize("back", [1, 2])
async def test_a_loop_ends_where_it_began(back: int) -> None:
    pages = chain(*addresses(2, 3, back))
    await made(pages, Recipe(format=Format.TEXT, pages=20))
    assert pages.fetched == addresses(2, 3)


async def test_the_same_bytes_at_another_address_end_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pages = chain(*addresses(2, 3))
    monkeypatch.setitem(PAGES, "http://a.example/3", "page 2")
    rendered = await made(pages, Recipe(format=Format.TEXT, pages=20))
    assert rendered.body == b"page 1\n\npage 2\n"


async def test_a_page_that_cannot_be_had_or_has_no_article_ends_it() -> None:
    rendered = await made(chain("http://a.example/2", "http://a.example/9"), Recipe(pages=9))
    assert b"page 2" in rendered.body
    poor = replace(chain(*addresses(2)), poor="few-words")
    assert b"page 2" not in (await made(poor, Recipe(pages=9))).body


@pytest.mark.parametrize("form", [Format.JSON, Format.SPANS, Format.EPUB])
async def test_other_formats_are_of_one_page(form: Format) -> None:
    pages = chain(*addresses(2))
    await made(pages, Recipe(format=form, pages=9))
    assert pages.fetched == []
