"""What becomes of a page by its purpose: extracted, tidied or left alone."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.pages import golden
from winnow.config.settings import Settings
from winnow.document.document import Document
from winnow.document.purposes import treatments_of
from winnow.document.render.reader.reader_page import ReaderRenderer
from winnow.document.spans import Record, Span
from winnow.document.values import (
    BAR_MARK,
    Extraction,
    Format,
    Page,
    Purpose,
    Recipe,
    Rendered,
    Treatment,
    Treatments,
    treated,
)
from winnow.engine.pipeline import transform
from winnow.engine.purpose.fallback import PageTreatment, candidates
from winnow.extractors.baselines.plain import Plain
from winnow.jobs.quality import QualityLimits
from winnow.jobs.rendering_key import ExtractorIdentity, fingerprint
from winnow.proxy.decisions.request.preferences import by_level

TEXT = "It rained on the hills all day long, and the river rose by a hand every hour. "
ARTICLE = f"<title>Rain</title><body><article><h1>Rain</h1>{f'<p>{TEXT}</p>' * 12}</article>"
LOG_IN = (
    "<title>Log in</title><body><form method=post action=/in><label>Name <input name=u></label>"
    "<label>Password <input type=password name=p></label><button>Log in</button></form>"
)
BY_PURPOSE = (
    *treated(Treatment.EXTRACT)[:7],
    *((kind, Treatment.ORIGINAL) for kind in (Purpose.FORM, Purpose.APPLICATION, Purpose.ERROR)),
)


def test_what_somebody_asked_for_is_extracted_whatever_it_is_for() -> None:
    rendered = transform(Page(LOG_IN.encode()), Recipe())
    assert rendered.treatment is Treatment.EXTRACT
    assert rendered.purpose is Purpose.FORM


def test_a_form_that_nobody_asked_for_is_left_alone() -> None:
    rendered = transform(Page(LOG_IN.encode()), Recipe(treatments=BY_PURPOSE))
    assert rendered.treatment is Treatment.ORIGINAL
    assert rendered.poor == "not-for-reading"
    assert rendered.purpose_reason


def test_an_article_that_nobody_asked_for_is_extracted() -> None:
    rendered = transform(Page(ARTICLE.encode()), Recipe(treatments=BY_PURPOSE))
    assert rendered.treatment is Treatment.EXTRACT
    assert rendered.purpose is Purpose.ARTICLE


@pytest.mark.parametrize("live", [True, False])
def test_a_tidied_page_has_its_own_markup_and_its_fields(live: bool) -> None:
    page = ARTICLE + LOG_IN + FOOTER + "<script>run()</script>"
    recipe = Recipe(treatments=treated(Treatment.TIDY), live=live)
    rendered = transform(Page(page.encode()), recipe)
    assert rendered.treatment is Treatment.TIDY
    assert b"<article>" in rendered.body
    assert b'type="password"' in rendered.body
    assert (b"run()" in rendered.body) == live


def test_a_tidied_page_is_another_representation_than_the_extracted_one() -> None:
    identity = ExtractorIdentity("x")
    tidy = Recipe(format=Format.HTML, treatments=treated(Treatment.TIDY))
    assert fingerprint(tidy, identity, ()) != fingerprint(Recipe(), identity, ())


PARAGRAPHS = f"<h1>Rain</h1>{f'<p>{TEXT}</p>' * 12}"
FOOTER = f"<footer>{f'<p>{TEXT}</p>' * 3}</footer>"
LISTS = "<ul>" + "".join(f"<li><a href=/{n}>Other page number {n}</a>" for n in range(20)) + "</ul>"
DEFAULTS = treatments_of(Settings().purposes)


def made(html: str, **changes: Any) -> Rendered:
    recipe = replace(Recipe(treatments=DEFAULTS, live=True), **changes)
    return transform(Page(html.encode(), "https://site.example/page"), recipe)


def test_a_result_that_loses_fields_gives_way_to_the_tidied_page() -> None:
    fields = "".join(f"<p>{TEXT * 4}<input name=f{n} required></p>" for n in range(3))
    rendered = made(f"<body><form action=/go><h1>Rain</h1>{fields}<p>{TEXT}</p></form>{FOOTER}")
    assert rendered.treatment is Treatment.TIDY
    assert b"<footer" not in rendered.body
    assert rendered.body.count(b"<input") == 3
    assert "auto was not used: 3 of 3 fields would be lost" in rendered.reasons
    assert rendered.instead == "fields-lost"


@pytest.mark.parametrize(
    ("html", "treatments", "said"),
    [
        (LISTS, DEFAULTS, "index"),
        (PARAGRAPHS, treated(Treatment.TIDY), "kind"),
        (PARAGRAPHS, DEFAULTS, ""),
        (PARAGRAPHS.replace("</p>", " <a href=/>Sea</a></p>"), treated(Treatment.EXTRACT), ""),
    ],
)
def test_a_tidied_page_names_why_it_is_not_extracted(
    html: str, treatments: Treatments, said: str
) -> None:
    assert made(f"<body>{html}", treatments=treatments).instead == said


def test_a_page_that_is_tidied_for_doubt_names_the_doubt() -> None:
    document = Document.from_html(f"<body>{LISTS}{f'<p>{TEXT}</p>' * 12}")
    recipe = Recipe(treatments=treated(Treatment.EXTRACT), live=True)
    treatment = PageTreatment(
        document, recipe, lambda found: ReaderRenderer().render(document, found), QualityLimits()
    )

    found = Extraction("chosen", _spans(document), confidence=0.1, purpose=Purpose.INDEX)

    rendered = treatment(found)

    assert (rendered.treatment, rendered.instead) == (Treatment.TIDY, "low-confidence")


def test_a_player_of_the_main_region_is_not_lost() -> None:
    page = f"<body><article>{PARAGRAPHS}<video src=/film.mp4></video><p>{TEXT}</p></article>"
    assert b"film.mp4" in made(page).body


def test_where_the_chosen_method_finds_nothing_another_that_agrees_is_used() -> None:
    document = Document.from_html(f"<body><article>{PARAGRAPHS}</article>")
    recipe = Recipe(treatments=DEFAULTS, live=True)
    treatment = PageTreatment(
        document, recipe, lambda found: ReaderRenderer().render(document, found), QualityLimits()
    )
    rendered = treatment(Extraction("chosen", purpose=Purpose.ARTICLE))
    assert rendered.treatment is Treatment.EXTRACT
    assert rendered.words_kept > 100
    assert rendered.reasons == ("chosen was not used: no-article",)


@pytest.mark.parametrize(("posts", "wanted"), [(2, Treatment.EXTRACT), (1, Treatment.ORIGINAL)])
def test_the_posts_of_a_thread_may_be_short(posts: int, wanted: Treatment) -> None:
    document = Document.from_html("<nav><a href=/>Boats and all about them</a></nav><p>Why?<p>No.")
    records = tuple(
        Record((span,), element, author="Ada")
        for element, span in enumerate(_spans(document)[:posts])
    )
    recipe = Recipe(treatments=DEFAULTS, live=True)
    treatment = PageTreatment(
        document, recipe, lambda found: ReaderRenderer().render(document, found), QualityLimits()
    )
    found = Extraction("chosen", _spans(document), purpose=Purpose.THREAD, records=records)
    assert treatment(found).treatment is wanted


def _spans(document: Document) -> tuple[Span, ...]:
    """What is said in paragraphs."""
    said = document.inside_tags("p")
    pieces = zip(document.pieces.start[said], document.pieces.end[said], strict=True)
    return tuple(Span(int(start), int(end)) for start, end in pieces)


@pytest.mark.parametrize("level", [None, *range(1, 13)])
@pytest.mark.parametrize("treatments", [DEFAULTS, ()])
@pytest.mark.parametrize(
    "html",
    [
        "<body><div id=root></div><script src=app.js></script>",
        f"<body>{LISTS}",
        "<body><img src=a.png>",
        "",
    ],
)
def test_no_page_is_ever_blank(html: str, treatments: Treatments, level: int | None) -> None:
    recipe = Recipe(treatments=treatments, live=True)
    if level:
        by = by_level(recipe)
        recipe = replace(by, options=replace(by.options, level=level))
    rendered = transform(Page(html.encode()), recipe)
    assert rendered.treatment is Treatment.ORIGINAL or rendered.words_kept
    assert rendered.words_kept * 2 >= rendered.words_total or rendered.words_kept >= 20


def test_for_a_program_a_page_without_article_is_an_empty_one_with_its_reason() -> None:
    rendered = made("<body>", treatments=(), live=False, format=Format.JSON)
    assert rendered.treatment is Treatment.EXTRACT
    assert rendered.poor == "no-article"


PRODUCT = f"""<script type="application/ld+json">{{"@type":"Product","offers":{{"@type":"Offer",
"price":"19.90"}}}}</script><body><header><nav><a href=/cart>Cart</a></nav></header><main>
<h1>Kettle</h1><p>{TEXT}</p><b>$19.90</b><form action=/cart method=post><input type=hidden name=id
value=7><input name=count value=1><button>Add to cart</button></form><p>{TEXT}</p></main>
<aside>{LISTS}</aside><script>shop()</script>"""


def test_a_product_is_tidied_with_price_and_cart_but_without_the_lists_behind_it() -> None:
    body = made(PRODUCT).body.decode()
    assert made(PRODUCT).treatment is Treatment.TIDY
    assert "$19.90" in body
    assert 'name="count"' in body
    assert "shop()" in body
    assert 'href="/cart"' in body
    assert "Other page number" not in body


MOST_READ = "<aside><h2>Most read</h2><ol><li><a href=/1>Cat elected mayor</a></li></ol></aside>"


@pytest.mark.parametrize("live", [True, False])
def test_a_list_item_that_lost_all_that_it_held_leaves_no_number(live: bool) -> None:
    tidy = treated(Treatment.TIDY)
    page = f"<body><main>{PARAGRAPHS}</main>{MOST_READ}{FOOTER}"
    body = made(page, live=live, treatments=tidy).body
    assert b"Cat elected" not in body
    assert b"<li" not in body
    field = MOST_READ.replace("</li>", "<form><input name=vote type=search></form></li>") + FOOTER
    body = made(f"<body><main>{PARAGRAPHS}</main>{field}", live=live, treatments=tidy).body
    assert b"Cat elected" not in body
    assert b'name="vote"' in body


@pytest.mark.parametrize("live", [True, False])
def test_the_rules_of_a_site_hold_for_its_tidied_pages(live: bool) -> None:
    page, tidy = f"<body><main>{PARAGRAPHS}</main>{MOST_READ}{FOOTER}", treated(Treatment.TIDY)
    body = made(page, live=live, treatments=tidy, keep=("aside",)).body
    assert b"Cat elected mayor" in body
    body = made(page, live=live, treatments=tidy, keep=("aside",), drop=("h1", "ol")).body
    assert b"Most read" in body
    assert b"<h1" not in body
    assert b"Cat elected" not in body


def test_a_product_that_is_to_be_extracted_is_not_without_its_price() -> None:
    extracting = tuple((kind, Treatment.EXTRACT) for kind, _ in DEFAULTS)
    assert b"$19.90" in made(PRODUCT, treatments=extracting).body


def test_a_price_in_a_list_of_links_keeps_the_list() -> None:
    page = PRODUCT.replace("<aside><ul>", "<aside><ul><li><a href=/other>Pan</a> $5.00</li>")
    assert b"$5.00" in made(page + FOOTER).body


def test_what_is_always_extracted_is_so_even_if_it_is_poor_but_never_blank() -> None:
    html = f"<body><h1>Rain</h1><p>{TEXT}</p>{LISTS}"
    always = tuple((kind, Treatment.EXTRACT_ANYWAY) for kind in Purpose)
    strict = QualityLimits(min_confidence=1.1)
    page, recipe = Page(html.encode()), Recipe(treatments=treated(Treatment.EXTRACT), live=True)
    assert transform(page, recipe, strict).treatment is not Treatment.EXTRACT
    rendered = transform(page, replace(recipe, treatments=always), strict)
    assert (rendered.treatment, rendered.poor) == (Treatment.EXTRACT, "low-confidence")
    blank = Page(b"<body><div id=root></div><script src=app.js></script>")
    rendered = transform(blank, replace(recipe, treatments=always), strict)
    assert rendered.treatment is Treatment.ORIGINAL


@pytest.mark.parametrize(("kept", "treatment"), [(19, Treatment.ORIGINAL), (20, Treatment.TIDY)])
def test_a_tidied_page_with_hardly_a_word_left_gives_way_to_the_original(
    kept: int, treatment: Treatment, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = Rendered(
        b"", "text/html", "x", words_kept=kept, words_total=50, treatment=Treatment.TIDY
    )
    monkeypatch.setattr("winnow.engine.purpose.fallback.tidied", lambda *_: left)
    tidy = Recipe(treatments=treated(Treatment.TIDY))
    assert transform(Page(ARTICLE.encode()), tidy).treatment is treatment


def test_the_extractions_of_other_methods_have_records_too() -> None:
    posts = "".join(
        f"<div class=post id=post-{at}><h4><a class=username>{who}</a></h4><time "
        f"datetime=2024-03-04T10:2{at}>4 March</time><div class=message-body>{TEXT * 3}</div></div>"
        for at, who in enumerate(("rider7", "chainoil"))
    )
    document = Document.from_html(f"<title>Rain</title><main>{posts}</main>")
    first = replace(Plain().extract(document), purpose=Purpose.THREAD)
    others = list(candidates(document, first, Recipe()))[1:]
    assert others
    assert all([one.author for one in other.records] == ["rider7", "chainoil"] for other in others)


def test_the_article_as_data_is_the_one_that_the_reader_view_shows() -> None:
    others = 0
    for folder in sorted(golden.FOLDER.iterdir()):
        if not (folder / "source.html").exists():
            continue
        page = Page((folder / "source.html").read_bytes(), "https://site.example/page")
        shown = transform(page, Recipe(treatments=DEFAULTS), QualityLimits())
        recipe = Recipe(treatments=DEFAULTS, format=Format.JSON)
        data = transform(page, recipe, QualityLimits())
        assert json.loads(data.body)["content"] is not None
        if shown.treatment is Treatment.EXTRACT:
            assert (data.extractor, data.words_kept) == (shown.extractor, shown.words_kept), folder
            others += shown.extractor != "auto"
    assert others, "the check had no page take another method"


@pytest.mark.parametrize(
    "part",
    [
        "<header>{}</header>",
        "<div role=banner>{}</div>",
        "<div class=site-header>{}</div>",
        "<div class=navMenu_x1Y2z3>{}</div>",
        "<div id=cookie-notice>{}</div>",
        "<section class=newsletter>{}</section>",
        "<aside>{}</aside>",
        "<div class=sidebar>{}</div>",
        "<div class=related-products>{}</div>",
        "<footer>{}</footer>",
    ],
)
@pytest.mark.parametrize("live", [True, False])
def test_the_furniture_of_a_site_goes_by_landmark_role_and_name(part: str, live: bool) -> None:
    said = part.format(f"<p>{'<a href=/everywhere>Everywhere the same</a> ' * 12}</p>")
    rendered = made(PRODUCT.replace("</main>", f"</main>{said}"), live=live)
    assert rendered.treatment is Treatment.TIDY
    assert b"Everywhere" not in rendered.body
    assert b"$19.90" in rendered.body


@pytest.mark.parametrize(
    "part",
    [
        "<footer><main>{}</main></footer>",
        "<div class=product-header>{}</div>",
        "<article><header>{}</header></article>",
        "<div class=sidebar><b>$7.00</b>{}</div>",
        "<div class=sidebar>{}<select name=size></select><select name=colour></select></div>",
        "<nav aria-label=Breadcrumb class=breadcrumb>{}</nav>",
        "<footer><form class=filters>{}</form></footer>",
    ],
)
def test_what_a_page_is_for_stays_where_it_stands_in_furniture(part: str) -> None:
    said = part.format(f"<p>{'What this page alone is for. ' * 8}</p>")
    rendered = made(PRODUCT.replace("</main>", f"</main>{said}") + FOOTER)
    assert rendered.treatment is Treatment.TIDY
    assert rendered.body.count(b"What this page alone is for.") == 8


CARD = "<li><a href=/{0}><img src={0}.jpg>Another pot {0}</a> $2.50</li>"
CARDS = f"<section><h2>More pots</h2><ul>{''.join(map(CARD.format, range(6)))}</ul></section>"


def test_rows_of_other_offers_behind_a_product_go_and_those_of_a_list_stay() -> None:
    body = made(PRODUCT.replace("</main>", f"{CARDS}</main>") + FOOTER).body
    assert b"Another pot" not in body
    assert b"More pots" not in body
    other = PRODUCT.replace("<b>$19.90</b>", "<b>$3.00 a parcel</b>")
    body = made(
        other.replace("</main>", f"{CARDS.replace('$2.50', '$19.90')}</main>") + FOOTER
    ).body
    assert body.count(b"Another pot") == 6
    before = PRODUCT.replace("<b>$19.90</b>", "").replace("</main>", f"{CARDS}</main>")
    assert made(before + FOOTER).body.count(b"Another pot") == 6


@pytest.mark.parametrize(("words", "treatment"), [(4, Treatment.ORIGINAL), (40, Treatment.TIDY)])
def test_a_page_from_which_less_than_a_tenth_goes_is_passed_on(
    words: int, treatment: Treatment
) -> None:
    page = f"<body><main>{PARAGRAPHS}</main><footer>{'word ' * words}</footer>"
    assert made(page, treatments=treated(Treatment.TIDY)).treatment is treatment


@pytest.mark.parametrize("live", [True, False])
def test_the_bar_has_its_place_where_the_first_of_a_page_goes(live: bool) -> None:
    page = f"<body><header>{'word ' * 90}</header><main>{PARAGRAPHS}</main>"
    body = made(page, live=live, treatments=treated(Treatment.TIDY)).body
    assert b"<header" not in body
    assert body.count(BAR_MARK) == 1
