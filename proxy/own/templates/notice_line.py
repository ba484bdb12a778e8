"""The line in an original page that says why it is one, and the ways out of it. Pure, no script.

Like the bar it stands in the site's page: no link of it holds a secret, and none changes more than
the view of this very page.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from types import MappingProxyType
from typing import Final

from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.reasons import Reason
from winnow.proxy.own.templates.choice_forms import ChoiceAction, ChoiceLinks, ChoiceRequest
from winnow.proxy.own.templates.message_catalogue import CATALOGUE, Language, choose_language

_STYLES: Final = {
    "aside": "all:revert;position:fixed;left:0;bottom:0;z-index:2147483647;box-sizing:border-box;"
    "max-width:100%;padding:.3em .8em;border:1px solid #8a6d00;background:#fff3cd;color:#332701;"
    "font:14px/1.7 system-ui,sans-serif;text-align:left",
    "details": "all:revert",
    "summary": "all:revert;cursor:pointer",
    "a": "all:revert;color:#0b5c4a;font:inherit;margin-left:.9em",
}
"""``revert`` leaves the browser's own outline of what has the focus."""

_ENGLISH: Final = {
    "deadline": "extraction took too long",
    "busy": "too many pages were waiting to be extracted",
    "starting": "Winnow has just started and cannot extract yet",
    "too-complex": "the page is nested too deep, or has too many attributes",
    "no-article": "no article was found",
    "few-words": "too few words were found",
    "little-kept": "most of the page would have been removed",
    "low-confidence": "it is not certain what the article is",
    "no-browser": "no browser is installed that could run the page's scripts",
    "no-sandbox": "the browser that runs scripts has no sandbox here",
    "render-failed": "the browser could not load the page",
    "script-shell": "the page's scripts write its text",
    "task-lost": "something that can be done on the page would have been lost",
    "": "extraction failed",
}
_GERMAN: Final = {
    "deadline": "Die Extraktion hat zu lange gedauert",
    "busy": "Zu viele Seiten warteten auf die Extraktion",
    "starting": "Winnow wurde gerade gestartet und kann noch nicht extrahieren",
    "too-complex": "Die Seite ist zu tief verschachtelt oder hat zu viele Attribute",
    "no-article": "Es wurde kein Artikel gefunden",
    "few-words": "Es wurden zu wenige Wörter gefunden",
    "little-kept": "Das meiste wäre entfernt worden",
    "low-confidence": "Es ist nicht sicher, was der Artikel ist",
    "no-browser": "Kein Browser ist installiert, der die Skripte ausführt",
    "no-sandbox": "Der Browser für Skripte hat hier keine Sandbox",
    "render-failed": "Der Browser konnte die Seite nicht laden",
    "script-shell": "Die Skripte der Seite schreiben ihren Text",
    "task-lost": "Etwas, das auf der Seite zu tun ist, wäre verloren gegangen",
    "": "Die Extraktion ist fehlgeschlagen",
}
CAUSES: Final[Mapping[Language, Mapping[str, str]]] = MappingProxyType(
    {Language.ENGLISH: _ENGLISH, Language.GERMAN: _GERMAN}
)
"""Why a page was not extracted, by reason token; "" stands for all others."""


def notice_line(
    page: str, reason: str, language: Language, links: ChoiceLinks, *, styled: bool
) -> bytes:
    """Markup in ASCII; ``styled``: the page's policy allows style attributes."""
    words, causes = CATALOGUE[language], CAUSES[language]
    if reason == Reason.ORIGINAL_REQUESTED:
        text, read, target = words.notice_off, words.read, links.back(page)
        action, always = ChoiceAction.NEVER, words.always_original
    else:
        text = words.notice_why.format(why=causes.get(reason, causes[""]))
        read, action, always = words.read_anyway, ChoiceAction.ALWAYS, words.always
        target = links.read(page)
    style = {name: f' style="{css}"' if styled else "" for name, css in _STYLES.items()}
    policy = "same-origin" if links.gateway else "origin"
    offered = (
        (target, f' referrerpolicy="{policy}"', read),
        (links.confirm(ChoiceRequest(action, page)), "", always),
    )
    anchors = " ".join(
        f'<a href="{escape(link)}" rel="nofollow" target="_self"{more}{style["a"]}>{label}</a>'
        for link, more, label in offered
    )
    markup = (
        f'<aside id="winnow-notice" lang="{language.value}" dir="ltr" aria-label="{words.label}"'
        f'{style["aside"]}><details open=""{style["details"]}><summary{style["summary"]}>'
        f"{words.label}</summary>{text} {anchors}</details></aside>"
    )
    return markup.encode("ascii", "xmlcharrefreplace")


def page_notice(request: RequestHead, url: str, reason: str, prefix: str, *, styled: bool) -> bytes:
    """A NoticeRenderer."""
    language = choose_language(request.headers.joined("accept-language"))
    return notice_line(url, reason, language, ChoiceLinks.of(url, prefix), styled=styled)
