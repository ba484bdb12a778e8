"""Files and players stay with the text that they belong to."""

from __future__ import annotations

import pytest

from winnow.document.document import Document
from winnow.document.values import Extraction, Span
from winnow.engine.net.completion import completed

TEXT = "The council decided after three long meetings to repair the bridge before the summer."
FILE = "<p><a href=/figures.csv>Download the figures</a> (12 kB)</p>"


def shown(html: str) -> str:
    """The text of a page of which a method keeps no more than ``TEXT``, media as U+FFFC."""
    document = Document.from_html(html)
    at = [i for i in range(len(document.text)) if document.text.startswith(TEXT, i)]
    spans = tuple(Span(start, start + len(TEXT)) for start in at)
    found = completed(document, Extraction("some", spans))
    return "\n".join(document.text[span.start : span.end] for span in found.spans)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (f"<article><p>{TEXT}</p>{FILE}</article>", "Download the figures (12 kB)"),
        (f"<article><p>{TEXT}</p>{FILE}<p>{TEXT}</p></article>", "Download the figures (12 kB)"),
        (f"<p>{TEXT}<p>Share this<p><a download href=/f?id=1>All of it</a>", "All of it"),
        (f"<p>{TEXT}<p><a href='/a.PDF?v=2'>Report</a>", "Report"),
        (f"<p>{TEXT}<p>{'more ' * 30}<a href=/a.zip>The archive</a>", "The archive"),
        (f"<article><p>{TEXT}</p><h2>Listen</h2><audio src=/t.wav></audio></article>", "\ufffc"),
        (f"<div><p>{TEXT}</p></div><video><source src=/t.webm></video>", "\ufffc"),
    ],
)
def test_a_file_and_a_player_stay(html: str, text: str) -> None:
    assert text in shown(html)


@pytest.mark.parametrize(
    "html",
    [
        f"<p>{TEXT}<p><a href=/more.html>Another text</a>",
        f"<p>{TEXT}<p><a href=/pdf>PDF</a><p><a href=/download>Download</a>",
        f"<p>{TEXT}</p><footer><a href=/terms.pdf>Terms</a></footer>",
        f"<p>{TEXT}</p><aside><audio src=/jingle.mp3></audio></aside>",
        f"<p>{TEXT}</p><div hidden>{FILE}</div>",
        f"<p>{TEXT}</p><video></video>",
        f"<p>{TEXT}</p>{'<p>Next text</p>' * 4}{FILE}",
        f"<div><article><p>{TEXT}</p></article></div>"
        f"<div><p>{'<p>Next text</p>' * 4}</p>{FILE}</div>",
        f"{FILE}<p>{TEXT}</p>",
        FILE,
    ],
)
def test_what_belongs_to_other_parts_does_not(html: str) -> None:
    assert shown(html) in (TEXT, "")


def test_of_a_long_line_the_link_alone_stays() -> None:
    found = shown(f"<p>{TEXT}<p>{'more ' * 30}<a href=/a.zip>The archive</a>")
    assert "more" not in found
