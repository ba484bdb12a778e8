"""The page with marks: its look, no act of its own, and our links."""

from __future__ import annotations

from base64 import urlsafe_b64decode

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.document.render.pages import dangers
from tests.payloads import PAYLOADS
from winnow.document.document import Document
from winnow.document.render.style_sheets import StyleSheets, imports_of, sheets_of
from winnow.features.why.marked_page import Mark, Marks, marked_page
from winnow.features.why.marked_sheets import MarkedAddresses, harmless

URL = "https://farm.example/a/story"
GONE = Mark("gone", "Left out: a menu.", "Keep", "/-/part?x=1&y=2")


def written(
    html: str, marks: Marks | None = None, sheets: dict[str, str] | None = None
) -> LexborHTMLParser:
    addresses = MarkedAddresses(URL, "", URL, "/-/why?url=", "/-/image/")
    page = marked_page(
        Document.from_html(html, URL), marks or Marks({}, {}), addresses, StyleSheets(sheets or {})
    )
    return LexborHTMLParser(page)


def on(html: str, name: str, mark: Mark = GONE) -> LexborHTMLParser:
    """The page with the first element of a name marked."""
    document = Document.from_html(html, URL)
    return written(html, Marks({document.elements_named(name)[0]: mark}, {}))


def image(address: str) -> str:
    assert address.startswith("/-/image/")
    return urlsafe_b64decode(address.removeprefix("/-/image/")).decode()


def test_all_text_and_its_classes_are_there_and_scripts_are_not() -> None:
    html = "<body class=x onload=a()><nav id=n>Menu</nav><script>b()</script><p style=color:red>T"
    tree = written(html)
    assert tree.css_first("body.x nav#n") is not None
    assert tree.css_first("p[style]") is not None
    assert not tree.css("script, [onload]")


def test_links_lead_to_our_page_about_their_target_and_nowhere_else() -> None:
    html = """<a href="/b?c=1&d=2" target=x ping=/p>B</a><a href="#top">Up</a>
    <a href="javascript:a()">J</a><a href="mailto:a@b">M</a><map><area href="//evil.example/"></map>
    <form action=/f method=post target=_top><button formaction=/g>G</button></form>"""
    tree = written(html)
    links = [node.attributes.get("href") for node in tree.css("a")]
    assert links == [
        "/-/why?url=https%3A%2F%2Ffarm.example%2Fb%3Fc%3D1%26d%3D2",
        "#top",
        None,
        None,
    ]
    targets = [node.attributes.get("target") for node in tree.css("a, area, form")]
    assert targets == ["_top", None, None, None, "_top", None]
    assert not tree.css("[ping], [action], [formaction]")
    assert all(node.attributes.get("tabindex") == "-1" for node in tree.css("a, button"))


def test_pictures_come_through_us_in_markup_and_in_style() -> None:
    html = """<img src=i.png srcset="j.png 2x"><p style="background:url('k.png?a&b')">T
    <style>p { background: url(//cdn.example/l.png) }</style>"""
    tree = written(html)
    picture = tree.css_first("img")
    assert picture is not None
    assert image(picture.attributes["src"] or "") == "https://farm.example/a/i.png"
    assert image((picture.attributes["srcset"] or "").split()[0]) == "https://farm.example/a/j.png"
    style = tree.css_first("p").attributes["style"] or ""  # type: ignore[union-attr]  # it is there
    assert image(style.split('"')[1]) == "https://farm.example/a/k.png?a&b"
    sheet = tree.css_first("style").text()  # type: ignore[union-attr]  # likewise
    assert image(sheet.split('"')[1]) == "https://cdn.example/l.png"


def test_pictures_for_browsers_without_scripts_are_not_asked_for() -> None:
    assert not written("<body><noscript><img src=count.png alt=x>Text</noscript>").css("img")


LINKED = """<link rel=stylesheet href=s.css media=screen>
<link rel="alternate stylesheet" href=t.css>
<link rel=preload href=u.css><noscript><link rel=stylesheet href=v.css></noscript>
<style>@import "w.css";</style><link rel=stylesheet disabled href=x.css><p>Text"""


def test_the_sheets_that_a_browser_would_load_are_named() -> None:
    found = sheets_of(Document.from_html(f"<html><head>{LINKED}", URL))
    assert found == ("https://farm.example/a/s.css", "https://farm.example/a/w.css")
    css = {"https://farm.example/a/s.css": "@import url(more/y.css) screen;"}
    assert imports_of(css) == ("https://farm.example/a/more/y.css",)


def test_sheets_stand_in_the_page_with_what_they_import() -> None:
    sheets = {
        "https://farm.example/a/s.css": "@import url(more/y.css) print; p { color: red }",
        "https://farm.example/a/more/y.css": "p { background: url(z.png) }",
        "https://farm.example/a/w.css": "@import 'w.css'; p { margin: 0 }",
    }
    tree = written(f"<html><head>{LINKED}", sheets=sheets)
    assert not tree.css("link")
    first, second = (node for node in tree.css("style")[:2])
    assert first.attributes["media"] == "screen"
    assert first.text().startswith("@media print { p { background: url(")
    assert image(first.text().split('"')[1]) == "https://farm.example/a/more/z.png"
    assert second.text().count("margin: 0") == 2, "what imports itself ends"


def test_sheets_that_import_one_another_have_a_bound() -> None:
    css = "@import 'w.css'; " * 1000 + "p { margin: 0 }"
    sheets = StyleSheets({"https://farm.example/a/w.css": css}, largest=5 * len(css))
    written = harmless(MarkedAddresses(URL))
    assert sheets.inline(css, "https://farm.example/a/w.css", written).count("margin: 0") == 5


@pytest.mark.parametrize("held", ["fixed", "sticky", "-webkit-sticky", "FIXED"])
def test_what_is_held_in_the_window_stands_in_the_page(held: str) -> None:
    """A banner over the frame would hide what is below it."""
    css = f"nav {{ position : {held} !important; top: 0 }} p {{ position: relative }}"
    html = f"<html><head>{LINKED}<style>{css}</style><nav style='position:{held}'>Menu</nav>"
    tree = written(html, sheets={"https://farm.example/a/s.css": css})
    sheets = [node.text() for node in tree.css("style")]
    expected = "nav { position:static !important; top: 0 } p { position: relative }"
    assert sheets.count(expected) == 2
    nav = tree.css_first("nav")
    assert nav is not None
    assert nav.attributes["style"] == "position:static"


def test_no_sheet_ends_its_element() -> None:
    evil = "</style><script>a()</script>@import url(y.css) </style><img src=x onerror=a()>;"
    tree = written(f"<html><head>{LINKED}", sheets={"https://farm.example/a/s.css": evil})
    assert not tree.css("script, [onerror]")


def test_a_mark_has_its_note_and_its_link() -> None:
    tree = on("<body><nav><a href=/a>Home</a></nav><p>Text", "nav")
    nav = tree.css_first("nav[data-winnow=gone]")
    assert nav is not None
    assert nav.attributes["title"] == GONE.note
    link = nav.css_first("a[data-winnow-note]")
    assert link is not None
    assert link.attributes["href"] == GONE.link
    assert "tabindex" not in link.attributes
    assert GONE.note in link.text()


def test_the_link_of_a_table_stands_in_its_first_cell() -> None:
    tree = on("<body><table><tr><td>A<td>B</table>", "table")
    assert tree.css_first("table[data-winnow=gone] td > a[data-winnow-note]") is not None
    assert len(tree.css("a[data-winnow-note]")) == 1


def test_no_link_stands_in_a_link() -> None:
    tree = on("<body><a href=/a><div>Teaser</div></a>", "div")
    assert tree.css_first("a > div[data-winnow=gone][title]") is not None
    assert not tree.css("[data-winnow-note]")


def test_loose_text_is_marked_by_an_element_of_ours() -> None:
    html = "<body><div>Loose <b>words</b><p>Text</p></div>"
    tree = written(html, Marks({}, {0: (2, GONE)}))
    assert [node.text() for node in tree.css("span[data-winnow]")] == ["Loose ", "words"]
    assert len(tree.css("a[data-winnow-note]")) == 1


def test_a_page_cannot_write_marks_itself() -> None:
    tree = written("<body><p data-winnow=kept data-winnow-note=x>Text")
    assert not tree.css("[data-winnow], [data-winnow-note]")


@pytest.mark.parametrize("kind", PAYLOADS)
def test_no_payload_runs(kind: str) -> None:
    for payload in PAYLOADS[kind]:
        html = f"<title>{payload}</title><body><div>{payload}</div><p>Text {payload}"
        page = written(html).html
        assert page is not None
        assert list(dangers(page)) == []
