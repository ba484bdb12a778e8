"""The message catalogue: texts of the bar and of confirmation pages in each language.

Accept-Language chooses among them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from winnow.proxy.http.headers import cached_by_text


class Language(StrEnum):
    """The languages of the message catalogue; the value is the ``lang`` attribute."""

    ENGLISH = "en"
    GERMAN = "de"


@dataclass(frozen=True, slots=True)
class Messages:
    """Texts; names in braces are filled with ``str.format``."""

    shows: str
    label: str
    original: str
    notice_off: str
    notice_why: str
    read: str
    read_anyway: str
    always_original: str
    more: str
    always: str
    never: str
    options: str
    save: str
    why: str
    looks: str
    activity: str
    settings: str
    level: str
    level_do: str
    confirm_title: str
    confirm_always: str
    confirm_never: str
    confirm_extractor: str
    confirm_level: str
    confirm_forget: str
    confirm_original: str
    confirm_read: str
    confirm_do: str
    confirm_back: str
    confirm_undo: str
    stale_title: str
    stale: str


ENGLISH = Messages(
    shows="Winnow shows {kept} of {total} words.",
    label="Winnow",
    original="Show original",
    notice_off="Winnow is off for this page for up to an hour.",
    notice_why="Winnow shows the original page: {why}.",
    read="Read it",
    read_anyway="Read it anyway",
    always_original="Always original here",
    more="More",
    always="Always for this site",
    never="Never for this site",
    options="All options",
    save="Save",
    why="Why?",
    looks="Text and colours",
    activity="Activity",
    settings="Settings",
    level="Level: strict to lenient",
    level_do="Apply",
    confirm_title="Pages of {site}",
    confirm_always="Winnow will always extract the article on {site}.",
    confirm_never="Winnow will not change pages of {site}.",
    confirm_extractor="Winnow will use the method {extractor} on {site}.",
    confirm_level="Winnow will use level {level} on {site}.",
    confirm_forget="Winnow will remove your choice for {site}.",
    confirm_original="Winnow will show the original of {page} for up to an hour.",
    confirm_read="Winnow will extract the article of {page} for up to an hour.",
    confirm_do="Save",
    confirm_back="Cancel",
    confirm_undo="You can change this in Winnow's settings.",
    stale_title="This form has expired",
    stale="Forms expire after half a day or when Winnow restarts, and work only for the user who "
    "opened them. Go back to the page and try again.",
)
GERMAN = Messages(
    shows="Winnow zeigt {kept} von {total} Wörtern.",
    label="Winnow",
    original="Original anzeigen",
    notice_off="Winnow ist für diese Seite aus, höchstens eine Stunde lang.",
    notice_why="Winnow zeigt die Originalseite. {why}.",
    read="Lesen",
    read_anyway="Trotzdem lesen",
    always_original="Hier immer das Original",
    more="Mehr",
    always="Immer auf dieser Website",
    never="Nie auf dieser Website",
    options="Alle Möglichkeiten",
    save="Sichern",
    why="Warum?",
    looks="Schrift und Farben",
    activity="Verlauf",
    settings="Einstellungen",
    level="Stufe: streng bis großzügig",
    level_do="Anwenden",
    confirm_title="Seiten von {site}",
    confirm_always="Winnow zeigt auf {site} immer nur den Artikel.",
    confirm_never="Winnow ändert Seiten von {site} nicht.",
    confirm_extractor="Winnow verwendet auf {site} das Verfahren {extractor}.",
    confirm_level="Winnow verwendet auf {site} die Stufe {level}.",
    confirm_forget="Winnow entfernt Ihre Auswahl für {site}.",
    confirm_original="Winnow zeigt höchstens eine Stunde lang das Original von {page}.",
    confirm_read="Winnow zeigt höchstens eine Stunde lang den Artikel von {page}.",
    confirm_do="Speichern",
    confirm_back="Abbrechen",
    confirm_undo="Sie können das in den Einstellungen von Winnow ändern.",
    stale_title="Dieses Formular ist abgelaufen",
    stale="Formulare gelten einen halben Tag lang oder bis zum Neustart von Winnow und nur für die "
    "Person, die sie geöffnet hat. Gehen Sie zurück zur Seite und versuchen Sie es noch einmal.",
)
CATALOGUE: Mapping[Language, Messages] = MappingProxyType(
    {Language.ENGLISH: ENGLISH, Language.GERMAN: GERMAN}
)


def number(value: int, language: Language) -> str:
    """``value`` with its thousands grouped as the language groups them."""
    return f"{value:,}".replace(",", "." if language is Language.GERMAN else ",")


def choose_language(accept_language: str | None) -> Language:
    """The reader's preferred one (RFC 9110, section 12.5.4); English if none fits."""
    return _best(accept_language or "")


@cached_by_text
def _best(accept_language: str) -> Language:
    ranges = [_range(part) for part in accept_language.split(",")]
    best = sorted((one for one in ranges if one[1] > 0), key=lambda one: -one[1])
    for tag, _ in best:
        primary = tag.partition("-")[0]
        if primary in set(Language):
            return Language(primary)
    return Language.ENGLISH


def _range(part: str) -> tuple[str, float]:
    tag, _, parameter = part.strip().partition(";")
    name, _, value = parameter.strip().partition("=")
    if name.strip().lower() != "q":
        return tag.strip().lower(), 1.0 if tag.strip() else 0.0
    try:
        return tag.strip().lower(), float(value)
    except ValueError:
        return tag.strip().lower(), 0.0
