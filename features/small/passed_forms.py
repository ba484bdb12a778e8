"""A page's own forms that a small screen may fill in; those with a password are left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from lxml import etree

from winnow.document.addresses import joined
from winnow.document.document import Document
from winnow.document.texts.short_texts import text_inside
from winnow.features.small.jobs import Field, PageForm

MOST_FORMS: Final = 5
MOST_CHOICES: Final = 60
LONGEST_LABEL: Final = 60
_NO_FIELDS: Final = frozenset("submit image button reset file".split())
_ASKING: Final = frozenset({"text", "area", "select", "radio"})
"""A form without any of these asks nothing, or for a consent."""


def forms_of(document: Document, url: str) -> tuple[tuple[PageForm, ...], bool]:
    """The page's forms that may be passed on, and whether others ask for a password."""
    forms: list[PageForm] = []
    has_password = False
    for element in document.elements_named("form"):
        last = int(document.elements.last[element])
        attrs = document.attributes_of(element)
        fields = tuple(_fields(document, element, last))
        if any(field.kind == "password" for field in fields):
            has_password = True
            continue
        action = _absolute(url, attrs.get("action") or url)
        encoding = attrs.get("enctype", "").lower()
        if action and any(f.kind in _ASKING for f in fields) and "multipart" not in encoding:
            method = "post" if attrs.get("method", "").lower() == "post" else "get"
            submit, named = _submit(document, element, last)
            forms.append(PageForm(action, method, (*fields, *named), submit))
    unlike = {(form.action, *(field.name for field in form.fields)): form for form in forms}
    return tuple(unlike.values())[:MOST_FORMS], has_password


def _submit(document: Document, form: int, last: int) -> tuple[str, tuple[Field, ...]]:
    """What the form's first button to send it says, "" for nothing; and the field that it sends."""
    for element in range(form + 1, last):
        attrs, name = document.attributes_of(element), document.name_of(element)
        kind = attrs.get("type", "submit" if name == "button" else "").lower()
        if kind == "submit" and name in ("button", "input"):
            value = attrs.get("value", "")
            label = value if name == "input" else text_inside(document, element)
            sent = (Field(attrs["name"], "hidden", "", value),) if attrs.get("name") else ()
            return (label or attrs.get("aria-label", "")).strip()[:LONGEST_LABEL], sent
    return "", ()


def _labels(document: Document, form: int, last: int) -> dict[str, str]:
    """What the labels in a form say, by the id that each is for."""
    return {
        document.attributes_of(element).get("for", ""): text_inside(document, element)
        for element in range(form + 1, last)
        if document.name_of(element) == "label"
    }


def _around(document: Document, element: int, form: int) -> str:
    """The text of the label around a field; "" without one."""
    while element > form:
        if document.name_of(element) == "label":
            return text_inside(document, element)
        element = int(document.elements.parent[element])
    return ""


def _fields(document: Document, form: int, last: int) -> Iterator[Field]:
    labels = _labels(document, form, last)
    for element in range(form + 1, last):
        name = document.name_of(element)
        if name not in ("input", "select", "textarea"):
            continue
        attrs = document.attributes_of(element)
        if not attrs.get("name"):
            continue
        beside = labels.get(attrs.get("id") or "?") or _around(document, element, form)
        candidates = (attrs.get("aria-label"), beside, attrs.get("placeholder"), attrs.get("title"))
        label = next(filter(None, candidates), "").strip()[:LONGEST_LABEL]
        if name == "select":
            choices, chosen = _choices(document, element)
            yield Field(attrs["name"], name, label, chosen, choices)
        elif name == "textarea":
            yield Field(attrs["name"], "area", label, "")
        elif field := _input(attrs, label):
            yield field


def _input(attrs: Mapping[str, str], label: str) -> Field | None:
    kind, value = attrs.get("type", "").lower(), attrs.get("value", "")
    if kind == "password":
        return Field(attrs["name"], kind, label, "")
    if kind in ("checkbox", "radio"):
        return Field(attrs["name"], kind, label, value or "on", chosen="checked" in attrs)
    if kind in _NO_FIELDS:
        return None
    return Field(attrs["name"], "hidden" if kind == "hidden" else "text", label, value)


def _choices(document: Document, select: int) -> tuple[tuple[tuple[str, str], ...], str]:
    """Values and texts of a select, and the value that is chosen: an opaque element, so read from
    its markup."""
    elements = document.elements
    source = document.markup[elements.open_start[select] : elements.close_end[select]]
    found = etree.fromstring(source, etree.HTMLParser())
    options = [] if found is None else list(found.iter("option"))
    texts = [" ".join("".join(map(str, option.itertext())).split()) for option in options]
    pairs = [(option.get("value", text), text) for option, text in zip(options, texts, strict=True)]
    chosen = [pairs[place] for place, option in enumerate(options) if "selected" in option.attrib]
    shown = pairs[:MOST_CHOICES]
    shown += [pair for pair in chosen[:1] if pair not in shown]
    return tuple(shown), chosen[0][0] if chosen else ""


def _absolute(base: str, address: str) -> str:
    found = joined(base, address.strip())
    return found.partition("#")[0] if found.startswith(("http://", "https://")) else ""
