"""A part of a page for a small screen or an old browser, the page's forms beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import urljoin

from lxml import etree

from winnow.document.document import Document
from winnow.document.render.byline_line import day_of
from winnow.document.render.render_context import RenderContext
from winnow.document.short_texts import text_inside
from winnow.document.values import Page, Recipe
from winnow.engine.html32 import Measure, plain_parts
from winnow.engine.pipeline import extracted
from winnow.engine.script_shell import read
from winnow.jobs.results import Field, PageForm, SmallPart

FEWEST_WORDS: Final = 20
"""Below this an article is none, and all of the page is shown."""
MOST_FORMS: Final = 5
MOST_CHOICES: Final = 60
LONGEST_LABEL: Final = 60
_PASSED_ON: Final = frozenset("text search hidden url email tel number".split()) | {""}


def small_part(page: Page, recipe: Recipe, measure: Measure, image_prefix: str) -> SmallPart:
    """One part of a page. ``image_prefix`` stands where ``recipe.link_prefix`` is, for images.

    A page without an article is shown whole: a small screen has no other way to see it. Raises
    PipelineError.
    """
    document, _ = read(page, recipe.blocked)
    _, extraction = extracted(document, recipe)
    view = RenderContext.of(document, extraction, recipe.link_prefix)
    if view.words < FEWEST_WORDS:
        _, extraction = extracted(document, Recipe("plain"))
        view = RenderContext.of(document, extraction, recipe.link_prefix)
    parts = plain_parts(view.article(), recipe.link_prefix, image_prefix, measure)
    chosen = min(max(measure.part, 1), len(parts))
    forms, has_password = forms_of(document, page.url or "")
    return SmallPart(
        title=view.about.title,
        language=view.about.language,
        direction=view.about.direction,
        byline=" · ".join(filter(None, (view.about.byline, day_of(view.about)))),
        markup=parts[chosen - 1],
        part=chosen,
        parts=len(parts),
        words=view.words,
        extractor=extraction.extractor,
        forms=forms,
        has_password=has_password,
    )


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
        if action and any(f.kind == "text" for f in fields) and "multipart" not in encoding:
            method = "post" if attrs.get("method", "").lower() == "post" else "get"
            forms.append(PageForm(action, method, fields, _submit(document, element, last)))
    unlike = {(form.action, *(field.name for field in form.fields)): form for form in forms}
    return tuple(unlike.values())[:MOST_FORMS], has_password


def _submit(document: Document, form: int, last: int) -> str:
    """What the form's first button to send it says; "" where it says nothing."""
    for element in range(form + 1, last):
        attrs, name = document.attributes_of(element), document.name_of(element)
        kind = attrs.get("type", "submit" if name == "button" else "").lower()
        if kind == "submit" and name in ("button", "input"):
            label = attrs.get("value", "") if name == "input" else text_inside(document, element)
            return (label or attrs.get("aria-label", "")).strip()[:LONGEST_LABEL]
    return ""


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
            yield Field(attrs["name"], "select", label, "", _choices(document, element))
        elif name == "textarea":
            yield Field(attrs["name"], "text", label, "")
        elif field := _input(attrs, label):
            yield field


def _input(attrs: Mapping[str, str], label: str) -> Field | None:
    kind, value = attrs.get("type", "").lower(), attrs.get("value", "")
    if kind == "password":
        return Field(attrs["name"], kind, label, "")
    if kind in ("checkbox", "radio"):
        return Field(attrs["name"], "hidden", "", value or "on") if "checked" in attrs else None
    if kind in _PASSED_ON:
        return Field(attrs["name"], "hidden" if kind == "hidden" else "text", label, value)
    return None


def _choices(document: Document, select: int) -> tuple[tuple[str, str], ...]:
    """Values and texts of a select: an opaque element, so read from its markup."""
    elements = document.elements
    source = document.markup[elements.open_start[select] : elements.close_end[select]]
    found = etree.fromstring(source, etree.HTMLParser())
    options = [] if found is None else list(found.iter("option"))
    texts = [" ".join("".join(map(str, option.itertext())).split()) for option in options]
    pairs = [(option.get("value", text), text) for option, text in zip(options, texts, strict=True)]
    return tuple(pairs[:MOST_CHOICES])


def _absolute(base: str, address: str) -> str:
    try:
        found = urljoin(base, address.strip())
    except ValueError:
        return ""
    return found.partition("#")[0] if found.startswith(("http://", "https://")) else ""
