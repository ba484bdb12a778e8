"""What is done with a page by its purpose, unless the reader chose otherwise."""

from __future__ import annotations

from dataclasses import dataclass

from winnow.config.setting_fields import setting


def _purpose(default: str, pages: str) -> str:
    return setting(default, f"{pages}.", choices=("extract", "tidy", "original"))


@dataclass(frozen=True, slots=True)
class PurposeSettings:
    """What is done with pages by their purpose, unless the reader chose otherwise."""

    article: str = _purpose(
        "extract",
        "Articles, and other pages that are mostly text. extract makes a reader page, tidy keeps "
        "the page’s own design and removes clutter, original changes nothing",
    )
    documentation: str = _purpose("extract", "Manuals and references")
    thread: str = _purpose("extract", "Discussions")
    question: str = _purpose("extract", "Questions with answers")
    recipe: str = _purpose("extract", "Recipes")
    product: str = _purpose("tidy", "Things for sale, one a page")
    index: str = _purpose("tidy", "Front pages, listings, collections and search results")
    form: str = _purpose("original", "Log-in, sign-up, checkout, payment, contact, search boxes")
    application: str = _purpose("original", "Pages made by scripts: maps, editors, mail, players")
    error: str = _purpose("original", "Errors and checks for robots")
