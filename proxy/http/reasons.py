"""The tokens of Winnow-Action, Winnow-Reason and Cache-Status, with their meaning."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

CACHE_NAME: Final = "Winnow"
"""This cache's identifier in Cache-Status (RFC 9211, section 2)."""


class WinnowAction(StrEnum):
    """What was done with a response."""

    EXTRACTED = "extracted"
    TIDIED = "tidied"
    ORIGINAL = "original"
    TUNNEL = "tunnel"


class Reason(StrEnum):
    """Why a response was transformed or not; ``meaning`` is a sentence for readers."""

    meaning: str

    def __new__(cls, token: str, meaning: str = "") -> Reason:
        member = str.__new__(cls, token)
        member._value_, member.meaning = token, meaning
        return member

    PAGE = "page", "a person opened this page"
    REQUESTED = "requested", "the request names it"
    ORIGINAL_REQUESTED = "original-requested", "the request is for the original"
    PAUSED = "paused", "Winnow is paused"
    SITE_RULE = "site-rule", "a rule for this site says so"
    METHOD = "method", "only pages fetched by GET are transformed"
    STATUS = "status", "only responses with status 200 are transformed"
    PARTIAL = "partial", "only a part of the page was requested"
    NO_TRANSFORM = "no-transform", "the site or the client forbids transformations"
    DOWNLOAD = "download", "this is a file to be saved"
    NOT_HTML = "not-html", "this is not an HTML page"
    SUB_RESOURCE = "sub-resource", "this is a part of another page"
    NOT_NAVIGATION = "not-navigation", "a program requested this, not a person"
    EMPTY = "empty", "the page is empty"
    TOO_LARGE = "too-large", "the page is larger than the limit"
    TOO_SLOW = "too-slow", "the page took too long to arrive"
    CODING = "coding", "the page's compression is unknown or broken"
    CUT_SHORT = "cut-short", "the origin closed the connection early"
    NOT_MARKUP = "not-markup", "the page holds no markup"
    BUSY = "busy", "too many pages were waiting to be extracted"
    STARTING = "starting", "Winnow has just started and cannot extract yet"
    NOT_FOR_READING = "not-for-reading", "the page is a form, an application or the like"
    SCRIPT_SHELL = "script-shell", "the page's scripts write its text"
    UPGRADE = "upgrade", "the connection changed to another protocol"
