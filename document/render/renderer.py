"""What a renderer is. Knows the shape of the seam; no format.

A renderer's life: the catalogue makes it from a recipe, its parameters are its fields, ``render``
is called from any process in any order. It is a pure function: same document and extraction, same
bytes; it shows nothing that the spans do not cover but the page's own metadata; it raises nothing.
"""

from __future__ import annotations

from typing import Protocol

from winnow.document.document import Document
from winnow.document.values import Extraction, Rendered


class Renderer(Protocol):
    """An Extraction shown (design.md)."""

    def render(self, document: Document, extraction: Extraction) -> Rendered:
        """The bytes to send, UTF-8, and what is to be said about them."""
        ...
