"""The tokens of Winnow-Action, Winnow-Reason and Cache-Status, with their meaning."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

CACHE_NAME: Final = "Winnow"
"""This cache's identifier in Cache-Status (RFC 9211, section 2)."""


class WinnowAction(StrEnum):
    """What was done with a reply."""

    EXTRACTED = "extracted"
    TIDIED = "tidied"
    ORIGINAL = "original"
    TUNNEL = "tunnel"


class Reason(StrEnum):
    """Why a reply went through as it was, or was transformed."""

    PAGE = "page"
    ASKED = "asked"
    ASKED_ORIGINAL = "asked-original"
    PAUSED = "paused"
    SITE_RULE = "site-rule"
    METHOD = "method"
    STATUS = "status"
    PARTIAL = "partial"
    NO_TRANSFORM = "no-transform"
    DOWNLOAD = "download"
    NOT_HTML = "not-html"
    SUB_RESOURCE = "sub-resource"
    NOT_NAVIGATION = "not-navigation"
    EMPTY = "empty"
    TOO_LARGE = "too-large"
    TOO_SLOW = "too-slow"
    CODING = "coding"
    CUT_SHORT = "cut-short"
    NOT_MARKUP = "not-markup"
    BUSY = "busy"
    NOT_FOR_READING = "not-for-reading"
    UPGRADE = "upgrade"


MEANINGS: dict[Reason, str] = {
    Reason.PAGE: "a person opened this page",
    Reason.ASKED: "the request asked for it",
    Reason.ASKED_ORIGINAL: "the request asked for the original",
    Reason.PAUSED: "Winnow is paused",
    Reason.SITE_RULE: "a rule for this site says so",
    Reason.METHOD: "only pages fetched by GET are transformed",
    Reason.STATUS: "only answers with status 200 are transformed",
    Reason.PARTIAL: "only a part of the page was asked for",
    Reason.NO_TRANSFORM: "the site or the client forbids transformations",
    Reason.DOWNLOAD: "this is a file to be saved",
    Reason.NOT_HTML: "this is no HTML page",
    Reason.SUB_RESOURCE: "this is a part of another page",
    Reason.NOT_NAVIGATION: "a program asked for this, not a person",
    Reason.EMPTY: "the page is empty",
    Reason.TOO_LARGE: "the page is larger than the limit",
    Reason.TOO_SLOW: "the page came too slowly",
    Reason.CODING: "the page's compression is unknown or broken",
    Reason.CUT_SHORT: "the origin broke off",
    Reason.NOT_MARKUP: "the page holds no markup",
    Reason.BUSY: "too many pages were waiting to be extracted",
    Reason.NOT_FOR_READING: "the page is not for reading but for doing something",
    Reason.UPGRADE: "the connection changed to another protocol",
}
"""One sentence a token, for banners and the documentation."""
