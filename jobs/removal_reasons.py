"""Why a part of a page is left out, as a reader sees it: what is true of the part, by one name."""

from __future__ import annotations

from enum import StrEnum


class RemovalReason(StrEnum):
    """Each names a property of the part, not a step of the method (BlockReason has that)."""

    RULE = "rule"
    NO_ARTICLE = "no-article"
    AD = "ad"
    COOKIES = "cookies"
    COMMENTS = "comments"
    SHARING = "sharing"
    SUBSCRIBING = "subscribing"
    RELATED = "related"
    MENU = "menu"
    FOOTER = "footer"
    FORM = "form"
    ABOUT = "about"
    LINKS = "links"
    BESIDE = "beside"
    HEADER = "header"
    BEFORE = "before"
    AFTER = "after"
    SHORT = "short"
    UNLIKE = "unlike"
