"""TeX in ``<script type="math/tex">``, as MathJax 2 reads it: a formula that shows its source.

Where MathJax ran before the page was stored, it stands beside what was drawn from it.
"""

from __future__ import annotations

from html import escape
from typing import Any, Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from winnow.document.compiled import loop, optional_module

_compiled: Any = optional_module("winnow.document.parsing._utf8")

_SIGN: Final = b"math/tex"
_RARE: Final = 7
"""The index of its rarest letter: to look for one byte is what machines do fastest."""
_DRAWN: Final = "MathJax-Element"
"""What the ids begin with that MathJax gives the scripts that it has read."""
_PREVIEW: Final = "MathJax_Preview"


def has_tex(utf8: bytes) -> bool:
    """Whether a page may have such a script; O(n)."""
    return holds(utf8, _SIGN, _RARE)


def holds_in_python(utf8: bytes, word: bytes, _rare: int = 0) -> bool:
    """Whether bytes hold a word: the definition."""
    return word in utf8


holds = loop(_compiled and _compiled.holds, holds_in_python)


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
