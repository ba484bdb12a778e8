"""Pages that their scripts write: recognised, and read from the data that they carry, if any.

A shell has hardly a word, and scripts. What shows that they would write more: an empty element
that frameworks draw into, a ``<noscript>`` that names JavaScript, or nothing to see at all.
"""

from __future__ import annotations

import re
from html import escape
from typing import Final

import numpy as np

from winnow.document.document import Document
from winnow.document.page_state.carried_text import CarriedText, carried_text
from winnow.document.values import Page

SCRIPT_SHELL: Final = "script-shell"
WHY: Final = "The page is built by its scripts and has almost no text."
MOST_WORDS: Final = 60
"""Shown words from which on a page is no shell."""
_BLANK: Final = 10
"""Fewer shown words are none: a name, a copyright."""
_MOUNTS: Final = re.compile(
    r"""<(?:(?:div|main|section)\b[^>]*\bid=["']?(?:root|app|__next|__nuxt|___gatsby|react-root|svelte
    |q-app|main-app|application|app-root|ember-app|main)\b[^>]*|app-root\b[^>]*|[a-z]+-app\b[^>]*)>
    \s*(?:<!--.*?-->\s*)*</""",
    re.VERBOSE,
)
_PLEA: Final = re.compile(r"java\s?script|scripts", re.IGNORECASE)
_BODY: Final = '<main id="winnow-page-state"><article>{}{}</article></main>'


def shell_sign(document: Document) -> str:
    """Why a page is a shell, in a sentence; "" for one that is none. O(elements)."""
    shown = _shown_words(document)
    if shown >= MOST_WORDS:
        return ""
    if _pleads(document):
        return "The page asks for JavaScript."
    if _MOUNTS.search(document.markup):
        return "The element that scripts draw into is empty."
    return WHY if shown < _BLANK and document.elements_named("script") else ""


def with_carried_text(document: Document) -> tuple[Document, str]:
    """A shell with the text that it carries in its place, and where that was; else as it is."""
    found = carried_text(document) if shell_sign(document) else None
    if found is None:
        return document, ""
    page = Page(_written(document, found).encode(), document.page.url, "utf-8")
    return Document.parse(page), found.source


def _shown_words(document: Document) -> int:
    """Words that are shown; of a ``<noscript>`` if it is a text rather than a plea."""
    words = np.where(document.hidden | document.inside_tags("title"), 0, document.piece_words)
    instead = int(words[document.inside_tags("noscript")].sum())
    return int(words.sum()) - (instead if instead < MOST_WORDS else 0)


def _pleads(document: Document) -> bool:
    elements = document.elements
    for element in document.elements_named("noscript"):
        end = int(elements.close_start[element])
        text = document.markup[int(elements.open_end[element]) : end]
        if "<iframe" not in text and _PLEA.search(re.sub(r"<[^<>]*>", " ", text)):
            return True
    return False


def _written(document: Document, found: CarriedText) -> str:
    """The page's markup with the text before the end of its body."""
    title = f"<h1>{escape(found.title)}</h1>" if found.title else ""
    text = _BODY.format(title, found.markup)
    ends = [int(document.elements.close_start[at]) for at in document.elements_named("body")]
    end = ends[0] if ends else len(document.markup)
    return f"{document.markup[:end]}{text}{document.markup[end:]}"
