"""The style of a line of ours in a page that a phone lays out as wide as a desktop's. Pure.

Such a page has no viewport of its own: a phone lays it out 980 pixels wide and shows it smaller,
with all that stands in it. No style attribute can tell that from a desktop's window.
"""

from __future__ import annotations


def wide_layout_style(element: str) -> str:
    """A style element by which the text of an element of ours stays legible there."""
    return (
        f"<style>@media (max-device-width:480px) and (min-width:600px)"
        f"{{#{element}{{font-size:4.2vw!important}}}}</style>"
    )
