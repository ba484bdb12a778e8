"""Notes, tips and warnings set apart from a text: written as quotations with their kind as class,
and on a reader page with its word above them, where they have no title of their own.

The classes are those of Docutils and Sphinx, MkDocs, Docusaurus, GitHub, Bootstrap and Notion.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from winnow.document.document import Document, Mask
from winnow.document.parsing import start_tags, tags
from winnow.document.parsing.signature import needs
from winnow.document.texts.page_words import PageWords

_WORD_OF: Final = {
    "note": "Note", "tip": "Tip", "important": "Important", "warning": "Warning",
    "caution": "Caution",
}  # fmt: skip
KINDS: Final = tuple(_WORD_OF)
"""GitHub's, by which Markdown names them."""
_KIND_OF: Final[Mapping[str, str]] = MappingProxyType(
    {
        **{kind: kind for kind in KINDS},
        **dict.fromkeys("info seealso hint success".split(), "tip"),
        **dict.fromkeys("attention".split(), "important"),
        **dict.fromkeys("danger error".split(), "caution"),
    }
)
_WRITTEN: Final = re.compile(
    rf'(<blockquote[^<>]* class="({"|".join(KINDS)})">)((?:<(?:p|h[1-6]|div)\b[^<>]*>)?'
    r"(?:<(?!/?(?:p|h[1-6]|div|ul|ol|blockquote)\b)[^<>]*>|[^<>]){0,400})"
)
"""The start of a written callout, and what its first block says."""
_END: Final = re.compile(r"(?:</(?!blockquote)[^<>]*>)*</blockquote>")
_TAG: Final = re.compile(r"<[^<>]*>")
_TITLE: Final = 5
"""Words of a block that may be a callout's own title."""
_SIGNS: Final = ("admonition", "callout", "alert")
_SIGN: Final = re.compile(r"admonition|callout|markdown-alert|alert(-|\Z)")
_MAY_BE: Final = tags.table_of("div aside section")


@needs(*_SIGNS, absent=MappingProxyType({}))
def callouts_of(document: Document, shown: Mask) -> Mapping[int, str]:
    """The kind of each shown element that is one."""
    elements, markup, found = document.elements, document.markup, dict[int, str]()
    among = (shown & _MAY_BE[elements.tag]).nonzero()[0]
    starts, ends = elements.open_start[among], elements.open_end[among]
    for element in among[start_tags.holding(markup, starts, ends, _SIGNS)].tolist():
        classes = document.attributes_of(element, {"class"}).get("class", "").lower().split()
        if any(_SIGN.match(each) and "title" not in each for each in classes):
            found[element] = _kind(classes)
    return found


def with_words(article: str, words: PageWords) -> str:
    """Clean HTML with the word of its kind in each callout that begins with no title."""

    def titled(callout: re.Match[str]) -> str:
        is_all = _END.match(article, callout.end())
        if not is_all and 0 < len(_TAG.sub(" ", callout[3]).split()) <= _TITLE:
            return callout[0]
        word = words.span(_WORD_OF[callout[2]])
        return f"{callout[1]}<p><strong>{word}</strong></p>{callout[3]}"

    return _WRITTEN.sub(titled, article)


def _kind(classes: Sequence[str]) -> str:
    names = {each.rpartition("-")[2] for each in classes}
    return next((kind for name, kind in _KIND_OF.items() if name in names), KINDS[0])
