"""Notes, tips and warnings set apart from a text: written as quotations with their kind as class.

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

KINDS: Final = ("note", "tip", "important", "warning", "caution")
"""GitHub's, by which Markdown names them."""
_KIND_OF: Final[Mapping[str, str]] = MappingProxyType(
    {
        **{kind: kind for kind in KINDS},
        **dict.fromkeys("info seealso hint success".split(), "tip"),
        **dict.fromkeys("attention".split(), "important"),
        **dict.fromkeys("danger error".split(), "caution"),
    }
)
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


def _kind(classes: Sequence[str]) -> str:
    names = {each.rpartition("-")[2] for each in classes}
    return next((kind for name, kind in _KIND_OF.items() if name in names), KINDS[0])
