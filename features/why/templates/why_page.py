"""``/-/why``: what was left out of a page and why: on the page itself, or as a list. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from markupsafe import Markup, escape

from winnow.features.why.jobs import Explained, TextPassage
from winnow.features.why.templates.frame_marks import SANDBOX
from winnow.features.why.templates.removal_words import in_words, left_out, of_the_site
from winnow.features.why.why_links import WhyLinks
from winnow.proxy.own.page_templates import own_file, page_template
from winnow.proxy.own.templates.base_page import STYLE as FRAME_STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, page_of
from winnow.proxy.own.translation import _

STYLE = FRAME_STYLE + own_file(__package__, "why.css")
_TEMPLATE: Final = page_template(__package__, "why.html")
KeepForm = Callable[[str, str], Markup]
"""The form that keeps the block of a selector on the page's site; words of it are its test."""
NO_NOTE = Markup("")
_LOW, _HIGH = 1 / 3, 2 / 3
"""Confidence below and from which it is called low and high."""
_SHOWN_TOGETHER = 6
_SAMPLE = 8
"""Words of a block in a rule's test, and in the list of reasons."""
_LONGEST = 80
"""Characters of the same, where a language has no spaces."""
_LISTED = 20
"""Parts of one reason that are listed."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What was left out for one reason: the first words of its ``parts``, and how many ``more``."""

    reason: str
    words: int
    parts: Sequence[str]
    more: int


def why_on_page(
    links: WhyLinks, found: Explained, note: Markup = NO_NOTE, stored: str = ""
) -> HtmlPage:
    """The page itself in a frame, its parts marked, and the reasons counted; ``note`` first.

    The frame begins where ``stored``, the selector of a rule, holds; else at what was left out.
    """
    page = page_of(
        _TEMPLATE,
        style=STYLE,
        kind="wide",
        links=links,
        found=found,
        note=note,
        frame=links.frame(stored),
        sandbox=SANDBOX,
        **_said(found),
    )
    policy = f"{page.headers['Content-Security-Policy']}; frame-src 'self'"
    return page.with_headers({"Content-Security-Policy": policy})


def why_list(links: WhyLinks, found: Explained, keep: KeepForm, note: Markup = NO_NOTE) -> HtmlPage:
    """The page's text block by block; ``keep`` makes the form of one block."""

    def keep_form(passage: TextPassage) -> Markup:
        sample = " ".join(passage.text.split()[:_SAMPLE])
        return keep(passage.selector, sample) if passage.selector else NO_NOTE

    return page_of(
        _TEMPLATE,
        style=STYLE,
        links=links,
        found=found,
        note=note,
        frame=None,
        keep=keep_form,
        left_out=left_out,
        with_raised=_with_raised,
        words_of=_words,
        runs=_runs(found.passages),
        **_said(found),
    )


def _said(found: Explained) -> dict[str, Any]:
    """What both views say."""
    groups = _groups(found.passages)
    return {
        "confidence": _confidence(found.confidence),
        "groups": groups,
        "words_out": sum(each.words for each in groups),
        "in_words": in_words,
        "of_the_site": of_the_site,
    }


def _confidence(share: float) -> str:
    if share < _LOW:
        return _("Winnow is not sure that this is the article.")
    if share < _HIGH:
        return _("Winnow is fairly sure that this is the article.")
    return _("Winnow is sure that this is the article.")


def _groups(passages: Sequence[TextPassage]) -> Sequence[LeftOut]:
    """What was left out by reason, most words first."""
    parts: dict[str, list[TextPassage]] = {}
    for passage in passages:
        if passage.reason:
            parts.setdefault(passage.reason, []).append(passage)
    groups = (
        LeftOut(
            reason,
            _words(each),
            [_first_words(one) for one in each[:_LISTED] if one.text.strip()],
            len(each[_LISTED:]),
        )
        for reason, each in parts.items()
    )
    return sorted(groups, key=lambda each: -each.words)


def _first_words(passage: TextPassage) -> str:
    words = passage.text.split(maxsplit=_SAMPLE)
    text = " ".join(words[:_SAMPLE])[:_LONGEST]
    return text + " …" if len(text) < len(" ".join(words)) else text


def _runs(
    passages: Sequence[TextPassage],
) -> Iterator[tuple[Sequence[TextPassage], Sequence[TextPassage]]]:
    """Passages in order, those shown and those folded: the rest of a long run of removed ones."""
    for removed, group in groupby(passages, key=lambda passage: passage.kept < 1):
        run = list(group)
        shown = 2 if removed and len(run) > _SHOWN_TOGETHER else len(run)
        yield run[:shown], run[shown:]


def _words(passages: Sequence[TextPassage]) -> int:
    return sum(int(dict(passage.features).get("words", "0")) for passage in passages)


def _with_raised(passage: TextPassage) -> Markup:
    """The text; what stands above the line does so here, too: £4 with note 1 is not £41."""
    parts, behind = [], 0
    for start, end in passage.raised:
        parts += [escape(passage.text[behind:start])]
        parts += [Markup("<sup>{}</sup>").format(passage.text[start:end])]
        behind = end
    return Markup("").join((*parts, escape(passage.text[behind:])))
