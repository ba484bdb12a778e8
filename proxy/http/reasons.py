"""The tokens of Winnow-Action, Winnow-Reason and Cache-Status, with their meaning."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from winnow.proxy.http.sentences import N_

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

    PAGE = "page", N_("a person opened this page")
    REQUESTED = "requested", N_("the request names it")
    ORIGINAL_REQUESTED = "original-requested", N_("the request is for the original")
    PAUSED = "paused", N_("Winnow is paused")
    SITE_RULE = "site-rule", N_("a rule for this site says so")
    METHOD = "method", N_("only pages fetched by GET are transformed")
    STATUS = "status", N_("only responses with status 200 are transformed")
    PARTIAL = "partial", N_("only a part of the page was requested")
    NO_TRANSFORM = "no-transform", N_("the site or the client forbids transformations")
    DOWNLOAD = "download", N_("this is a file to be saved")
    NOT_HTML = "not-html", N_("this is not an HTML page")
    SUB_RESOURCE = "sub-resource", N_("this is a part of another page")
    NOT_NAVIGATION = "not-navigation", N_("a program requested this, not a person")
    PROGRAM = "program", N_("a program that crawls, downloads or builds asked for it")
    EMPTY = "empty", N_("the page is empty")
    TOO_LARGE = "too-large", N_("the page is larger than the limit")
    TOO_SLOW = "too-slow", N_("the page took too long to arrive")
    CODING = "coding", N_("the page’s compression is unknown or broken")
    CUT_SHORT = "cut-short", N_("the origin closed the connection early")
    NOT_MARKUP = "not-markup", N_("the page holds no markup")
    BUSY = "busy", N_("too many pages were waiting to be extracted")
    STARTING = "starting", N_("Winnow has just started and cannot extract yet")
    NOT_FOR_READING = "not-for-reading", N_("the page is a form, an application or the like")
    SCRIPT_SHELL = "script-shell", N_("the page’s scripts write its text")
    UPGRADE = "upgrade", N_("the connection changed to another protocol")
