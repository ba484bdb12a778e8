"""The bar's panel for text and colours: lists that act at once by style sheet alone.

No script: each option has a rule that holds while it is chosen (``:has()``, Selectors 4, section
4.5). The form's button stores the choice; it works in browsers without ``:has()`` too.
"""

from __future__ import annotations

from typing import Final

from winnow.proxy.own.translation import N_

KEEP: Final = "keep"
"""The field of a form that is stored at once where it comes from the page that it names."""
KEPT: Final = "winnow-kept"
"""The fragment of the page that a form leads back to: its target is the line that says so."""
KEPT_TEXT: Final = N_("Kept for all pages.")
ALWAYS: Final = "winnow-always"
"""The same of *Always*, and of *Read later*."""
ALWAYS_TEXT: Final = N_("This site is always shown in the reader view.")
LATER: Final = "winnow-later"
LATER_TEXT: Final = N_("Saved for later.")
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
