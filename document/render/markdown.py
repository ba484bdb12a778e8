"""The article as Markdown, converted by markdownify."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Final

from bs4 import Tag
from markdownify import ATX, BACKSLASH, MarkdownConverter

from winnow.document.document import Document
from winnow.document.render.formulas import tex_of_picture
from winnow.document.render.render_context import RenderContext
from winnow.document.values import Extraction, Rendered

MEDIA_TYPE = "text/markdown; charset=utf-8"
_MARKS: Final = re.compile(r"[\\`*]|(?<!\w)_|_(?!\w)|<(?=[A-Za-z/!?])|&(?=#?\w+;)")
_LINE_STARTS: Final = re.compile(r"^(\d{0,9})([-+#>.)](?=\s|$))", re.MULTILINE)
_VOID: Final = re.compile(r'<((?:img|br|hr|wbr|col)\b(?:[^<>"]|"[^"]*")*+)>')
"""Written ``<br/>`` for Beautiful Soup, which searches a list of all others at each end tag."""
_FENCES: Final = re.compile(r"`{3,}")
_IMAGES_STAY: Final = "a b em figcaption h1 h2 h3 h4 h5 h6 i strong td th".split()


@dataclass(frozen=True, slots=True)
class MarkdownRenderer:
    """``link_prefix`` stands before every absolute link (values.Recipe)."""

    link_prefix: str = ""

    def render(self, document: Document, extraction: Extraction) -> Rendered:
        """CommonMark with GitHub's tables (RFC 7763): the title as heading 1, then the article."""
        view = RenderContext.of(document, extraction, self.link_prefix)
        heading = f"<h1>{escape(view.about.title)}</h1>" if view.about.title else ""
        return view.rendered(markdown_of(heading + view.article()), MEDIA_TYPE)


def markdown_of(markup: str) -> str:
    """Clean HTML as Markdown, with one line feed at its end unless it is empty."""
    converter = _Converter(
        heading_style=ATX,
        bullets="-",
        newline_style=BACKSLASH,
        table_infer_header=True,
        sup_symbol="<sup>",
        sub_symbol="<sub>",
        keep_inline_images_in=list(_IMAGES_STAY),
    )
    text = converter.convert(_VOID.sub(r"<\1/>", markup)).strip()
    return text + "\n" * bool(text)


class _Converter(MarkdownConverter):
    """Code keeps its own fences and its language; only what would be read as marks is escaped."""

    def escape(self, text: str, parent_tags: set[str]) -> str:
        """Escape marks of CommonMark (0.31, section 2.4), where they would count as such."""
        text = _unlinked(_MARKS.sub(r"\\\g<0>", text or ""))
        text = _LINE_STARTS.sub(lambda found: f"{found[1]}\\{found[2]}", text)
        return text.replace("|", r"\|") if parent_tags & {"td", "th"} else text

    def convert_math(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """A formula as TeX between dollars, where the page has it; else its letters and signs."""
        tex = str(el.get("alttext") or "")
        if not tex:
            return " ".join(text.split())
        return f"\n\n$$\n{tex}\n$$\n\n" if el.get("display") == "block" else f"${tex}$"

    def convert_img(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """A picture; one of a formula as its TeX."""
        tex = tex_of_picture(str(el))
        return (
            f"${tex}$"
            if tex
            else str(
                super().convert_img(el, text, parent_tags)  # type: ignore[misc]  # it is there
            )
        )

    def convert_svg(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """A drawing's name."""
        return str(el.get("aria-label") or "")

    def convert_pre(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """A fence longer than any in the code (CommonMark 0.31, section 4.5)."""
        if not text:
            return ""
        longest = max((len(run) for run in _FENCES.findall(text)), default=2)
        fence = "`" * max(longest + 1, 3)
        code = text.strip("\n")
        return f"\n\n{fence}{_language(el)}\n{code}\n{fence}\n\n"


def _unlinked(text: str) -> str:
    """Each ``[`` escaped whose next ``]`` would make it a link or a definition. O(n)."""
    parts = text.split("]")
    escaped = [
        part.replace("[", r"\[") if behind.startswith(("(", ":")) else part
        for part, behind in pairwise(parts)
    ]
    return "]".join([*escaped, parts[-1]])


def _language(element: Tag) -> str:
    """The language that a ``<pre>`` or its ``<code>`` names."""
    for holder in (element, element.find("code")):
        for name in holder.get("class") or [] if isinstance(holder, Tag) else []:
            if name.startswith("language-"):
                return name.removeprefix("language-")
    return ""
