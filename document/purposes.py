"""What a page is for, and what is done with pages of each purpose. Imports no parser."""

from __future__ import annotations

from enum import StrEnum


class Purpose(StrEnum):
    """What a page is for.

    ``index``: a front page, listing, collection or search results. ``form``: log-in, sign-up,
    checkout, payment, contact or search only. ``application``: a page made by its scripts, a map,
    an editor, webmail or a player. ``error``: an error, or a check for robots.
    """

    ARTICLE = "article"
    DOCUMENTATION = "documentation"
    THREAD = "thread"
    QUESTION = "question"
    RECIPE = "recipe"
    PRODUCT = "product"
    INDEX = "index"
    FORM = "form"
    APPLICATION = "application"
    ERROR = "error"


class Treatment(StrEnum):
    """What is done with a page. ``tidy``: its own markup and look, without chaff.

    ``extract-anyway``: extracted even if the result is poor, as long as it is not blank.
    """

    EXTRACT = "extract"
    EXTRACT_ANYWAY = "extract-anyway"
    TIDY = "tidy"
    ORIGINAL = "original"


Treatments = tuple[tuple[Purpose, Treatment], ...]
"""What is done with the pages of each purpose; those of no purpose named here are extracted."""


def treatments_of(settings: object) -> Treatments:
    """The treatments of settings that have an attribute for each purpose."""
    return tuple((purpose, Treatment(getattr(settings, purpose))) for purpose in Purpose)


def treated(every: Treatment) -> Treatments:
    """All pages alike."""
    return tuple((purpose, every) for purpose in Purpose)
