"""titles.py: the topic rather than the site, and nothing that stands around it."""

import pytest

from winnow.document.document import Document
from winnow.document.metadata import page_metadata as metadata
from winnow.document.values import Extraction


def title_of(body: str, title: str, head: str = "") -> str:
    page = f"<html lang=en><head><title>{title}</title>{head}</head><body>{body}</body></html>"
    document = Document.from_html(page, "https://a.test/news/story")
    alone = metadata.title_of(document, Extraction("any"))
    assert alone == metadata.describe(document, Extraction("any")).title
    return alone


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("<h1>The river rose</h1>", "The river rose | Paper"),
        ("<h1><a href='/'>Paper</a></h1><h2>The river rose</h2>", "The river rose - Paper"),
        ("<h1><a href='https://a.test/'>Paper</a></h1>", "The river rose - Paper"),
        ("<h1><span class=label>News</span> The river rose</h1>", "News - The river rose | Paper"),
        ("<h1><time>May 4</time> The river rose</h1>", "May 4 The river rose"),
        ("<h1>The river rose<a href='#r'>\u00b6</a></h1>", "The river rose - Paper 1.0"),
        ("<p>no heading</p>", "The river rose | Paper"),
    ],
)  # fmt: skip
def test_the_topic_is_the_title(heading: str, title: str) -> None:
    assert title_of(heading, title) == "The river rose"


def test_the_sites_name_in_its_heading_is_passed_over() -> None:
    head = '<meta property="og:site_name" content="Paper">'
    assert title_of("<h1>Paper</h1><h2>The river rose</h2>", "The river rose - Paper", head) == (
        "The river rose"
    )


def test_a_front_page_may_be_named_as_its_site() -> None:
    assert title_of("<h1><a href='/'>Paper</a></h1>", "Paper") == "Paper"


@pytest.mark.parametrize("heading", ["a.test", "Riverpost", "river-post"])
def test_a_heading_that_names_the_host_is_no_topic(heading: str) -> None:
    page = f"<title>The river rose - Riverpost</title><h1>{heading}</h1><h2>The river rose</h2>"
    address = "https://www.riverpost.test/news" if "." not in heading else "https://a.test/news"
    document = Document.from_html(page, address)
    assert metadata.describe(document, Extraction("any")).title == "The river rose"


def test_a_front_page_has_the_name_of_its_host() -> None:
    document = Document.from_html(
        "<title>Riverpost</title><h1>Riverpost</h1>", "https://riverpost.test/"
    )
    assert metadata.describe(document, Extraction("any")).title == "Riverpost"


def test_a_chapter_is_the_title_rather_than_its_book() -> None:
    assert title_of(
        "<h1>The book of rivers</h1><h2>Floods</h2>", "Floods - The book of rivers"
    ) == ("Floods")


def test_a_numbered_chapter_behind_its_book_is_the_title() -> None:
    headings = "<h1>The book of rivers</h1><h2>{}</h2>"
    for chapter in ("4. Floods", "Chapter 4", "Kapitel 4"):
        title = f"The book of rivers: {chapter}"
        assert title_of(headings.format(chapter), title) == chapter
    subtitle = "The book of rivers: how they rise"
    assert title_of(headings.format("How they rise"), subtitle) == "The book of rivers"


def test_a_word_of_the_title_is_no_headline() -> None:
    title = "How the water came to Aston, Boston, Clifton and hundreds of other places"
    assert title_of("<h1>Boston</h1>", title) == title


@pytest.mark.parametrize(
    ("heading", "title", "found"),
    [
        ("Floods are over", "Flood insurance for homes - Paper", "Flood insurance for homes"),
        ("Flood insurance", "Flood insurance | Try for free | Paper", "Flood insurance"),
    ],
)
def test_a_page_that_offers_something_is_called_by_its_title(
    heading: str, title: str, found: str
) -> None:
    document = Document.from_html(f"<title>{title}</title><h1>{heading}</h1><p>Text.</p>")
    extraction = Extraction("any", page_type="service")
    assert metadata.describe(document, extraction).title == found


def test_home_is_no_title() -> None:
    assert title_of("<h1>Home</h1>", "Home - The river paper") == "The river paper"
