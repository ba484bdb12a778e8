"""What a page's main region offers is compared with what a result shows."""

from __future__ import annotations

import pytest

from winnow.document.document import Document
from winnow.document.render.reader.reader_page import ReaderRenderer
from winnow.document.values import Extraction, Span
from winnow.engine.base.main_region import MainRegion
from winnow.engine.purpose.offers import lost

TEXT = "The council decided after three long meetings to repair the bridge before the summer."


def loss(offer: str) -> str:
    """What a result is said to lose that has no more than the text around an offer."""
    return lost_of(f"<body><p>{TEXT}</p>{offer}<p>{TEXT}</p>")


def lost_of(html: str) -> str:
    """What a result is said to lose of a page that has no more than TEXT, wherever it stands."""
    document = Document.from_html(html, "http://a.example/")
    at = [i for i in range(len(document.text)) if document.text.startswith(TEXT, i)]
    found = Extraction("some", tuple(Span(start, start + len(TEXT)) for start in at))
    rendered = ReaderRenderer(forms=True).render(document, found)
    return lost(document, found, rendered, MainRegion.of(document, found)).said


@pytest.mark.parametrize(
    ("offer", "said"),
    [
        ("<p><a href=/all.pdf>All of it</a></p>", "a file to download would be lost"),
        ("<audio src=/talk.mp3></audio>", "a player would be lost"),
        ("<div><video class=js></video></div>", "a player would be lost"),
        ("<button type=button>Add to cart</button>", "the button Add to cart would be lost"),
        ("<button>Jetzt kaufen!</button>", "the button Jetzt kaufen! would be lost"),
    ],
)
def test_what_a_result_does_not_show_is_lost(offer: str, said: str) -> None:
    assert loss(offer) == said


@pytest.mark.parametrize(
    "offer",
    [
        "<p><a href=/all.html>All of it</a></p>",
        "<div hidden><audio src=/talk.mp3></audio><button>Vote</button></div>",
        "<button type=button>Share</button><button>Order of events</button>",
        "<form method=post action=/vote><button>Vote</button></form>",
        "<form><input name=a><input name=b><button type=button>Submit</button></form>",
    ],
)
def test_what_it_shows_or_nobody_needs_is_not(offer: str) -> None:
    assert not loss(offer)


@pytest.mark.parametrize(
    ("end", "link"),
    [
        ("", "<a href=/rest>Subscribe to read the rest</a>"),
        (" and then \u2026", "<a href=/rest>Continue reading</a>"),
        (" and then...", "<a href=/rest>Read more</a>"),
        (" and then", "<a href=/rest>Weiterlesen</a>"),
    ],
)
def test_a_link_behind_a_text_without_an_end_leads_to_its_rest(end: str, link: str) -> None:
    document = Document.from_html(f"<article><p>{TEXT}{end}</p><p>{link}</p></article>")
    found = Extraction("some", (Span(0, len(TEXT + end)),))
    rendered = ReaderRenderer(forms=True).render(document, found)

    said = lost(document, found, rendered, MainRegion.of(document, found)).said
    assert said == "the link to the rest of the text would be lost"


@pytest.mark.parametrize(
    "link",
    [
        "<a href=#story-continues-2>Continue reading the main story</a>",
        "<a href=#more>Subscribe</a>",
        "<a href=/other>Read More: The other bridge</a>",
    ],
)
def test_a_link_within_the_page_or_behind_a_text_that_ends_is_no_way_to_the_rest(link: str) -> None:
    assert not lost_of(f"<article><p>{TEXT}</p><p>{link}</p></article>")


def test_a_long_text_is_read_without_the_player_that_a_script_fills() -> None:
    player = "<div><video class=js></video></div>"
    text = f"<p>{TEXT}</p>" * 10

    assert lost_of(f"<body>{text}{player}{text}") == "a player would be lost"
    assert not lost_of(f"<body>{text * 2}{player}{text}")
