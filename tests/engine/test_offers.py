"""What a page's main region offers is compared with what a result shows."""

from __future__ import annotations

import pytest

from winnow.document.document import Document
from winnow.document.render.reader_page import ReaderRenderer
from winnow.document.values import Extraction, Span
from winnow.engine.main_region import MainRegion
from winnow.engine.offers import lost

TEXT = "The council decided after three long meetings to repair the bridge before the summer."


def loss(offer: str) -> str:
    """What a result is said to lose that has no more than the text around an offer."""
    document = Document.from_html(f"<body><p>{TEXT}</p>{offer}<p>{TEXT}</p>", "http://a.example/")
    at = [i for i in range(len(document.text)) if document.text.startswith(TEXT, i)]
    found = Extraction("some", tuple(Span(start, start + len(TEXT)) for start in at))
    rendered = ReaderRenderer(forms=True).render(document, found)
    return lost(document, found, rendered, MainRegion.of(document, found))


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
