"""Why a part of a page was left out, in the reader's words. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from winnow.features.why.jobs import RemovalReason
from winnow.proxy.own.translation import N_, _, ngettext, number

_WORDS: Final[Mapping[str, str]] = {
    RemovalReason.RULE: N_("a rule for this site drops it"),
    RemovalReason.NO_ARTICLE: N_("no article was found on this page"),
    RemovalReason.AD: N_("looks like an advertisement"),
    RemovalReason.COOKIES: N_("looks like a cookie notice"),
    RemovalReason.COMMENTS: N_("readers’ comments"),
    RemovalReason.SHARING: N_("buttons to share the page"),
    RemovalReason.SUBSCRIBING: N_("asks you to subscribe or log in"),
    RemovalReason.RELATED: N_("leads to other pages of the site"),
    RemovalReason.MENU: N_("part of a menu"),
    RemovalReason.FOOTER: N_("part of the page’s footer"),
    RemovalReason.FORM: N_("a form"),
    RemovalReason.ABOUT: N_("about the article: author, date, topics"),
    RemovalReason.LINKS: N_("mostly links"),
    RemovalReason.BESIDE: N_("beside the article"),
    RemovalReason.HEADER: N_("part of the page’s header"),
    RemovalReason.BEFORE: N_("before the article’s beginning"),
    RemovalReason.AFTER: N_("after the article’s end"),
    RemovalReason.SHORT: N_("only a few words"),
    RemovalReason.UNLIKE: N_("unlike the article’s text"),
}


def in_words(reason: str) -> str:
    """A RemovalReason in words, "" for none."""
    return _(_WORDS[reason]) if reason else ""


def left_out(reason: str) -> str:
    """The sentence that names the reason."""
    return _("Left out: {reason}.").format(reason=in_words(reason))


def all_left_out() -> Mapping[str, str]:
    """The sentence for each reason."""
    return {reason: left_out(reason) for reason in _WORDS}


def of_the_site(words: int) -> str:
    """What was left out because other pages of the site have it."""
    text = ngettext(
        "{number} word is left out because other pages of this site have it.",
        "{number} words are left out because other pages of this site have them.",
        words,
    )
    return text.format(number=number(words))
