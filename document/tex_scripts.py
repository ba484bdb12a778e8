"""TeX in ``<script type="math/tex">``, as MathJax 2 reads it: a formula that shows its source.

Where MathJax ran before the page was stored, it stands beside what was drawn from it.
"""

from __future__ import annotations

from html import escape
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

SIGN: Final = b"math/tex"
_DRAWN: Final = "MathJax-Element"
"""What the ids begin with that MathJax gives the scripts that it has read."""
_PREVIEW: Final = "MathJax_Preview"


def with_tex_shown(tree: LexborHTMLParser) -> LexborHTMLParser:
    """The tree, each formula that no script has drawn yet as MathML in the place of its source."""
    for script in tree.css('script[type^="math/tex"]'):
        tex = " ".join((script.text() or "").split())
        if not tex or (script.attributes.get("id") or "").startswith(_DRAWN):
            continue
        if (preview := _preview_of(script)) is not None:
            preview.decompose()
        is_display = "mode=display" in (script.attributes.get("type") or "").replace(" ", "")
        script.replace_with(_formula(tex, is_display=is_display))
    return tree


def _formula(tex: str, *, is_display: bool) -> LexborNode:
    display = ' display="block"' if is_display else ""
    markup = f'<math alttext="{escape(tex)}"{display}><mtext>{escape(tex)}</mtext></math>'
    return LexborHTMLParser(markup).css("math")[0]


def _preview_of(script: LexborNode) -> LexborNode | None:
    """What stands before a source for as long as no script has drawn it."""
    before = script.prev
    is_preview = before is not None and _PREVIEW in (before.attributes.get("class") or "")
    return before if is_preview else None
