"""The article as Markdown, converted by markdownify."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Any, Final

from bs4 import BeautifulSoup, Tag
from markdownify import ATX, BACKSLASH, MarkdownConverter

from winnow.document.document import Document
from winnow.document.render.article.callouts import KINDS
from winnow.document.render.embedded.formulas import tex_of_picture
from winnow.document.render.render_context import RenderContext
from winnow.document.values import Extraction, Rendered

MEDIA_TYPE = "text/markdown; charset=utf-8"
_MARKS: Final = re.compile(r"[\\`*~]|(?<![^\W_])_|_(?![^\W_])|<(?=[A-Za-z/!?])|&(?=#?\w+;)")
_LINE_STARTS: Final = re.compile(
    r"^([^\S\n]*\d{0,9})(>|#(?=#{0,5}(?:\s|$))|[-+.)](?=\s|$)|[-=](?=[-=\s]*$))", re.MULTILINE
)
"""What would begin a quotation, a heading, an item, or be a rule or a heading's underline."""
_VOID: Final = re.compile(r'<((?:img|br|hr|wbr|col)\b(?:[^<>"]|"[^"]*")*+)>')
"""Written ``<br/>`` for Beautiful Soup, which searches a list of all others at each end tag."""
_FENCES: Final = re.compile(r"`{3,}")
_AS_USUAL: Final[Any] = MarkdownConverter
"""Its types name none of the functions by element."""
_NOTE: Final = "data-note"
_BACK: Final = "^"
_WITHIN: Final = re.compile("#.")
_LABEL: Final = re.compile(r"\w{1,20}\Z")
_IMAGES_STAY: Final = "a b em figcaption h1 h2 h3 h4 h5 h6 i strong td th".split()


@dataclass(frozen=True, slots=True)
class MarkdownRenderer:
    """``link_prefix`` stands before every absolute link (values.Recipe).

    ``front``: what is known of the page stands above, as YAML between two lines of three hyphens.
    """

    link_prefix: str = ""
    front: bool = False

    def render(self, document: Document, extraction: Extraction) -> Rendered:
        """CommonMark with GitHub's tables, footnotes and alerts (RFC 7763): the title as heading 1,
        then the article."""
        view = RenderContext.of(document, extraction, self.link_prefix)
        heading = f"<h1>{escape(view.about.title)}</h1>" if view.about.title else ""
        text = markdown_of(heading + view.article(), self.link_prefix + (document.page.url or ""))
        return view.rendered(front_matter(view) + text if self.front else text, MEDIA_TYPE)


def front_matter(view: RenderContext) -> str:
    """What is known of a page; each value is written as JSON, which is YAML (1.2, section 1.3)."""
    about = view.about
    known = {
        "title": about.title,
        "author": about.byline,
        "date": about.published or about.modified,
        "site": about.site,
        "address": view.document.page.url,
        "language": about.language,
        "licence": about.licence,
    }
    lines = (f"{name}: {json.dumps(value)}\n" for name, value in known.items() if value)
    return f"---\n{''.join(lines)}---\n\n"


def markdown_of(markup: str, page: str = "") -> str:
    """Clean HTML as Markdown, with one line feed at its end unless it is empty.

    ``page``: its address, on which links within it stand.
    """
    converter = _Converter(
        heading_style=ATX,
        bullets="-",
        newline_style=BACKSLASH,
        table_infer_header=True,
        sup_symbol="<sup>",
        sub_symbol="<sub>",
        keep_inline_images_in=list(_IMAGES_STAY),
    )
    converter.page = page
    text = converter.convert(_VOID.sub(r"<\1/>", markup)).strip()
    return text + "\n" * bool(text)


class _Converter(MarkdownConverter):
    """Code keeps its own fences and its language; only what would be read as marks is escaped."""

    page = ""

    def escape(self, text: str, parent_tags: set[str]) -> str:
        """Escape marks of CommonMark (0.31, section 2.4), where they would count as such."""
        text = _unlinked(_MARKS.sub(r"\\\g<0>", text or ""))
        text = _LINE_STARTS.sub(lambda found: f"{found[1]}\\{found[2]}", text)
        return text.replace("|", r"\|") if parent_tags & {"td", "th"} else text

    def convert_soup(self, soup: BeautifulSoup) -> str:
        """With notes at the foot that links lead to, and what these are called."""
        number_notes(soup)
        return str(super().convert_soup(soup))

    def convert_a(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """A link; within the page a reference to a note, or the page's address with a fragment."""
        if label := el.get(_NOTE):
            return f"[^{label}]" if label != _BACK else ""
        href = str(el.get("href") or "")
        if href.startswith("#"):
            href = f"{self.page}{href}"
        el["href"] = href.replace("(", "%28").replace(")", "%29")
        return str(_AS_USUAL.convert_a(self, el, text, parent_tags))

    def convert_sup(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """A reference to a note stands high by itself."""
        if text.startswith("[^"):
            return text
        return str(_AS_USUAL.convert_sup(self, el, text, parent_tags))

    def convert_li(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """An item; of a list of notes the note (GitHub's footnotes)."""
        if label := el.get(_NOTE):
            return f"[^{label}]: " + text.strip().replace("\n", "\n    ") + "\n\n"
        return str(_AS_USUAL.convert_li(self, el, text, parent_tags))

    def convert_blockquote(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """A quotation; of a note with its kind (GitHub's alerts)."""
        kind = next((name for name in el.get("class") or () if name in KINDS), "")
        if kind and text.strip() and "_inline" not in parent_tags:
            first, _, rest = text.strip().partition("\n")
            body = rest if first.lower() == kind and rest.strip() else text
            text = f"[!{kind.upper()}]\n{body.strip()}"
        return str(_AS_USUAL.convert_blockquote(self, el, text, parent_tags))

    def convert_math(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """A formula as TeX between dollars, where the page has it; else its letters and signs."""
        tex = str(el.get("alttext") or "")
        if not tex:
            return " ".join(text.split())
        return f"\n\n$$\n{tex}\n$$\n\n" if el.get("display") == "block" else f"${tex}$"

    def convert_img(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """A picture; one of a formula as its TeX."""
        tex = tex_of_picture(str(el))
        return f"${tex}$" if tex else str(_AS_USUAL.convert_img(self, el, text, parent_tags))

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


def number_notes(soup: BeautifulSoup) -> None:
    """Mark the items that links of the text lead to, these links, and those that lead back."""
    items = {str(item["id"]): item for item in soup.find_all("li", id=True) if _is_note(item)}
    labels: dict[int, str] = {}
    for link in soup.find_all("a", href=_WITHIN) if items else ():
        note = items.get(str(link["href"])[1:])
        if note is None or note in link.parents:
            continue
        said = link.get_text().strip("[]() \n")
        known = said if _LABEL.match(said) and said not in labels.values() else len(labels) + 1
        link[_NOTE] = note[_NOTE] = labels.setdefault(id(note), str(known))
    for note in soup.find_all("li", {_NOTE: True}):
        for link in note.find_all("a", href=_WITHIN):
            link[_NOTE] = _BACK


def _is_note(item: Tag) -> bool:
    """Whether it has more than one word: ``[^1]: word`` would define a link (CommonMark, 4.7)."""
    back = (link.get_text() for link in item.find_all("a", href=_WITHIN))
    return len(item.get_text().split()) > len(" ".join(back).split()) + 1


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
