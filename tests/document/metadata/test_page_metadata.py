"""page_metadata.py: what is declared and what stands near the headline, ranked."""

import pytest

from winnow.document.document import Document
from winnow.document.metadata.page_metadata import Metadata, describe
from winnow.document.values import Extraction, Purpose

TEXT = "<p>The water rose by a metre in one night, and in the morning it still stood there.</p>" * 4


def about(
    body: str,
    head: str = "",
    lang: str = "en",
    purpose: Purpose | None = None,
    page_type: str = "",
) -> Metadata:
    page = f"<html lang={lang}><head>{head}</head><body>{body}{TEXT}</body></html>"
    document = Document.from_html(page, "https://a.test/news/story")
    return describe(document, Extraction("any", purpose=purpose, page_type=page_type))


@pytest.mark.parametrize(
    ("line", "lang"),
    [
        ("By Jane Doe", "en"), ("by <a>Jane Doe</a> | March 9, 2026", "en"),
        ("Author: Jane Doe", "en"),
        ("By Jane Doe, jane@a.test", "en"), ("ByJane Doe Updated onMarch 9, 2026", "en"),
        ("March 9, 2026 by Jane Doe", "en"), ("<p>Written by</p><p>Jane Doe</p>", "en"),
        ("By Jane DoeMarch 9, 2026", "en"), ("Jane Doe<br>March 9, 2026", "en"),
        ("<span class=post-author>Jane Doe</span>", "en"), ("<a rel=author>Jane Doe</a>", "en"),
        ("<b class=author>Jane Doe</b>", "en"),
        ("<i itemprop=author>Jane Doe 1,6551 gold badge14 silver badges</i>", "en"),
        ("Von Jane Doe", "de"), ("Par Jane Doe", "fr"), ("Por Jane Doe", "es"),
        ("di Jane Doe", "it"),
        ("Door Jane Doe", "nl"), ("Av Jane Doe", "sv"), ("Автор: Jane Doe", "ru"),
        ("作者：Jane Doe", "zh"), ("بقلم Jane Doe", "ar"),
    ],
)  # fmt: skip
def test_a_byline_near_the_headline_is_found_and_cleaned(line: str, lang: str) -> None:
    assert about(f"<h1>The river</h1><div>{line}</div>", lang=lang).byline == "Jane Doe"


@pytest.mark.parametrize(
    "line",
    [
        "Reviewed by Jane Doe", "Sort by: Best selling", "Trusted by over 4 million builders",
        "by the river that rose", "<b class=author>{{ author.name }}</b>", "By admin",
        "<a class=byline href=/>https://a.test/jane</a>", "<b class=author>jane.news.example</b>",
        "<b class=author>Joined: Oct 1999</b>", "<b class=author>A Post By:</b>",
    ],
)  # fmt: skip
def test_what_is_no_author_gives_no_byline(line: str) -> None:
    assert not about(f"<h1>The river</h1><div>{line}</div>").byline


def test_a_declared_author_that_is_shown_wins_over_another_line() -> None:
    head = '<meta name="author" content="Jane Doe">'
    body = "<h1>The river</h1><p>Jane Doe</p><p>By John Roe</p>"
    assert about(body, head).byline == "Jane Doe"


def test_a_written_author_wins_over_a_declared_one_that_is_not_shown() -> None:
    head = '<meta name="author" content="Webteam of the paper">'
    assert about("<h1>The river</h1><p>By John Roe</p>", head).byline == "John Roe"


def test_more_names_than_are_declared_are_taken_from_the_page() -> None:
    head = '<meta name="author" content="Jane Doe">'
    body = "<h1>The river</h1><p>By Jane Doe and John Roe</p>"
    assert about(body, head).byline == "Jane Doe and John Roe"


def test_a_quotation_says_neither_author_nor_date() -> None:
    tweet = "<blockquote><p>By John Roe, March 4, 2024</p></blockquote>"
    found = about(f"<h1>The river</h1>{tweet}<p>It rose.</p>")
    assert (found.byline, found.published) == ("", "")
    assert about(f"<blockquote><h1>The river</h1>{tweet}").byline == "John Roe"
    assert not about(f"{tweet}<h1></h1>").published


def test_what_a_post_is_filed_under_is_no_author() -> None:
    line = "<p>by Jane Doe , Filed under: Fan Productions, Interview , trackback</p>"
    assert about(f"<h1>The river</h1>{line}").byline == "Jane Doe"


def test_wordpress_names_the_author_for_cards() -> None:
    head = (
        '<meta name="twitter:label1" content="Written by"><meta name="twitter:data1" content="Jo">'
    )
    assert about("<h1>The river</h1>", head).byline == "Jo"


def test_all_authors_of_a_paper() -> None:
    head = "".join(
        f'<meta name="citation_author" content="{name}">' for name in ("J. Doe", "A. Li")
    )
    assert about("<h1>The river</h1>", head).byline == "J. Doe; A. Li"


def test_the_sites_own_name_is_no_author() -> None:
    head = '<meta name="author" content="Paper"><meta property="og:site_name" content="Paper">'
    assert not about("<h1>The river</h1>", head).byline


DECLARED = '<meta property="article:published_time" content="2026-03-02T08:00:00+0100">'


def test_the_day_that_is_shown_wins_over_the_declared_one() -> None:
    assert about("<h1>The river</h1><p>March 9, 2026</p>", DECLARED).published == "2026-03-09"


def test_the_declared_moment_of_the_day_that_is_shown() -> None:
    shown = about("<h1>The river</h1><p>March 2, 2026</p>", DECLARED)
    assert shown.published == "2026-03-02T08:00:00+01:00"


@pytest.mark.parametrize("line", ["Updated March 9, 2026", "Last updated:<br>March 9, 2026"])
def test_the_day_of_a_change_is_not_that_of_publication(line: str) -> None:
    found = about(f"<h1>The river</h1><p>{line}</p>", DECLARED)
    assert (found.published[:10], found.modified) == ("2026-03-02", "2026-03-09")
    alone = about(f"<h1>The river</h1><p>{line}</p>")
    assert (alone.published, alone.modified, alone.date) == ("", "2026-03-09", "2026-03-09")


@pytest.mark.parametrize(("size", "is_label"), [(40, True), (41, False)])
def test_a_short_line_above_a_date_is_its_label(size: int, is_label: bool) -> None:
    line = "This story was last updated by us".ljust(size - 1, "y") + ":"
    found = about(f"<h1>The river</h1><p>{line}<br>March 9, 2026</p>")
    assert (found.modified == "2026-03-09") is is_label


def test_a_date_in_the_running_text_is_none_of_the_page() -> None:
    prose = (
        f"<p>{'In the year before, on March 9, 2025, the water had stood higher still. ' * 4}</p>"
    )
    assert not about(f"<h1>The river</h1>{prose}").date


LINKED = '<script type="application/ld+json">{{"@type":"{}","datePublished":"2026-03-02"}}</script>'


@pytest.mark.parametrize(
    ("kind", "line", "day"),
    [
        ("NewsArticle", "", "2026-03-02"), ("WebPage", "", ""),
        ("WebPage", "2 March 2026", "2026-03-02"),
    ],
)  # fmt: skip
def test_the_day_of_a_database_entry_counts_where_it_is_shown(
    kind: str, line: str, day: str
) -> None:
    assert about(f"<h1>The river</h1><p>{line}</p>", LINKED.format(kind)).date == day


def test_time_marked_as_that_of_the_entry() -> None:
    body = '<h1>The river</h1><time class="entry-date" datetime="2026-03-02T08:00Z">Monday</time>'
    assert about(body).date == "2026-03-02"


@pytest.mark.parametrize("purpose", [Purpose.INDEX, Purpose.PRODUCT])
def test_an_index_and_a_product_have_no_author_and_no_date(purpose: Purpose) -> None:
    found = about("<h1>News</h1><p>By Jane Doe</p><p>March 9, 2026</p>", DECLARED, "en", purpose)
    assert (found.byline, found.published, found.modified) == ("", "", "")


@pytest.mark.parametrize(
    "link", ['<link rel="license" href="/by">', '<a rel="nofollow license" href="/by">CC</a>']
)
def test_the_licence_is_an_address(link: str) -> None:
    assert about(f"<h1>The river</h1>{link}").licence == "https://a.test/by"


def test_the_day_in_the_address_of_a_page_that_says_no_other() -> None:
    document = Document.from_html(f"<h1>The river</h1>{TEXT}", "https://a.test/2026/3/9/river")
    assert describe(document, Extraction("any")).published == "2026-03-09"


JSON_LD = (
    '<script type="application/ld+json">'
    '{"@type":"NewsArticle","datePublished":"2026-03-09"}</script>'
)


@pytest.mark.parametrize(
    "line",
    [
        "Release date: March 4, 2026",
        "Deadline to apply: March 4, 2026",
        "Expires March 4, 2026",
        "<b>Due</b><p>March 4, 2026</p>",
    ],
)
def test_the_date_of_a_thing_on_the_page_is_not_the_pages(line: str) -> None:
    assert about(f"<h1>The river</h1><p>{line}</p>").date == ""


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("Published On: 9 March 2026", "2026-03-09"),
        ("<p>Posted</p><p>March 9, 2026</p>", "2026-03-09"),
        ("this post was submitted on 9 Mar 2026", "2026-03-09"),
        ("It was published on 9 March 2026", ""),
        ("Published by the Society. It rose on 9 March 2026", ""),
        ("<p>Published on 9 March 2026</p><p>Published on 8 March 2026</p>", ""),
    ],
)
def test_a_labelled_date_behind_the_text_counts_where_it_is_the_only_one(
    line: str, day: str
) -> None:
    assert about(f"<h1>The river</h1>{TEXT * 4}<p>{line}</p>").date == day


def test_documentation_has_a_date_where_it_shows_one() -> None:
    declared = about("<h1>river(1)</h1>", JSON_LD, purpose=Purpose.DOCUMENTATION)
    assert declared.date == ""
    shown = "<h1>river(1)</h1><p>March 9, 2026</p>"
    assert about(shown, JSON_LD, purpose=Purpose.DOCUMENTATION).date == "2026-03-09"
    assert about("<h1>The river</h1>", JSON_LD).date == "2026-03-09"


def described(url: str, body: str, head: str = "") -> Metadata:
    document = Document.from_html(f"<head>{head}</head><body>{body}{TEXT}</body>", url)
    return describe(document, Extraction("any"))


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("news/story", "2026-03-09"), ("services/dredging", ""), ("category/rivers/", ""),
        ("our-services/", ""), ("news/servicemen", "2026-03-09"),
    ],
)  # fmt: skip
def test_a_declared_day_of_what_a_site_offers_is_that_of_its_database(path: str, day: str) -> None:
    assert described(f"https://a.test/{path}", "<h1>The river</h1>", JSON_LD).date == day


@pytest.mark.parametrize(("path", "name"), [("", ""), ("/", ""), ("/about", "Jane Doe")])
def test_nobody_signs_a_front_page(path: str, name: str) -> None:
    body = "<h1>The river</h1><p>By Jane Doe</p><p>March 9, 2026</p>"
    found = described(f"https://a.test{path}", body)
    assert (found.byline, bool(found.date)) == (name, bool(name))


def test_several_marked_days_are_those_of_several_things() -> None:
    days = ("2026-03-09", "2026-03-08")
    marks = [f"<time itemprop=datePublished datetime={day}></time>" for day in days]
    assert about(f"<h1>The river</h1>{marks[0]}").date == "2026-03-09"
    assert about(f"<h1>The river</h1>{''.join(marks)}").date == ""


def test_several_days_that_nothing_declares_are_those_of_listed_things() -> None:
    assert about("<h1>News</h1><p>May 4, 2026</p><p>May 3, 2026</p>").date == ""
    assert about("<h1>News</h1><p>May 4, 2026</p>").date == "2026-05-04"


@pytest.mark.parametrize("page_type", ["listing", "collection", "product", "service"])
@pytest.mark.parametrize(
    ("shown", "declared", "found"),
    [
        ("<p>May 4, 2026</p>", "2026-05-04", "2026-05-04"),
        ("<p>May 4, 2026</p>", "2026-05-02", ""),
        ("", "2026-05-04", ""),
        ("<p>May 4, 2026</p>", "", ""),
    ],
)
def test_a_page_that_offers_things_has_a_day_that_it_shows_and_declares(
    page_type: str, shown: str, declared: str, found: str
) -> None:
    head = f'<meta property="article:published_time" content="{declared}">'
    assert about(f"<h1>Rivers</h1>{shown}", head, page_type=page_type).date == found


@pytest.mark.parametrize("line", ["By letter.", "by all of us", "Navigation Menu<p>May 4, 2026"])
def test_what_is_no_name_is_no_byline(line: str) -> None:
    assert about(f"<h1>Write to us</h1><p>{line}</p>").byline == ""


def test_labels_in_capitals_are_read() -> None:
    body = f"<h1>Rivers</h1>{TEXT}{TEXT}{TEXT}<p>PUBLISHED: May 4, 2026</p>"
    assert about(body).date == "2026-05-04"


GERMAN = "Der Regen fiel den ganzen Tag auf die Hügel, und der Fluss stieg mit jeder Stunde an. "
ENGLISH = "It rained on the hills for all of the day, and the river rose by a hand with the hour. "


@pytest.mark.parametrize(
    ("declared", "text", "language"),
    [
        ("en-US", GERMAN, "de"),
        ("en-US", ENGLISH, "en-US"),
        ("en", "Oslo 3 : 1 Bergen", "en"),
        ("nl", GERMAN, "nl"),
        ("en", GERMAN[:20] + ENGLISH, "en"),
    ],
)
def test_a_page_that_says_english_by_default_is_in_the_language_of_its_text(
    declared: str, text: str, language: str
) -> None:
    html = f"<html lang={declared}><title>x</title><article>{f'<p>{text}</p>' * 6}</article>"
    assert describe(Document.from_html(html), Extraction("x")).language == language
