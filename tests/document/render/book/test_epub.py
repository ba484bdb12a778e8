"""A book is what EPUB 3.3 says, whatever the page was; epubcheck judges the hardest of them."""

from __future__ import annotations

import io
import subprocess
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from tests.programs import require_program
from winnow.document.render.book.epub import Chapter, EpubImage, write_book
from winnow.document.render.book.xhtml import xhtml_of
from winnow.document.render.book.xml_values import address, language_tag
from winnow.document.values import Format, Page, Recipe
from winnow.engine.pipeline import transform

HARD = """<p id="x y">One <a href="#x y">up</a> <a href="#gone">dead</a> <b>bold<p>stray</p></b></p>
<ul>text<li>Item<p>Par</p></li><p>between</p></ul><dl><dt>Term</dt><dd>Said</dd></dl>
<table>loose<tr><td colspan="2" rowspan="x">a</td></tr><caption>Late</caption></table>
<figure><img src="https://a.example/i.png" alt="A cat"><figcaption>Cat<figcaption>two</figure>
<pre><code>x &lt; y</code></pre><p><math display="block"><mi>x</mi><mo>=</mo><mn>1</mn></math></p>
<p><a href="https://a.example/a b|c?d=e f#g h">link</a> <a href="javascript:x()">no</a></p>
<video src="https://a.example/v.mp4"></video><details><summary>More</summary>Text</details>
<p><ruby>漢<rt>kan</rt></ruby><time datetime="never">then</time><wbr><br></p><hr>
<ol start="x" type="a" reversed><li value="3" lang="not a language">Three</li></ol>
<h4 id="x y">Twice the same name</h4><li>alone</li><td>cell</td><span><div>in</div></span>"""
HELD = {"https://a.example/i.png": EpubImage("image/png", bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360000002000001e221bc330000000049454e44ae426082"
))}  # fmt: skip


def opened(book: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def hard_book() -> bytes:
    first = Chapter("Hard <&> \x01 page", HARD, "https://a.example/1", "A & B", "2024-05-06", "en")
    second = Chapter("", "<p>Two</p>", language="x_y", direction="rtl", published="99999")
    return write_book([first, second], "Both", HELD)


def test_the_media_type_comes_first_and_is_not_packed() -> None:
    book = hard_book()
    assert book[30:58] == b"mimetypeapplication/epub+zip"
    assert book[8:10] == b"\0\0"


def test_every_file_is_in_the_manifest_and_well_formed() -> None:
    files = opened(hard_book())
    package = etree.fromstring(files["EPUB/book.opf"])
    listed = {str(item.get("href")) for item in package.iter("{*}item")}
    assert listed == {name[5:] for name in files if name.startswith("EPUB/")} - {"book.opf"}
    for name, body in files.items():
        if name.endswith(("xhtml", "xml", "opf")):
            etree.fromstring(body)
    assert files["EPUB/image1.png"] == HELD["https://a.example/i.png"].body


def test_images_are_of_the_book_or_links_out_of_it() -> None:
    page = '<p><img src="https://a.example/i.png" alt="Cat"></p>'
    inside = opened(write_book([Chapter("T", page)], images=HELD))["EPUB/chapter1.xhtml"]
    assert b'<img src="image1.png" alt="Cat"/>' in inside
    outside = opened(write_book([Chapter("T", page)]))["EPUB/chapter1.xhtml"]
    assert b'<a href="https://a.example/i.png">[Image: Cat]</a>' in outside


def test_links_within_lead_somewhere_or_are_none() -> None:
    body = etree.tostring(xhtml_of(HARD, lambda _: "").body).decode()
    assert 'href="#a1"' in body
    assert "gone" not in body
    assert body.count('id="a1"') == 1


def test_the_same_chapters_give_the_same_bytes() -> None:
    assert hard_book() == hard_book()


@given(st.text(alphabet="<>/abdiplntrou \"='&;#\x01x", max_size=120))
def test_any_markup_becomes_well_formed(markup: str) -> None:
    etree.fromstring(etree.tostring(xhtml_of(markup, lambda _: "").body))


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("https://a.example/a b|c#d#e", "https://a.example/a%20b%7Cc#d%23e"),
        ("mailto:a@a.example", "mailto:a@a.example"),
        ("http://[", ""),
        ("http:///nowhere", ""),
        ("ftp://a.example/", ""),
        ("", ""),
    ],
)
def test_addresses_are_such_as_links_may_hold(told: str, kept: str) -> None:
    assert address(told) == kept


def test_languages_are_tags_or_undetermined() -> None:
    told = ["de-AT", "zh-Hant-TW", "english", "x_y", ""]
    assert [language_tag(language) for language in told] == [*told[:2], *["und"] * 3]


def test_a_page_becomes_a_book_of_one_chapter() -> None:
    page = Page(
        b"<html lang=de><title>Der Regen</title><p>" + b"Es regnet heute. " * 9, "http://a.example/"
    )
    shown = transform(page, Recipe("plain", Format.EPUB))
    assert shown.media_type == "application/epub+zip"
    assert shown.title == "Der Regen"
    assert b"Es regnet heute." in opened(shown.body)["EPUB/chapter1.xhtml"]


def test_epubcheck_finds_nothing(tmp_path: Path) -> None:
    jar = require_program("epubcheck")
    book = tmp_path / "hard.epub"
    book.write_bytes(hard_book())
    found = subprocess.run(
        ["java", "-jar", jar, "-q", book], capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stdout + found.stderr) == (0, "")


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("<p>By Ada Fenn, 21 September</p><p>The mill turns.</p>", "The Courier"),
        ("<p>The mill turns.</p>", "Ada Fenn \u00b7 The Courier"),
    ],
)
def test_the_author_stands_below_the_title_unless_the_text_begins_with_it(
    content: str, line: str
) -> None:
    chapter = Chapter("T", content, byline="Ada Fenn", site="The Courier")
    body = opened(write_book([chapter]))["EPUB/chapter1.xhtml"].decode()
    assert f'<p class="about">{line}</p>' in body


def test_a_list_begins_where_its_page_says() -> None:
    body = xhtml_of('<ol start="3"><li>C</li></ol><ul start="3"><li>c</li></ul>', str).body
    assert [(str(each.tag).rpartition("}")[2], each.get("start")) for each in body] == [
        ("ol", "3"),
        ("ul", None),
    ]
