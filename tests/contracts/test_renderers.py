"""What every renderer promises (winnow.document.render.renderers), tried on pages of every kind."""

from __future__ import annotations

import io
import json
import re
import zipfile

import pytest

from tests.document.render.pages import Elements, dangers, keeping, whole
from winnow.document.document import Document
from winnow.document.render.renderers import renderer_for
from winnow.document.texts.page_word_table import TRANSLATIONS
from winnow.document.values import BAR_MARK, Extraction, Format, Recipe, Rendered, Span

FORMATS = list(Format)
MARKUP = [Format.HTML, Format.PRUNED]
URL = "https://example.org/a/b.html"

STORY = """<!doctype html><html lang="en"><head><title>Rain at last</title>
<style>p{color:red}</style>
<script>alert("no")</script></head><body onload="alert(1)"><nav><a href="/">Home</a></nav>
<h1>Rain at last</h1><p>It rained <b>all</b> day &amp; night.</p><p>Then it &lt;stopped&gt;.</p>
<ul><li>One<li>Two</ul><table><tr><th>A<th>B<tr><td>1<td>2</table>
<pre>  a
    b</pre><img src="rain.png" alt="Rain"><aside>Buy an umbrella</aside></body></html>"""

PAGES = {
    "story": STORY,
    "empty": "",
    "one word": "word",
    "only markup": "<div><p></p><img></div>",
    "unclosed": "<div><p>a<b>b<i>c<table><tr><td>d<ul><li>e",
    "misnested": "<b>1<p>2</b>3</p><a>4<a>5</a></i></div>6<li>7<td>8<dd>9",
    "frameset": '<frameset><frame src="a.html"><noframes>none</noframes></frameset>',
    "right to left": '<html dir="rtl" lang="ar"><p>\u0645\u0637\u0631 <b>\u0627\u0644\u064a</b>',
    "no spaces": '<html lang="ja"><h1>\u96e8</h1><p>\u4eca\u65e5\u306f\u96e8\u3067\u3059\u3002',
    "nul and surrogates": "<p>a\0b</p><p>&#xD800;</p>\ufffe",
    "raw text": "<p>a</p><xmp><b>x</xmp><textarea><p>t</textarea><noembed><b></noembed>",
    "comments": "<!-- a --><p>b<!--winnow:bar-->c</p><!-- <p>d</p> -->",
    "foreign": "<p>a<svg><title>t</title><p>b</svg>c<math><mtext><p>y</p></mtext></math>d",
    "deep": "<ul><li>" * 250 + "deep",
    "wide": "<p>word <a href=x>link</a></p>\n" * 1_000,
}


def render(html: str, form: Format, *wanted: str, prefix: str = "") -> Rendered:
    document = Document.from_html(html, URL)
    extraction = keeping(document, *wanted) if wanted else whole(document)
    return renderer_for(Recipe(format=form, link_prefix=prefix)).render(document, extraction)


def told(body: bytes, form: Format) -> bytes:
    """What a rendering says: the files of a book one after the other."""
    if form is not Format.EPUB:
        return body
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        return b"\n".join(map(archive.read, archive.namelist()))


@pytest.fixture(params=PAGES)
def html(request: pytest.FixtureRequest) -> str:
    return PAGES[request.param]


@pytest.fixture(params=FORMATS)
def form(request: pytest.FixtureRequest) -> Format:
    found: Format = request.param
    return found


@pytest.fixture(params=MARKUP)
def markup(request: pytest.FixtureRequest) -> Format:
    found: Format = request.param
    return found


def test_any_page_is_shown_in_any_format(html: str, form: Format) -> None:
    shown = render(html, form)
    if form is not Format.EPUB:  # an archive
        assert shown.body.decode("utf-8") == shown.body.decode("utf-8", "ignore")
    assert shown.words_kept <= shown.words_total


def test_the_same_page_gives_the_same_bytes(html: str, form: Format) -> None:
    assert render(html, form) == render(html, form)


def test_a_document_is_not_changed_by_being_shown(form: Format) -> None:
    document = Document.from_html(STORY, URL)
    before = document.text, document.markup, document.pieces.gap.tolist()
    renderer_for(Recipe(format=form)).render(document, whole(document))
    assert before == (document.text, document.markup, document.pieces.gap.tolist())


def test_an_extraction_that_keeps_nothing_shows_no_text(form: Format) -> None:
    document = Document.from_html(STORY, URL)
    shown = renderer_for(Recipe(format=form)).render(document, Extraction("none"))
    assert shown.words_kept == 0
    assert form is Format.SPANS or b"umbrella" not in told(shown.body, form)


def test_spans_beyond_the_text_are_cut_off(form: Format) -> None:
    document = Document.from_html("<p>short</p>", URL)
    extraction = Extraction("far", (Span(0, 10_000),))
    shown = renderer_for(Recipe(format=form)).render(document, extraction)
    assert b"short" in told(shown.body, form)


def test_nothing_outside_the_spans_is_shown(form: Format) -> None:
    if form is Format.SPANS:
        return
    shown = told(render(STORY, form, "It rained all day", "One").body, form)
    for dropped in (b"Home", b"umbrella", b"stopped", b"Two", b"night", b"rain.png"):
        assert dropped not in shown
    assert b"It rained" in shown


def test_markup_is_well_formed(html: str, markup: Format) -> None:
    assert Elements(render(html, markup).body.decode()).errors == []


def test_markup_holds_nothing_that_runs(html: str, markup: Format) -> None:
    assert list(dangers(render(html, markup).body.decode())) == []


SKIPS = {text.encode() for text in ("Skip to the text", *TRANSLATIONS["Skip to the text"])}


def test_the_bar_has_one_place_behind_nothing_but_the_skip_link(html: str, markup: Format) -> None:
    body = render(html, markup).body
    assert body.count(BAR_MARK) == (0 if b"<body" not in body else 1)
    before, found, _ = body.partition(BAR_MARK)
    assert not found or before.rstrip().endswith(b">")
    shown = re.sub(rb"<[^>]+>", b"", before.partition(b"<body")[2].partition(b">")[2])
    assert shown.strip() in {b"", *SKIPS}


@pytest.mark.parametrize("form", [Format.HTML, Format.PRUNED, Format.MARKDOWN, Format.JSON])
def test_links_stay_in_the_gateway(form: Format) -> None:
    prefix = "http://127.0.0.1:8080/"
    page = '<p><a href="/next">next</a> <a href="#down">down</a> <img src="i.png"><p id="down">x'
    shown = render(page, form, prefix=prefix).body.decode()
    assert shown.count("https://example.org/next") == shown.count(
        prefix + "https://example.org/next"
    )
    assert prefix + "https://example.org/a/i.png" in shown
    assert prefix + "#down" not in shown


def test_json_holds_the_shared_fields() -> None:
    fields = json.loads(render(STORY, Format.JSON).body)
    names = (
        "title byline publishedTime modifiedTime siteName lang dir image license excerpt content "
        "textContent length url extractor pageType purpose confidence reasons readingTimeSeconds "
        "withheldWords posts facts agreement blocks changes"
    )
    assert list(fields) == names.split()
    assert fields["length"] == len(fields["textContent"])
    assert list(dangers(fields["content"])) == []


def test_spans_are_offsets_in_the_text_beside_them() -> None:
    document = Document.from_html(STORY, URL)
    extraction = keeping(document, "It rained", "Two")
    shown = json.loads(renderer_for(Recipe(format=Format.SPANS)).render(document, extraction).body)
    assert [shown["text"][start:end] for start, end, _ in shown["spans"]] == ["It rained", "Two"]
