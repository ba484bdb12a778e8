"""The page's own forms, each behind the text: they work without scripts."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from posixpath import normpath
from typing import Final
from urllib.parse import unquote

import numpy as np

from winnow.document.addresses import joined, parts_of
from winnow.document.document import Document
from winnow.document.parsing import start_tags, tags
from winnow.document.render.added_pieces import with_pieces
from winnow.document.render.original.markup_writer import MarkupWriter
from winnow.document.render.reader.basic_profile import basic
from winnow.document.render.render_context import RenderContext
from winnow.document.render.selection import Segments
from winnow.document.render.traversal import walk
from winnow.document.texts.short_texts import text_inside

MOST_FORMS: Final = 8
OWN_PATH: Final = "/-/"
"""Below it are Winnow's own pages, on every host."""
NEEDS_SCRIPTS: Final = "This form needs scripts. Choose “Original” to use it."
LARGEST: Final = 1000
"""Elements of a form: one with more is the whole page."""
_MOST_READ: Final = 60
"""Words of the text that may stand in a form: one with more is around the text."""
_ASKING: Final = ' type="password"'
_INPUT: Final = tags.CODES["input"]
_PAIR: Final = 2
_FIELD: Final = tags.table_of("input textarea select")
_WRITING: Final = tags.CODES["textarea"]
_ASIDE: Final = "header nav footer aside"
_SEARCH: Final = re.compile(r"(?:q|s|query|terms?|keywords?)|.*(?:search|suche).*", re.I)
_ADDRESS: Final = re.compile(r".*(?:e-?mail|newsletter).*", re.I)
"""Names of fields of searches and newsletters."""
_ANSWER: Final = re.compile(r".*(?:comment|reply|message)", re.I)
_PERSONAL: Final = 4
"""Fields of a form that takes orders for mail: it asks for an address, not for a text."""
_NEAR: Final = 15
"""Words between the text and a form that belongs to it."""
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


@dataclass(frozen=True, slots=True)
class WrittenForm:
    """A form of the page: what it is for, as markup, and its own markup.

    ``note`` says that it does not work here, and why; "" where it does.
    """

    caption: str
    markup: str
    note: str = ""


def folded_forms(view: RenderContext) -> str:
    """The forms, each in a fold behind the text; "" if there is none."""
    return "".join(
        f'<details class="winnow-form"><summary>{form.caption}</summary>{_content(form)}</details>'
        for form in written_forms(view)
    )


def _content(form: WrittenForm) -> str:
    return f"{form.note}<fieldset disabled>{form.markup}</fieldset>" if form.note else form.markup


def plain_forms(view: RenderContext, size: int = sys.maxsize) -> str:
    """The forms, each below a heading, for browsers that fold nothing.

    ``size``: characters that they may take; forms that do not fit are left out.
    """
    found = ""
    for form in written_forms(view):
        added = basic(f"<h2>{form.caption}</h2>{form.note or form.markup}", view.about.words)
        found += added if len(found) + len(added) <= size else ""
    return found


def written_forms(view: RenderContext) -> list[WrittenForm]:
    """The forms that hold a field to fill in or stand as a button in the text, each once."""
    document, found = view.document, dict[tuple[str, ...], WrittenForm]()
    buttons = set(button_forms(document, *_range(view)))
    for form in (*document.elements_named("form"), *_without_form(document)):
        names = tuple(sorted({name for name, _ in _fields(document, form)}))
        is_secret = any(_secrets(document, form))
        if not names and (form in buttons or is_secret):
            names = ("", submit_text(document, form))
        if not names or names in found or len(found) == MOST_FORMS or _is_around(view, form):
            continue
        if _leads_to_us(document, form):
            continue
        if not (is_secret or _belongs(view, form)):
            continue
        found[names] = _written(view, form, is_secret=is_secret)
    return list(found.values())


def _belongs(view: RenderContext, form: int) -> bool:
    """Whether a form is part of what is read: no search of the site and no newsletter; amid the
    text, next to it, or where something is to be written."""
    document, fields = view.document, list(_fields(view.document, form))
    inner = document.elements.tag[form : document.elements.last[form]]
    if (inner == _WRITING).any():
        return not _is_hidden(document, form) or any(_ANSWER.match(name) for name, _ in fields)
    if _is_apart(fields) or _is_hidden(document, form):
        return False
    (first, last), at = _range(view), int(document.elements.first_piece[form])
    if first <= at <= last:
        return True
    between = slice(last + 1, at) if last < at else slice(document.elements.last_piece[form], first)
    words = int(document.piece_words[between] @ ~document.hidden[between])
    is_aside = bool(document.inside_tags(_ASIDE)[at : at + 1].any())
    return words <= _NEAR and not is_aside and _works(document, form, is_secret=False)


def _is_apart(fields: Sequence[tuple[str, str]]) -> bool:
    """Whether fields are those of a search, or of a newsletter."""
    is_search = any(kind == "search" or _SEARCH.fullmatch(name) for name, kind in fields)
    is_mail = any(kind == "email" or _ADDRESS.fullmatch(name) for name, kind in fields)
    return is_search or (is_mail and len(fields) <= _PERSONAL)


def _is_hidden(document: Document, element: int) -> bool:
    """Whether it, or what it stands in, is hidden."""
    while element >= 0 and not document.elements.hides[element]:
        element = int(document.elements.parent[element])
    return element >= 0


def _leads_to_us(document: Document, form: int) -> bool:
    """Whether a form of the page is sent to a page of Winnow, for which it could pass."""
    action = document.attributes_of(form, {"action"}).get("action", "")
    path = parts_of(joined(document.page.url or "", action.strip())).path
    return normpath(unquote(path)).replace("\\", "/").startswith(OWN_PATH)


def _range(view: RenderContext) -> tuple[int, int]:
    """The first and the last piece that is shown; an empty range where none is."""
    piece = view.segments.piece
    return (int(piece[0]), int(piece[-1])) if len(piece) else (0, 0)


def button_forms(document: Document, first: int, last: int) -> list[int]:
    """The forms between two pieces that are no more than a button: to vote, to buy, to open.

    None where many stand: these are controls of each entry of a list.
    """
    elements = document.elements
    found = [
        form
        for form in document.elements_named("form")
        if first <= elements.first_piece[form] < last
        and not document.hidden[elements.first_piece[form]]
        and submit_text(document, form)
        and not any(_fields(document, form))
    ]
    return found if len({submit_text(document, form) for form in found}) == len(found) else []


def _fields(document: Document, form: int) -> Iterator[tuple[str, str]]:
    """Name and type of each field that a person fills in."""
    last = int(document.elements.last[form])
    for field in (np.flatnonzero(_FIELD[document.elements.tag[form:last]]) + form).tolist():
        attributes = document.attributes_of(field, {"name", "type"})
        kind = attributes.get("type", "").strip().lower()
        is_seen = kind not in _UNSEEN and not document.elements.hides[field]
        if is_seen and attributes.get("name"):
            yield attributes["name"], kind


def _secrets(document: Document, form: int) -> Iterator[int]:
    """The fields for passwords in an element, also those without a name."""
    last = int(document.elements.last[form])
    for field in (np.flatnonzero(document.elements.tag[form:last] == _INPUT) + form).tolist():
        if document.attributes_of(field, {"type"}).get("type", "").strip().lower() == "password":
            yield field


def _without_form(document: Document) -> Iterator[int]:
    """What is around a password that stands in no form: a script sends it."""
    if not len(document.elements) or not start_tags.standing(document.markup, _ASKING, 11):
        return
    elements, forms = document.elements, document.elements_named("form")
    for field in _secrets(document, 0):
        if not any(form < field < elements.last[form] for form in forms):
            yield _group(document, field)


def _group(document: Document, field: int) -> int:
    """The nearest element around a field that holds another one too, unless it is large."""
    elements, around = document.elements, field
    while _FIELD[elements.tag[around : elements.last[around]]].sum() < _PAIR:
        parent = int(elements.parent[around])
        if parent < 0 or elements.last[parent] - parent > _MOST_READ:
            break
        around = parent
    return around


def _is_around(view: RenderContext, form: int) -> bool:
    """Whether a form holds the text itself, as where a whole page is one."""
    document, piece = view.document, view.segments.piece
    elements = document.elements
    inside = (piece >= elements.first_piece[form]) & (piece < elements.last_piece[form])
    read = int(document.piece_words[piece[inside]].sum())
    return read > _MOST_READ or int(elements.last[form]) - form > LARGEST


def _written(view: RenderContext, form: int, *, is_secret: bool) -> WrittenForm:
    caption = "" if is_secret else submit_text(view.document, form)
    words = view.about.words
    summary = escape(caption) or words.span("Sign in" if is_secret else "Form")
    markup = _markup(view, form)
    works = _works(view.document, form, is_secret=is_secret)
    note = f"<p{words.attributes}>{words.text(NEEDS_SCRIPTS)}</p>"
    return WrittenForm(summary, markup, "" if works else note)


def _works(document: Document, form: int, *, is_secret: bool) -> bool:
    """Whether a form is sent without scripts, and no password as a part of an address."""
    method = document.attributes_of(form, {"method"}).get("method", "").strip().lower()
    is_sent = document.name_of(form) == "form" and any(True for _ in _submits(document, form))
    named = sum(kind == "password" for _, kind in _fields(document, form))
    is_safe = method == "post" and named == len(list(_secrets(document, form)))
    return is_sent and (is_safe or not is_secret)


def submit_text(document: Document, form: int) -> str:
    """The caption of the button that sends the form; "" without one."""
    return next(filter(None, _submits(document, form)), "")


def _submits(document: Document, form: int) -> Iterator[str]:
    """The captions of the buttons that send the form."""
    for element in range(form + 1, int(document.elements.last[form])):
        name = document.name_of(element)
        if name not in ("button", "input"):
            continue
        attributes = document.attributes_of(element, {"type", "value", "aria-label", "alt"})
        kind = attributes.get("type", "submit" if name == "button" else "").lower()
        if kind not in ("submit", "image"):
            continue
        text = attributes.get("value", "") if name == "input" else text_inside(document, element)
        yield (text or attributes.get("aria-label", "") or attributes.get("alt", "")).strip()[:60]


def _markup(view: RenderContext, form: int) -> str:
    """A form's own markup, less what it hides and what belongs to the page's look.

    A password that is hidden stays: scripts would show it once a name is entered, and none run.
    """
    document, elements = view.document, view.document.elements
    last = int(elements.last[form])
    shown = np.zeros(len(elements), dtype=np.bool_)
    shown[form:last] = ~np.isin(elements.tag[form:last], list(tags.MEDIA))
    hidden = np.zeros(len(document.pieces), dtype=np.bool_)
    for hiding in (np.flatnonzero(elements.hides[form + 1 : last]) + form + 1).tolist():
        if any(_secrets(document, hiding)):
            continue
        shown[hiding : elements.last[hiding]] = False
        hidden[elements.first_piece[hiding] : elements.last_piece[hiding]] = True
    pieces = np.arange(elements.first_piece[form], elements.last_piece[form], dtype=np.int32)
    nothing = Segments(_NONE, _NONE, _NONE, _NONE, _NONE)
    segments = with_pieces(document, nothing, pieces[~hidden[pieces]])
    writer = _FormWriter(document, segments, (), view.addresses)
    writer.write(walk(document, segments, shown))
    return "".join(writer.out)
