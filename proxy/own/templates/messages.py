"""The message catalogue: each text of the bar and of pages around it, in each language.

A missing text is a type error. Knows words; refuses to know markup and where they stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from winnow.proxy.own.templates.languages import Language


@dataclass(frozen=True, slots=True)
class Messages:
    """Texts; names in braces are filled with ``str.format``."""

    shows: str
    label: str
    original: str
    more: str
    always: str
    never: str
    other: str
    why: str
    looks: str
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
    confirm_do: str
    confirm_back: str
    confirm_undo: str
    stale_title: str
    stale: str


ENGLISH = Messages(
    shows="Winnow shows {kept} of {total} words.",
    label="Winnow",
    original="Show the original",
    more="More",
    always="Always for this site",
    never="Never for this site",
    other="Another method",
    why="Why?",
    looks="Text and colours",
    settings="Settings",
    level="Tidy up: much to little",
    level_do="Tidy",
    confirm_title="Pages of {site}",
    confirm_always="Winnow will always show the article alone on {site}.",
    confirm_never="Winnow will leave the pages of {site} as they are.",
    confirm_extractor="Winnow will use the method {extractor} on {site}.",
    confirm_level="Winnow will use level {level} on {site}.",
    confirm_forget="Winnow will forget what you chose for {site}.",
    confirm_original="Winnow will show {page} as its site sends it, for ten minutes.",
    confirm_do="Yes, remember this",
    confirm_back="No, back to the page",
    confirm_undo="You can undo this in Winnow's settings.",
    stale_title="This form is no longer valid",
    stale="Winnow's forms hold for half a day, until Winnow is restarted, and for who opened them. "
    "Go back to the page and choose once more.",
)
GERMAN = Messages(
    shows="Winnow zeigt {kept} von {total} Wörtern.",
    label="Winnow",
    original="Original zeigen",
    more="Mehr",
    always="Immer auf dieser Website",
    never="Nie auf dieser Website",
    other="Anderes Verfahren",
    why="Warum?",
    looks="Schrift und Farben",
    settings="Einstellungen",
    level="Aufräumen: viel bis wenig",
    level_do="Aufräumen",
    confirm_title="Seiten von {site}",
    confirm_always="Winnow zeigt auf {site} künftig immer nur den Artikel.",
    confirm_never="Winnow lässt die Seiten von {site} künftig, wie sie sind.",
    confirm_extractor="Winnow verwendet auf {site} künftig das Verfahren {extractor}.",
    confirm_level="Winnow verwendet auf {site} künftig die Stufe {level}.",
    confirm_forget="Winnow vergisst, was Sie für {site} gewählt haben.",
    confirm_original="Winnow zeigt {page} zehn Minuten lang so, wie die Website sie sendet.",
    confirm_do="Ja, so merken",
    confirm_back="Nein, zurück zur Seite",
    confirm_undo="In den Einstellungen von Winnow lässt sich das zurücknehmen.",
    stale_title="Dieses Formular gilt nicht mehr",
    stale="Die Formulare von Winnow gelten einen halben Tag lang, bis zum Neustart und für "
    "den, der sie geöffnet hat. Gehen Sie zurück zur Seite und wählen Sie noch einmal.",
)
CATALOGUE: Mapping[Language, Messages] = MappingProxyType(
    {Language.ENGLISH: ENGLISH, Language.GERMAN: GERMAN}
)


def number(value: int, language: Language) -> str:
    """``value`` with its thousands grouped as the language groups them."""
    return f"{value:,}".replace(",", "." if language is Language.GERMAN else ",")
