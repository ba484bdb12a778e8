"""The article as Markdown. Knows which dialect; the conversion itself is markdownify's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from typing import Final

from bs4 import Tag
from markdownify import ATX, BACKSLASH, MarkdownConverter

from document.document import Document
from document.render.view import View
from document.values import Extraction, Rendered

MEDIA_TYPE = "text/markdown; charset=utf-8"
_FENCES: Final = re.compile(r"`{3,}")
_IMAGES_STAY: Final = "a b em figcaption h1 h2 h3 h4 h5 h6 i strong td th".split()


@dataclass(frozen=True, slots=True)
class MarkdownRenderer:
    """``link_prefix`` stands before every absolute link (values.Recipe)."""

    link_prefix: str = ""

    def render(self, document: Document, extraction: Extraction) -> Rendered:
        """CommonMark with GitHub's tables (RFC 7763): the title as heading 1, then the article."""
        view = View.of(document, extraction, self.link_prefix)
        heading = f"<h1>{escape(view.about.title)}</h1>" if view.about.title else ""
        return view.rendered(markdown_of(heading + view.article()), MEDIA_TYPE)


def markdown_of(markup: str) -> str:
    """Clean HTML as Markdown, with one line feed at its end unless it is empty."""
    converter = _Converter(
        heading_style=ATX,
        bullets="-",
        newline_style=BACKSLASH,
        table_infer_header=True,
        escape_misc=True,
        keep_inline_images_in=list(_IMAGES_STAY),
    )
    text = converter.convert(markup).strip()
    return text + "\n" * bool(text)


class _Converter(MarkdownConverter):
    """Code keeps its own fences and its language."""

    def convert_pre(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """A fence longer than any in the code (CommonMark 0.31, section 4.5)."""
        if not text:
            return ""
        longest = max((len(run) for run in _FENCES.findall(text)), default=2)
        fence = "`" * max(longest + 1, 3)
        code = text.strip("\n")
        return f"\n\n{fence}{_language(el)}\n{code}\n{fence}\n\n"


def _language(element: Tag) -> str:
    """The language that a ``<pre>`` or its ``<code>`` names."""
    for holder in (element, element.find("code")):
        for name in holder.get("class") or [] if isinstance(holder, Tag) else []:
            if name.startswith("language-"):
                return name.removeprefix("language-")
    return ""
