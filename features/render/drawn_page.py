"""A page that a browser has drawn."""

from __future__ import annotations

from dataclasses import dataclass

from winnow.document.values import Page


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """``goes_on``: a list without an end, of which these are the first screens."""

    page: Page
    goes_on: bool = False
