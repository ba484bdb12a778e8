"""The basic profile: a page that a browser of 1998 and a feature phone show (HTML 4.01).

Hardly a style, no element or attribute younger than 1999 except ``lang``, ``dir`` and ``role``,
which old browsers pass over. Films and sounds are links, formulas and drawings their words.
"""

from __future__ import annotations

from html import escape
from typing import Final

from winnow.document.metadata.page_metadata import Metadata
from winnow.document.render.addresses import Addresses, host_of, site_of
from winnow.document.render.reader.html_rewriter import Attributes, Rewriter, start_tag
from winnow.document.texts.page_words import ENGLISH_WORDS, PageWords
from winnow.document.values import BAR_MARK

_RENAMED: Final = {
    "article": "div", "details": "div", "figcaption": "p", "figure": "div", "mark": "b",
    "s": "strike", "summary": "p",
}  # fmt: skip
_DRAWINGS: Final = frozenset({"svg", "math"})
_NO_TEXT: Final = frozenset("ul ol dl thead tbody tfoot tr hr br".split())
"""No anchor may stand in these."""
_ATTRIBUTES: Final = {
    "a": ("href", "title"), "img": ("src", "alt", "width", "height"),
    "td": ("colspan", "rowspan"), "th": ("colspan", "rowspan"), "ol": ("start", "type"),
    "li": ("value",), "abbr": ("title",),
    "form": ("action", "method", "enctype", "accept-charset"),
    "input": ("type", "name", "value", "id", "size", "maxlength", "checked", "disabled", "readonly",
              "alt", "src"),
    "select": ("name", "id", "size", "multiple", "disabled"),
    "option": ("value", "selected", "disabled"), "optgroup": ("label", "disabled"),
    "textarea": ("name", "id", "rows", "cols", "disabled", "readonly"),
    "button": ("type", "name", "value", "disabled"), "label": ("for",),
}  # fmt: skip
_GLOBAL_ATTRIBUTES: Final = ("lang", "dir")
STYLE: Final = (
    "body{word-wrap:break-word;line-height:1.5}h1{font-size:1.3em}img{max-width:100%;height:auto}"
    "pre{white-space:pre-wrap;word-wrap:break-word}"
)
"""What keeps a page as wide as its screen and its links apart (WCAG 2.2, 2.5.8), by CSS 2.1."""
_INPUTS: Final = frozenset(
    "text password checkbox radio submit reset file hidden image button".split()
)
_PLAYERS: Final = {"video": "Film", "audio": "Sound"}
_HTML4_ELEMENTS: Final = frozenset(
    "p h2 h3 h4 h5 h6 ul ol li dl dt dd table caption thead tbody tfoot tr td th pre blockquote "
    "div hr br a abbr b cite code del dfn em i ins kbd q samp small strong sub sup strike img bdo "
    "form input select option optgroup textarea button label fieldset legend"
    .split()
)  # fmt: skip


def basic_page(
    about: Metadata, content: str, addresses: Addresses, facts: str, forms: str = ""
) -> str:
    """The whole page around an article; ``facts`` are author, date and length, if known.

    ``forms``: the page's own, in the elements of this profile.
    """
    words = about.words
    title = escape(about.title or host_of(addresses.page) or words.text("Untitled page"))
    source = escape(addresses.resource(addresses.page))
    link = f'<a href="{source}">{escape(site_of(addresses.page))}</a>'
    origin = words.text("From {site}", site=link) if source else words.text("Shown by Winnow")
    return "\n".join(
        (
            '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">',
            f'<html lang="{escape(about.language) or "und"}" dir="{about.direction or "ltr"}">',
            '<head><meta http-equiv="Content-Type" content="text/html; charset=utf-8">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>{title}</title>",
            f'<style type="text/css">{STYLE}</style></head>',
            f"<body>{_skip(about)}{BAR_MARK.decode()}",
            f'<div role="main" id="winnow-text"><h1>{title}</h1>',
            f"<p><small>{facts}</small></p>" if facts else "",
            f"{basic(content, words)}{forms}</div>",
            f'<hr><div role="contentinfo"><p{words.attributes}><small>{origin}</small></p></div>',
            "</body></html>\n",
        )
    )


def _skip(about: Metadata) -> str:
    """The way past the bar, which text browsers show unfolded."""
    words = about.words
    link = f'<a href="#winnow-text"{words.attributes}>{words.text("Skip to the text")}</a>'
    return f"<p><small>{link}</small></p>"


def basic(content: str, words: PageWords = ENGLISH_WORDS) -> str:
    """Clean HTML in elements that every browser since 1998 knows."""
    return _Basic(words).rewrite(content)


class _Basic(Rewriter):
    def __init__(self, words: PageWords) -> None:
        super().__init__()
        self._words = words
        self._drawing = self._silent = 0
        self._labels = set[str]()

    def begin(self, name: str, attributes: Attributes) -> None:
        if name in _DRAWINGS:
            self._draw(name, attributes)
        elif self._drawing:
            return
        elif name in _PLAYERS:
            self._link(attributes.get("src", ""), self._words.text(_PLAYERS[name]))
        elif name == "img":
            self._image(attributes)
        elif name in ("input", "textarea", "label"):
            self._field(name, attributes)
        else:
            self._element(_RENAMED.get(name, name), attributes)

    def end(self, name: str) -> None:
        output_name = _RENAMED.get(name, name)
        if name in _DRAWINGS:
            self._drawing -= 1
            self._silent = self._silent if self._drawing else 0
        elif output_name in _HTML4_ELEMENTS and not self._drawing:
            self.out.append(f"</{output_name}>")

    def text(self, text: str) -> None:
        if not self._silent:
            super().text(text)

    def _draw(self, name: str, attributes: Attributes) -> None:
        """A drawing or a formula is its name; a formula without one is its letters and signs."""
        label = attributes.get("aria-label") or attributes.get("alttext") or ""
        self.text(label)
        self._drawing += 1
        self._silent += bool(label) or name == "svg"

    def _element(self, name: str, attributes: Attributes) -> None:
        anchor = attributes.get("id")
        target = start_tag("a", [("name", anchor)]) + "</a>" if anchor else ""
        if name == "table":
            self.out.append(f'{target}<table border="1" cellpadding="3">')
            return
        names = (*_ATTRIBUTES.get(name, ()), *_GLOBAL_ATTRIBUTES)
        pairs = [(key, attributes[key]) for key in names if key in attributes]
        tag = start_tag(name, pairs) if name in _HTML4_ELEMENTS else ""
        self.out += (target, tag) if name in _NO_TEXT else (tag, target)

    def _field(self, name: str, attributes: Attributes) -> None:
        """A field; what it shows as long as it is empty stands before it, if no label does."""
        kind = attributes.get("type", "text").lower()
        if name == "label":
            self._labels.add(attributes.get("for", ""))
        elif attributes.get("id", "") not in self._labels and "placeholder" in attributes:
            self.text(f"{attributes['placeholder']} ")
        if name == "input":
            attributes["type"] = kind if kind in _INPUTS else "text"
        pairs = [(key, attributes[key]) for key in _ATTRIBUTES[name] if key in attributes]
        self.out.append(start_tag(name, pairs))

    def _link(self, address: str, words: str) -> None:
        self.out.append(start_tag("a", [("href", address)]) + f"{words}</a>")

    def _image(self, attributes: Attributes) -> None:
        if not attributes.get("src", "").startswith("data:"):
            pairs = [(key, attributes[key]) for key in _ATTRIBUTES["img"] if key in attributes]
            self.out.append(start_tag("img", pairs))
