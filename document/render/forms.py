"""The page's own forms, each in a fold behind the text: they work without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

import numpy as np

from winnow.document import tags
from winnow.document.document import Document
from winnow.document.metadata import text_inside
from winnow.document.render.pruned import MarkupWriter
from winnow.document.render.render_context import RenderContext
from winnow.document.render.selection import Segments, with_pieces
from winnow.document.render.traversal import walk

MOST_FORMS: Final = 8
LARGEST: Final = 1000
"""Elements of a form: one with more is the whole page."""
_MOST_READ: Final = 60
"""Words of the text that may stand in a form: one with more is around the text."""
_FIELD: Final = tags.table_of("input textarea select")
_UNSEEN: Final = frozenset("hidden submit button image reset".split())
_KEPT: Final = frozenset(
    "action method enctype accept-charset name value type id for checked selected placeholder "
    "required autocomplete min max step pattern minlength maxlength rows cols multiple disabled "
    "readonly accept list size inputmode title alt src href lang dir role aria-label "
    "aria-labelledby aria-describedby colspan rowspan".split()
)
"""Attributes that make a form work; those of the page's look are left out."""
_NONE: Final = np.zeros(0, dtype=np.int32)


class _FormWriter(MarkupWriter):
    def _attributes(self, element: int) -> str:
        attributes = self.document.attributes_of(element, _KEPT)
        return self.attributes.write(self.document.name_of(element), attributes)


def folded_forms(view: RenderContext) -> str:
    """The forms that hold a field to fill in, each once; "" if there is none."""
    document, found = view.document, dict[tuple[str, ...], str]()
    for form in document.elements_named("form"):
        fields = list(_fields(document, form))
        names = tuple(sorted({name for name, _ in fields}))
        if not names or names in found or len(found) == MOST_FORMS or _is_around(view, form):
            continue
        is_secret = any(kind == "password" for _, kind in fields)
        found[names] = _fold(view, form, is_secret=is_secret)
    return "".join(found.values())


def _fields(document: Document, form: int) -> Iterator[tuple[str, str]]:
    """Name and type of each field that a person fills in."""
    last = int(document.elements.last[form])
    for field in (np.flatnonzero(_FIELD[document.elements.tag[form:last]]) + form).tolist():
        attributes = document.attributes_of(field, {"name", "type"})
        kind = attributes.get("type", "").strip().lower()
        if attributes.get("name") and kind not in _UNSEEN:
            yield attributes["name"], kind


def _is_around(view: RenderContext, form: int) -> bool:
    """Whether a form holds the text itself, as where a whole page is one."""
    document, piece = view.document, view.segments.piece
    elements = document.elements
    inside = (piece >= elements.first_piece[form]) & (piece < elements.last_piece[form])
    read = int(document.piece_words[piece[inside]].sum())
    return read > _MOST_READ or int(elements.last[form]) - form > LARGEST


def _fold(view: RenderContext, form: int, *, is_secret: bool) -> str:
    said = "" if is_secret else _submit(view.document, form)
    summary = escape(said) if said else f"<span{view.about.english_attributes}>Sign in</span>"
    if not said and not is_secret:
        summary = f"<span{view.about.english_attributes}>Form</span>"
    return (
        f'<details class="winnow-form"><summary>{summary}</summary>{_markup(view, form)}</details>'
    )


def _submit(document: Document, form: int) -> str:
    """What the button says that sends the form."""
    for element in range(form + 1, int(document.elements.last[form])):
        name = document.name_of(element)
        if name not in ("button", "input"):
            continue
        attributes = document.attributes_of(element, {"type", "value", "aria-label"})
        if attributes.get("type", "submit" if name == "button" else "").lower() == "submit":
            text = (
                attributes.get("value", "") if name == "input" else text_inside(document, element)
            )
            if said := (text or attributes.get("aria-label", "")).strip():
                return said[:60]
    return ""


def _markup(view: RenderContext, form: int) -> str:
    """A form's own markup, less what it hides and what belongs to the page's look."""
    document, elements = view.document, view.document.elements
    last = int(elements.last[form])
    shown = np.zeros(len(elements), dtype=np.bool_)
    shown[form:last] = ~np.isin(elements.tag[form:last], list(tags.MEDIA))
    hidden = np.zeros(len(document.pieces), dtype=np.bool_)
    for hiding in (np.flatnonzero(elements.hides[form + 1 : last]) + form + 1).tolist():
        shown[hiding : elements.last[hiding]] = False
        hidden[elements.first_piece[hiding] : elements.last_piece[hiding]] = True
    pieces = np.arange(elements.first_piece[form], elements.last_piece[form], dtype=np.int32)
    nothing = Segments(_NONE, _NONE, _NONE, _NONE, _NONE)
    segments = with_pieces(document, nothing, pieces[~hidden[pieces]])
    writer = _FormWriter(document, segments, (), view.addresses)
    writer.write(walk(document, segments, shown))
    return "".join(writer.out)
