"""Texts in the language of the request that is being answered.

``_("English text")`` is all that a page needs: the language is a context variable, which the
dispatcher sets for each request and which is in every key that a text depends on (``PageBars``).
``make translations`` collects the texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import Final

from markupsafe import Markup, escape

from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.sentences import N_, Sentence, says
from winnow.proxy.own.catalogue import Catalogue, catalogue
from winnow.proxy.own.languages import Language, choose_language
from winnow.proxy.own.menus import MENUS

__all__ = [
    "LANGUAGE",
    "N_",
    "Language",
    "LanguageOf",
    "_",
    "by_header",
    "catalogue_of",
    "clock",
    "counted_words",
    "day",
    "filled",
    "is_translated",
    "moment",
    "ngettext",
    "number",
    "own_words",
    "percent",
    "says",
    "speaking",
]

LANGUAGE: Final[ContextVar[Language]] = ContextVar("language", default=Language.ENGLISH)
LanguageOf = Callable[[RequestHead], Language]
"""The language for a reader."""

_GROUPING: Final = {
    Language.GERMAN: ".",
    Language.FRENCH: "\u00a0",  # not U+202F, which old fonts lack
    Language.SPANISH: ".",
    Language.PORTUGUESE: ".",
}
"""What groups thousands where it is no comma (CLDR)."""


def by_header(head: RequestHead) -> Language:
    """The language by Accept-Language alone."""
    return choose_language(head.headers.joined("accept-language"))


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Texts within are in ``language``."""
    token = LANGUAGE.set(language)
    try:
        yield
    finally:
        LANGUAGE.reset(token)


def _(english: str) -> str:
    """The text in the reader's language; a Sentence filled, anything else with its braces."""
    if isinstance(english, Sentence):
        values = {
            name: _(value) if isinstance(value, Sentence) else value
            for name, value in english.values.items()
        }
        return catalogue_of(english.template).text(english.template).format_map(values)
    return catalogue_of(english).text(english)


def catalogue_of(english: str) -> Catalogue:
    """The one that has a text: ours, or that of a package's feature."""
    language = LANGUAGE.get()
    ours = catalogue(language)
    if ours.has(english):
        return ours
    return next((each for each in MENUS.get().texts.get(language, ()) if each.has(english)), ours)


def is_translated(english: str) -> bool:
    """Whether the text is in the reader's language."""
    language = LANGUAGE.get()
    template = english.template if isinstance(english, Sentence) else english
    return language is Language.ENGLISH or bool(catalogue_of(template).texts.get(template))


def ngettext(one: str, many: str, count: int, **values: object) -> str:
    """The text for a number of things, ``{number}`` and ``values`` in it filled."""
    text = catalogue_of(one).plural(one, many, count)
    return text.format(number=number(count), **values)


def counted_words(count: int) -> str:
    """So many words, for a text that counts something else, too."""
    return ngettext("{number} word", "{number} words", count)


def filled(text: str, **values: object) -> Markup:
    """A translated text as markup: ``values`` may be markup, all else is escaped."""
    return escape(text).format(**values)


def own_words(english: str) -> Markup:
    """A text of ours that may have no translation: then it says that it is English."""
    if is_translated(english):
        return escape(_(english))
    return Markup('<span lang="en" dir="ltr">{}</span>').format(english)


def number(value: int) -> str:
    """``value`` with its thousands grouped as the language groups them."""
    return f"{value:,}".replace(",", _GROUPING.get(LANGUAGE.get(), ","))


def percent(share: float) -> str:
    """A share such as 12%."""
    return _("{number}%").format(number=number(round(share * 100)))


def day(when: datetime) -> str:
    """A date in figures, in local time where ``when`` is aware."""
    local = when.astimezone() if when.tzinfo else when
    # Translators: a date in figures, as CLDR's short form.
    pattern = _("{year}-{month:02}-{day:02}")
    return pattern.format(year=local.year, month=local.month, day=local.day)


def clock(when: datetime) -> str:
    """The time of day, in local time where ``when`` is aware."""
    local = when.astimezone() if when.tzinfo else when
    return f"{local:%H:%M}"


def moment(when: datetime) -> str:
    """Date and time of day."""
    return f"{day(when)} {clock(when)}"
