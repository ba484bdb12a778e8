"""The list of the pages that a client opened last, and what can be done about each. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from typing import Final

from markupsafe import Markup

from winnow.document.values import Purpose
from winnow.proxy.http.reasons import Reason
from winnow.proxy.observability.activity import ActivityChange
from winnow.proxy.observability.events import PageOpened
from winnow.proxy.own.page_templates import own_file, page_template
from winnow.proxy.own.templates.base_page import STYLE, HtmlPage, page_of
from winnow.proxy.own.templates.choice_forms import ChoiceAction, ChoiceRequest
from winnow.proxy.own.templates.confirmation import leading_to_sites
from winnow.proxy.own.templates.errors.error_pages import TITLES
from winnow.proxy.own.templates.in_page.choice_links import ChoiceLinks
from winnow.proxy.own.templates.in_page.notice_line import CAUSES
from winnow.proxy.own.translation import N_, _, number

_STYLE: Final = STYLE + own_file(__package__, "activity.css")
_TEMPLATE: Final = page_template(__package__, "activity.html")
_DONE: Final = {
    "extracted": N_("Extracted"),
    "tidied": N_("Tidied"),
    "original": N_("Original"),
    "failed": N_("Not loaded"),
}
_PURPOSES: Final = {
    "article": N_("Article"),
    "documentation": N_("Documentation"),
    "thread": N_("Discussion"),
    "question": N_("Question"),
    "recipe": N_("Recipe"),
    "product": N_("Product"),
    "index": N_("List"),
    "form": N_("Form"),
    "application": N_("Application"),
    "error": N_("Error"),
}
_CLICKED: Final[Mapping[str, str]] = {
    Reason.REQUESTED: N_("you chose to read it"),
    Reason.ORIGINAL_REQUESTED: N_("you chose the original"),
}
_ANSWERED: Final = {"not-modified": N_("not changed since your last visit")}


@dataclass(frozen=True, slots=True)
class ActivityView:
    """``pages``: the latest first; None where none are kept for this client.

    ``choose`` makes the button that changes the view of a page, ``change`` one for the list.
    """

    pages: Sequence[PageOpened] | None
    lists_paths: bool
    choose: Callable[[ChoiceRequest, str], Markup]
    change: Callable[[ActivityChange, str], Markup]
    stores_sites: bool = False
    """Whether the names of sites that taught are stored on disk or in Redis."""


@dataclass(frozen=True, slots=True)
class ActivityRow:
    """A page: when, where, what was done with it, and why."""

    url: str
    moment: str
    clock: str
    place: str
    what: Sequence[str]
    why: str
    is_whole: bool
    needs_scripts: bool
    times: int = 1
    """How often the same was done with it, one after the other; ``moment`` is the latest."""


def activity_page(view: ActivityView) -> HtmlPage:
    """The whole page; its buttons lead to sites."""
    page = page_of(
        _TEMPLATE,
        style=_STYLE,
        view=view,
        rows=None if view.pages is None else list(_rows(view.pages)),
        links=ChoiceLinks(),
        request_of=ChoiceRequest,
        actions=ChoiceAction,
        changes=ActivityChange,
    )
    return leading_to_sites(page)


def _rows(pages: Sequence[PageOpened]) -> Iterator[ActivityRow]:
    """A row for each run of pages that differ in time alone."""
    for _same, run in groupby(pages, lambda page: replace(page, at=0, seconds=0, number="")):
        first, *others = run
        yield replace(_row(first), times=1 + len(others))


def _row(page: PageOpened) -> ActivityRow:
    at = datetime.fromtimestamp(page.at, UTC)
    why = (page.by_reader and _CLICKED.get(page.reason)) or _why(page.reason)
    return ActivityRow(
        page.url,
        at.isoformat(timespec="seconds"),
        at.astimezone().strftime("%H:%M:%S"),
        page.url.partition("://")[2],
        tuple(_what(page)),
        why if page.reason else "",
        page.is_whole,
        page.reason == Reason.SCRIPT_SHELL or page.purpose == Purpose.APPLICATION,
    )


def _what(page: PageOpened) -> Iterator[str]:
    """Such as: Article. Extracted by auto in 312 ms: a person opened this page."""
    if page.purpose in _PURPOSES:
        yield _(_PURPOSES[page.purpose])
    yield _(_DONE.get(page.action, page.action))
    yield _("{number} ms").format(number=number(round(page.seconds * 1000)))


def _why(reason: str) -> str:
    cause = CAUSES.get(reason) or _ANSWERED.get(reason) or TITLES.get(reason)
    if cause:
        return cause
    return Reason(reason).meaning if reason in set(Reason) else reason.replace("-", " ")
