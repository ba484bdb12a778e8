"""Articles as books and on paper, and feeds with whole articles (docs/views.md)."""

from __future__ import annotations

from typing import Final

from winnow.feature import Feature, OwnAddress
from winnow.proxy.access.own_addresses import OwnFace
from winnow.proxy.own.operations import BOOK, SWITCH, TEXT, PageOperation, QueryParameter

FEATURE: Final = Feature(
    name="books",
    addresses=(
        OwnAddress(
            "/-/book",
            face=OwnFace.FETCH,
            operations=(
                PageOperation(
                    "Pages as an EPUB book",
                    (BOOK,),
                    (
                        QueryParameter(
                            "url",
                            "Addresses of the chapters.",
                            {"type": "array", "items": TEXT, "minItems": 1, "maxItems": 20},
                            required=True,
                        ),
                        QueryParameter("title", "Title of the book."),
                        QueryParameter("images", "Whether images are included.", SWITCH),
                    ),
                ),
            ),
        ),
        OwnAddress("/-/print", face=OwnFace.FETCH),
        OwnAddress(
            "/-/feed",
            face=OwnFace.FETCH,
            operations=(
                PageOperation(
                    "A feed with full articles",
                    ("application/rss+xml", "application/atom+xml", "application/feed+json"),
                    (QueryParameter("url", "Address of a feed, or of a page.", required=True),),
                ),
            ),
        ),
        OwnAddress("/-/opml"),
    ),
    pages="winnow.features.books.pages:pages",
)
