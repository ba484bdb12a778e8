"""The bar's panel for text and colours: radio buttons that act at once by style sheet alone.

No script: each button has a rule that holds while it is chosen (``:has()``, Selectors 4, section
4.5). The form's button stores the choice; it works in browsers without ``:has()`` too.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from html import escape
from typing import Final

from winnow.config.appearance import Appearance
from winnow.proxy.own.languages import Language
from winnow.proxy.own.templates.in_page.appearance_style import CHOICES, button_id, live_css
from winnow.proxy.own.templates.in_page.choice_links import ChoiceLinks
from winnow.proxy.own.translation import LANGUAGE, N_, _, speaking

KEEP: Final = "keep"
"""The field of a form that is stored at once where it comes from the page that it names."""
KEPT: Final = "winnow-kept"
"""The fragment of the page that a form leads back to: its target is the line that says so."""
KEPT_TEXT: Final = N_("Kept for all pages.")
LABELS: Final = {
    "size": N_("Text size"),
    "theme": N_("Colours"),
    "typeface": N_("Font"),
    "width": N_("Line length"),
    "spacing": N_("Line spacing"),
    "voice": N_("Reading aloud"),
}
"""The fields of Appearance, those that most readers change first."""
NAMES: Final = {
    "small": N_("Small"),
    "large": N_("Large"),
    "larger": N_("Larger"),
    "huge": N_("Huge"),
    "usual": N_("Default"),
    "narrow": N_("Narrow"),
    "wide": N_("Wide"),
    "full": N_("Full"),
    "close": N_("Tight"),
    "widest": N_("Widest"),
    "serif": N_("Serif"),
    "sans": N_("Sans-serif"),
    "legible": N_("Dyslexia and low vision"),
    "mono": N_("Monospace"),
    "system": N_("Same as device"),
    "light": N_("Light"),
    "sepia": N_("Sepia"),
    "dark": N_("Dark"),
    "contrast": N_("High contrast"),
    "off": N_("Off"),
    "on": N_("On"),
}
_HINT: Final = N_("Most changes show at once. “Reading aloud” changes when you press the button.")


def looks_panel(chosen: Appearance, target: str, page: str) -> str:
    """The form, with what is ``chosen``; ``target`` stores it and leads back to ``page``."""
    style, rows = _buttons(chosen, LANGUAGE.get())
    keep = escape(_("Keep for all pages"))
    return (
        f'<style>{style}</style><form method="get" action="{escape(target)}" '
        f'autocomplete="off">{rows}<input type="hidden" name="{KEEP}" value="1">'
        f'<input type="hidden" name="back" value="{escape(page)}">'
        f"<button>{keep}</button></form>"
        f"<p>{escape(_(_HINT))}</p>"
    )


def kept_line(links: ChoiceLinks, page: str, referred: str) -> str:
    """What was kept, and how to take it back; shown where the address's fragment names it.

    ``referred``: the attribute by which our own page learns where the link stands.
    """
    said, undo = escape(_(KEPT_TEXT)), escape(_("Undo"))
    target = escape(links.undo_looks(page))
    return f'<p id="{KEPT}">{said} <a href="{target}" rel="nofollow"{referred}>{undo}</a></p>'


@lru_cache(maxsize=32)
def _buttons(chosen: Appearance, language: Language) -> tuple[str, str]:
    """The rules and the buttons, which no page changes; ``language`` is the one in force."""
    with speaking(language):
        return live_css(chosen), "".join(_row(name, chosen) for name in LABELS)


def _row(name: str, chosen: Appearance) -> str:
    label = escape(_(LABELS[name]))
    values = "".join(
        _button(name, value, escape(_(NAMES[value])), value == getattr(chosen, name))
        for value in CHOICES[name]
    )
    return f"<fieldset><legend>{label}</legend><div>{values}</div></fieldset>"


def _button(name: str, value: StrEnum, text: str, is_chosen: bool) -> str:
    checked = " checked" if is_chosen else ""
    return (
        f'<label><input type="radio" name="{name}" value="{value}" '
        f'id="{button_id(name, value)}"{checked}><span>{text}</span></label>'
    )
