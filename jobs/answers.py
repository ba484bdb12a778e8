"""What a page comes to for who asked for data, and what an error's status is: one table, all doors.

Proxy, gateway, API, command line, batch and library read it; docs/api.md shows it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from winnow.document.values import Recipe, Rendered
from winnow.jobs.job_types import JobFailure


class Fallback(StrEnum):
    """What is given in a data format where a page has no article: an error, or this instead."""

    NONE = "none"
    ORIGINAL = "original"
    TEXT = "text"


WITHOUT_ARTICLE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "no-article": "No text was found to be the article.",
        "not-for-reading": "The page is a form, an application or the like: it has no article.",
    }
)
"""Reasons (``Rendered.poor``) for which there is nothing to give as data, each with its sentence.

A result that is poor for another reason, such as ``few-words``, is given with that reason.
"""
OTHER_FILE: Final = "not-html"
BLANKS: Final = b"\x00 \t\r\n\f\xef\xbb\xbf\xfe\xff"
_SIGNATURES: Final = (
    b"%PDF-",
    b"\x89PNG",
    b"GIF8",
    b"\xff\xd8\xff",
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"RIFF",
    b"{",
    b"[",
)
"""What a body labelled ``text/html`` may be instead (MIME Sniffing standard, section 6)."""
NOTHING_TO_GIVE: Final = 422
"""The status of a page that came whole and has nothing for the format asked (RFC 9110, 15.5.21)."""
STATUS: Final[Mapping[str, int]] = MappingProxyType(
    {
        **dict.fromkeys(WITHOUT_ARTICLE, NOTHING_TO_GIVE),
        "script-shell": NOTHING_TO_GIVE,
        "too-complex": NOTHING_TO_GIVE,
        "too-large": 413,
        OTHER_FILE: 415,
        "unsupported-format": 400,
        "unknown-extractor": 400,
        "bad-form": 400,
        "bad-parameter": 400,
        "bad-selector": 400,
        "page-changed": 409,
        "no-browser": 501,
        "no-sandbox": 501,
        "render-failed": 502,
        "deadline": 504,
        "busy": 503,
        "starting": 503,
    }
)
"""The HTTP status of a page that could not be given, by its reason; 500 for any other."""


def is_other_file(body: bytes) -> bool:
    """Whether a decoded body begins as a picture, a PDF, an archive or JSON does."""
    return body[:4096].lstrip(BLANKS).startswith(_SIGNATURES)


def unanswered(rendered: Rendered) -> JobFailure | None:
    """Why a rendering is no answer to who asked for data; None where it is one."""
    sentence = WITHOUT_ARTICLE.get(rendered.poor)
    return JobFailure(rendered.poor, sentence) if sentence else None


def whole_text(recipe: Recipe) -> Recipe:
    """The recipe that gives all visible text of a page, for ``fallback=text``."""
    return replace(recipe, extractor="plain", treatments=(), live=True)


def status_of(reason: str) -> int:
    """The status of an error by its reason token."""
    return STATUS.get(reason, 500)
