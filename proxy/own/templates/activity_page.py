"""The list of the pages that a client opened last, and what can be done about each. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlencode

from markupsafe import Markup

from winnow.document.values import Purpose
from winnow.proxy.http.reasons import Reason
from winnow.proxy.observability.activity import ActivityChange
from winnow.proxy.observability.events import PageOpened
from winnow.proxy.own.templates.base_page import STYLE, HtmlPage, styled_page
from winnow.proxy.own.templates.choice_forms import ChoiceAction, ChoiceLinks, ChoiceRequest
from winnow.proxy.own.templates.confirmation import leading_to_sites
from winnow.proxy.own.templates.navigation import ACTIVITY, navigation
from winnow.proxy.own.templates.notice_line import CAUSES
from winnow.proxy.own.templates.script_page import RENDER_PATH
from winnow.proxy.own.translation import N_, _, number, own_words

_STYLE: Final = Markup("""
ol { list-style: none; padding: 0; }
ol li { border-bottom: 1px solid var(--line); padding: .5rem 0; }
ol p { margin: .1rem 0; }
ol button { padding: .1rem .6rem; }
ol a { margin-inline-end: .8rem; }
""")
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
_OFF: Final = N_(
    "This list is kept only for programs on the computer that Winnow runs on and for users who "
    "signed in (server.activity)."
)


@dataclass(frozen=True, slots=True)
class ActivityView:
    """``pages``: the latest first; None where none are kept for this client.

    ``choose`` makes the button that changes the view of a page, ``change`` one for the list.
    """

    pages: Sequence[PageOpened] | None
    lists_paths: bool
    choose: Callable[[ChoiceRequest, str], Markup]
    change: Callable[[ActivityChange, str], Markup]


def activity_page(view: ActivityView) -> HtmlPage:
    """The whole page; its buttons lead to sites."""
    if view.pages is None:
        main = Markup("<p>{}</p>").format(_(_OFF))
    else:
        rows = Markup("\n").join(_row(page, view) for page in view.pages)
        listed = (
            Markup("<ol>\n{}\n</ol>").format(rows)
            if rows
            else Markup("<p>{}</p>").format(_("None yet."))
        )
        main = _lead(view) + listed
    page = styled_page(_("Activity"), main + navigation(ACTIVITY), STYLE + _STYLE)
    return leading_to_sites(page)


def _lead(view: ActivityView) -> Markup:
    if view.lists_paths:
        paths = _("Paths of intercepted HTTPS pages are listed.")
        change = view.change(ActivityChange.NO_PATHS, _("Stop listing paths"))
    else:
        paths = _("Of intercepted HTTPS pages only the site is listed.")
        change = view.change(ActivityChange.PATHS, _("List paths too"))
    about = _(
        "The last pages that you opened through Winnow. The list is in memory only and is shown "
        "to nobody else."
    )
    return Markup("<p>{}</p>\n<p>{} {} {}</p>\n").format(
        about, paths, change, view.change(ActivityChange.CLEAR, _("Clear list"))
    )


def _row(page: PageOpened, view: ActivityView) -> Markup:
    at = datetime.fromtimestamp(page.at, UTC)
    return Markup(
        '<li><time datetime="{}">{}</time> <strong dir="ltr">{}</strong>\n'
        '<p class="quiet">{}</p>\n{}</li>'
    ).format(
        at.isoformat(timespec="seconds"),
        at.astimezone().strftime("%H:%M:%S"),
        page.url.partition("://")[2],
        _what(page),
        Markup(" ").join(_offers(page, view)),
    )


def _what(page: PageOpened) -> Markup:
    """Such as: Article. Extracted by auto in 312 ms: a person opened this page."""
    parts = [_(_PURPOSES[page.purpose])] if page.purpose in _PURPOSES else []
    parts.append(_(_DONE.get(page.action, page.action)))
    if page.method:
        parts.append(_("method {name}").format(name=page.method.partition(":")[0]))
    parts.append(_("{number} ms").format(number=number(round(page.seconds * 1000))))
    done = Markup(" · ").join(parts)
    why = (page.by_reader and _CLICKED.get(page.reason)) or _why(page.reason)
    return Markup("{} · {}").format(done, own_words(why)) if page.reason else done


def _why(reason: str) -> str:
    cause = CAUSES.get(reason) or _ANSWERED.get(reason)
    if cause:
        return cause
    return Reason(reason).meaning if reason in set(Reason) else reason.replace("-", " ")


def _offers(page: PageOpened, view: ActivityView) -> Sequence[Markup]:
    links = ChoiceLinks()
    site: tuple[Markup, ...] = (
        _link(
            links.confirm(ChoiceRequest(ChoiceAction.ALWAYS, page.url)),
            _("Always show the reader view"),
        ),
        _link(
            links.confirm(ChoiceRequest(ChoiceAction.NEVER, page.url)), _("Never change this site")
        ),
    )
    if not page.is_whole:
        return site
    if page.reason == Reason.SCRIPT_SHELL or page.purpose == Purpose.APPLICATION:
        run = f"{RENDER_PATH}?{urlencode({'url': page.url})}"
        site = (_link(run, _("Run scripts and read")), *site)
    return (
        view.choose(ChoiceRequest(ChoiceAction.READ, page.url), _("Reader view")),
        view.choose(ChoiceRequest(ChoiceAction.ORIGINAL, page.url), _("Show original")),
        _link(links.why(page.url), _("Why?")),
        *site,
    )


def _link(target: str, text: str) -> Markup:
    return Markup('<a href="{}">{}</a>').format(target, text)
