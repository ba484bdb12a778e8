"""The pages of ``/-/annotate``. The form works without the script, which adds clicks and keys.

They are English alone: a tool for those who make test packages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from winnow.features.annotate.jobs import Markable, Marked
from winnow.proxy.own.checked_values import web_address
from winnow.proxy.own.page_templates import own_file, page_template
from winnow.proxy.own.templates.base_page import STYLE as FRAME_STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, page_of
from winnow.proxy.own.translation import Language, speaking

STYLE: Final = FRAME_STYLE + own_file(__package__, "annotate.css")
SCRIPT: Final = own_file(__package__, "annotate.js")
_ASK: Final = page_template(__package__, "ask.html")
_FORM: Final = page_template(__package__, "annotate.html")
_SAVED: Final = page_template(__package__, "annotated.html")
LABELS: Final = ("none", "title", "heading", "body")
TYPES: Final = (
    *("article", "documentation", "service", "forum", "collection", "listing", "product"),
)
_TYPE_NAMES: Final = {"": "not specified", **{kind: kind for kind in TYPES}}
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


@dataclass(frozen=True, slots=True)
class AnnotationForm:
    """``saved``: this copy of the page was saved before; ``again``: with labels."""

    url: str
    digest: str
    token: str
    annotator: str
    saved: bool
    again: bool


def ask_page() -> HtmlPage:
    """A form for the address and the annotator's name."""
    with speaking(Language.ENGLISH):
        return page_of(_ASK, style=STYLE)


def annotate_page(form: AnnotationForm, found: Markable) -> HtmlPage:
    """The whole form."""
    with speaking(Language.ENGLISH):
        return page_of(
            _FORM,
            style=STYLE,
            script=SCRIPT,
            page=web_address(form.url),
            form_of=form,
            found=found,
            labels=LABELS,
            headings=_HEADINGS,
            types=_TYPE_NAMES,
        )


def saved_page(url: str, annotator: str, found: Marked, place: str) -> HtmlPage:
    """What was saved, and where."""
    counts = dict.fromkeys(LABELS[1:], 0)
    for start, end, label in found.spans:
        counts[label] += len(found.gold[start:end].split())
    summary = ", ".join(f"{count:,} of the {label}" for label, count in counts.items())
    with speaking(Language.ENGLISH):
        return page_of(
            _SAVED,
            style=STYLE,
            url=url,
            annotator=annotator,
            summary=summary,
            place=place,
            gold=found.gold,
        )
