"""Pages in a real Chromium: their layout, what they may not do, and what ends a browser."""

from __future__ import annotations

import os
import signal
import socketserver
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.programs import require_program
from winnow.chromium.process import VARIABLE
from winnow.document.document import Document
from winnow.document.values import Page
from winnow.extractors.errors import LayoutError, NoBrowserError
from winnow.extractors.vips.block_scoring import pieces_of
from winnow.extractors.vips.browser_pool import MOST_MARKUP, BrowserBounds, BrowserPool
from winnow.extractors.vips.content_structure import content_structure
from winnow.extractors.vips.vips_extractor import Vips
from winnow.extractors.vips.visual_tree import VisualTree

SENTENCE = "The river rose in the night and by morning the lower road was under water. "
PAGE = f"""<!doctype html><style>
 nav {{ float: left; width: 200px }} main {{ margin-left: 260px }} .away {{ display: none }}
 h1 {{ font-size: 30px }} footer {{ background: #eee; margin-top: 40px }}</style>
<nav><ul><li><a href=/>Home</a><li><a href=/news>News</a></ul></nav>
<main><h1>Flood</h1><p>{SENTENCE * 4}</p><p>{SENTENCE * 5}</p><p class=away>Unseen</p></main>
<footer>Imprint</footer>"""


@pytest.fixture(scope="module")
def pages() -> Iterator[BrowserPool]:
    require_program("chromium")
    made = BrowserPool(BrowserBounds(pages=4))
    yield made
    made.close()


def test_a_layout_tells_where_each_element_and_text_stands(pages: BrowserPool) -> None:
    document = Document.from_html(PAGE)
    layout = pages(document)
    nav, main, heading = (
        layout.boxes[document.elements_named(name)[0]] for name in ("nav", "main", "h1")
    )
    assert nav[2] - nav[0] == 200
    assert main[0] - nav[0] == 260
    assert layout.fonts[document.elements_named("h1")[0]].tolist() == [30, 700]
    assert (
        heading[3] <= layout.texts[document.pieces.owner == document.elements_named("p")[0]][0, 1]
    )
    footer, root = document.elements_named("footer")[0], 0
    assert layout.background[footer] != layout.background[root]


def test_a_page_is_laid_out_by_its_linked_sheets_if_they_were_handed_over(
    pages: BrowserPool,
) -> None:
    style = PAGE.partition("<style>")[2].partition("</style>")[0]
    body = PAGE.replace(f"<style>{style}</style>", "<link rel=stylesheet href=/s.css>").encode()
    url = "https://a.example/s.css"
    bare = Document.parse(Page(body, "https://a.example/"))
    styled = Document.parse(
        Page(body, "https://a.example/", sheets=((url, style),), beside=(("sheets", "x"),))
    )
    nav = bare.elements_named("nav")[0]
    widths = [layout.boxes[nav][2] - layout.boxes[nav][0] for layout in map(pages, (bare, styled))]
    assert widths[0] > 1000
    assert widths[1] == 200
    found = Vips().extract_laid_out(styled, pages(styled))
    assert found.reasons == ("laid out with 1 of 1 style sheets, x",)


def test_what_styles_hide_is_not_seen_and_the_article_is_one_block(pages: BrowserPool) -> None:
    document = Document.from_html(PAGE)
    tree = VisualTree(document, pages(document))
    texts = []
    for block in content_structure(tree, 8):
        kept = np.flatnonzero(pieces_of(document, tree.shown, block))
        texts.append(
            [document.text[document.pieces.start[p] : document.pieces.end[p]] for p in kept]
        )
    assert ["Flood", (SENTENCE * 4).strip(), (SENTENCE * 5).strip()] in texts
    assert not any("Unseen" in text for text in texts)


def test_a_page_is_laid_out_alike_by_another_browser(pages: BrowserPool) -> None:
    document = Document.from_html(PAGE)
    first = pages(document)
    pages.close()
    again = pages(document)
    assert np.array_equal(first.boxes, again.boxes)
    assert np.array_equal(first.texts, again.texts)


def test_a_browser_is_replaced_after_so_many_pages(pages: BrowserPool) -> None:
    pages.close()
    groups = []
    for _ in range(5):
        pages(Document.from_html("<p>words"))
        with pages.tab() as tab:
            groups.append(tab.browser.process_group)
    assert groups[0] == groups[1] == groups[2]
    assert groups[4] != groups[0]
    with pytest.raises(ProcessLookupError):
        os.kill(groups[0], 0)


class Counting(socketserver.BaseRequestHandler):
    """Counts who connects."""

    seen: list[object]

    def handle(self) -> None:
        type(self).seen.append(self.client_address)


def test_a_page_runs_no_script_and_reaches_nobody(pages: BrowserPool) -> None:
    Counting.seen = []
    with socketserver.TCPServer(("127.0.0.1", 0), Counting) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        at = f"http://127.0.0.1:{server.server_address[1]}"
        document = Document.from_html(
            f"<meta http-equiv=refresh content='0; url={at}'><link rel=stylesheet href={at}/a.css>"
            f"<style>@import '{at}/b.css'; p {{ background: url({at}/c.png) }}</style><p>words</p>"
            f"<img src={at}/d.png><iframe src={at}/e></iframe><video src={at}/f></video>"
            "<script>document.body.textContent = 'changed'</script>"
        )
        shown = VisualTree(document, pages(document)).shown
        server.shutdown()
    assert Counting.seen == []
    assert shown[: document.text[:5] == "words"].all()


def test_a_page_that_takes_too_long_costs_its_browser_and_nothing_else() -> None:
    require_program("chromium")
    slow = BrowserPool(BrowserBounds(seconds=0.0))
    with pytest.raises(LayoutError, match="longer than allowed"):
        slow(Document.from_html(PAGE))
    with slow.tab() as tab:
        assert tab.served == 0
    slow.close()


def test_a_browser_that_ends_is_reported(pages: BrowserPool) -> None:
    pages(Document.from_html("<p>words"))
    with pages.tab() as tab:
        os.killpg(tab.browser.process_group, signal.SIGKILL)
    with pytest.raises(LayoutError, match="has ended"):
        pages(Document.from_html("<p>words"))
    assert len(pages(Document.from_html("<p>words")).boxes)


def test_without_a_browser_the_error_names_the_package(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(Vips, "layouter", BrowserPool())
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(VARIABLE, raising=False)
    with pytest.raises(NoBrowserError, match="apt-get install chromium"):
        Vips().extract(Document.from_html(PAGE))


def test_a_browser_that_does_not_start_says_why(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho no display >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv(VARIABLE, str(broken))
    with pytest.raises(LayoutError, match="no display"):
        BrowserPool()(Document.from_html(PAGE))


def test_a_page_that_is_too_large_is_not_given_to_the_browser(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    document = Document.from_html("word " * (MOST_MARKUP // 5))
    with pytest.raises(LayoutError, match="larger than"):
        BrowserPool()(document)


@pytest.mark.release
def test_a_page_that_needs_more_memory_than_it_may_have_costs_its_browser_alone() -> None:
    require_program("chromium")
    document = Document.from_html("<p>" + "<div><i style='float:left'>word</i></div>" * 150_000)
    small = BrowserPool(BrowserBounds(megabytes=512))
    with pytest.raises(LayoutError, match=r"more memory|has ended"):
        small(document)
    assert len(small(Document.from_html("<p>words")).boxes)
    small.close()
