"""The pages of ``/-/annotate``. The form works without the script, which adds clicks and keys."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import Final
from urllib.parse import urlencode

from markupsafe import Markup

from winnow.jobs.results import Markable, Marked, ShownBlock
from winnow.proxy.own.templates.base_page import NO_SCRIPT, HtmlPage, styled_page
from winnow.proxy.own.templates.base_page import STYLE as FRAME_STYLE
from winnow.proxy.own.templates.elements import hidden, select
from winnow.proxy.own.translation import Language, speaking

STYLE = FRAME_STYLE + Markup("""
html { scroll-padding-bottom: 9rem; }
fieldset { min-width: 0; margin: .4rem 0; padding: .3rem .8rem .4rem; border: 0;
  border-inline-start: .4rem solid var(--line); }
fieldset:has(input[value=title]:checked) { border-color: #7b3fb5; background: #7b3fb51a; }
fieldset:has(input[value=heading]:checked) { border-color: #0b66c2; background: #0b66c21a; }
fieldset:has(input[value=body]:checked) { border-color: #1f8a54; background: #1f8a541a; }
fieldset:focus-within { outline: 3px solid #d98200; outline-offset: 1px; }
legend { float: inline-end; font-size: .8em; opacity: .85; padding: 0; }
fieldset p { margin: 0 0 .2rem; white-space: pre-line; }
fieldset p.heading { font-weight: 700; font-size: 1.12em; }
fieldset label { display: inline-block; margin-inline-end: 1rem; font-size: .92em; }
fieldset input { width: auto; margin: 0 .35rem 0 0; padding: 0; accent-color: var(--accent); }
.save { position: sticky; bottom: 0; background: Canvas; border-top: 1px solid var(--line);
  padding: .5rem 0; z-index: 1; }
.save p { margin: .2rem 0; }
.save label { display: inline-block; margin-inline-end: .8rem; }
.save input { width: 10rem; }
.scripted fieldset p { cursor: pointer; }
body:not(.scripted) .keys { display: none; }
@media (max-width: 30rem) { .save { position: static; } }
""")
_SOURCE: Final = files("winnow.proxy.own.templates").joinpath("annotate.js").read_text("utf-8")
SCRIPT: Final = Markup(_SOURCE)  # noqa: S704 - our own file
LABELS: Final = ("none", "title", "heading", "body")
TYPES: Final = (
    *("article", "documentation", "service", "forum", "collection", "listing", "product"),
)
_TYPE_NAMES: Final = {"": "not specified", **{kind: kind for kind in TYPES}}
_SAVED: Final = Markup(
    "<p>This is the copy saved for this address earlier, so that annotations by several people "
    "can be compared.</p>"
)
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


@dataclass(frozen=True, slots=True)
class AnnotationForm:
    """``saved``: this copy of the page was saved before; ``again``: with labels."""

    url: str
    digest: str
    token: str
    annotator: str
    saved: bool
    again: bool


def _page(title: str, main: Markup, *, script: Markup = NO_SCRIPT) -> HtmlPage:
    """These pages are English alone: a tool for those who make test packages."""
    with speaking(Language.ENGLISH):
        return styled_page(title, main, STYLE, script=script)


def ask_page() -> HtmlPage:
    """A form for the address and the annotator's name."""
    main = Markup(
        "<p>Label a page's title, headings and body. It is saved as a document of a test package "
        "for <code>winnow evaluate</code>.</p>\n"
        '<form action="/-/annotate" method="get">\n'
        '<p><label>Address of the page<br><input name="url" type="text" inputmode="url" size="40" '
        "required></label></p>\n<p><label>Your name, in lower case<br>"
        '<input name="annotator" pattern="[a-z0-9\\-]{1,40}" value="annotator"></label></p>\n'
        '<p><button class="first">Show blocks</button></p></form>'
    )
    return _page("Annotate a page", main)


def annotate_page(form: AnnotationForm, found: Markable) -> HtmlPage:
    """The whole form."""
    blocks = Markup("\n").join(
        _block(number, block, len(found.blocks)) for number, block in enumerate(found.blocks)
    )
    main = Markup(
        '{head}\n<form action="/-/annotate" method="post">\n{hidden}\n'
        '<div id="blocks" lang="{language}">\n{blocks}\n</div>\n{more}{save}\n</form>'
    ).format(
        head=_head(form, found),
        hidden=hidden({"page": form.url, "digest": form.digest, "token": form.token}),
        language=found.language or "und",
        blocks=blocks,
        more=_more(found.more),
        save=_save(form),
    )
    return _page(f"Annotate {found.title or form.url}", main, script=SCRIPT)


def saved_page(url: str, annotator: str, found: Marked, place: str) -> HtmlPage:
    """What was saved, and where."""
    counts = dict.fromkeys(LABELS[1:], 0)
    for start, end, label in found.spans:
        counts[label] += len(found.gold[start:end].split())
    summary = ", ".join(f"{count:,} of the {label}" for label, count in counts.items())
    query = urlencode({"url": url, "annotator": annotator})
    main = Markup(
        '<p class="good" role="status">Saved: {summary}.</p>\n<p>Words are counted by blanks. The '
        "page, its gold text and the marks are at <code>{place}</code> and beside it.</p>\n"
        '<p><a href="/-/annotate?{query}">Edit annotation</a> · '
        '<a href="/-/annotate">Another page</a></p>\n<h2>Gold text</h2>\n<pre>{gold}</pre>'
    ).format(summary=summary, place=place, query=query, gold=found.gold or "(empty)")
    return _page("Annotation saved", main)


def _head(form: AnnotationForm, found: Markable) -> Markup:
    query = urlencode({"url": form.url, "annotator": form.annotator, "marks": "none"})
    marks = "yours" if form.again else "those of Winnow"
    saved = _SAVED if form.saved else Markup("")
    return Markup(
        '<p>Label each block of <a href="{url}" rel="noreferrer">{url}</a>. The current labels '
        'are {marks}. <a href="/-/annotate?{query}">Start without labels</a></p>\n{saved}\n'
        '<p class="keys">On a block: <kbd>t</kbd> title, <kbd>h</kbd> heading, <kbd>b</kbd> body, '
        "<kbd>n</kbd> none; with <kbd>Shift</kbd> for all since the last labelled block; "
        "<kbd>j</kbd> next block, <kbd>k</kbd> previous block. A click on a text labels it, "
        "another removes the label; <kbd>Shift</kbd> and click label all since the last.</p>"
    ).format(url=form.url, marks=marks, query=query, saved=saved)


def _block(number: int, block: ShownBlock, count: int) -> Markup:
    kind = Markup(' class="heading"') if block.tag in _HEADINGS else ""
    radios = Markup("\n").join(_radio(number, label, block.label or "none") for label in LABELS)
    return Markup(
        "<fieldset>\n<legend>Block {shown} of {count}{tag}</legend>\n"
        '<p id="t{number}" dir="auto"{kind}>{text}</p>\n{radios}\n</fieldset>'
    ).format(
        shown=number + 1,
        count=count,
        tag=f", {block.tag}" if block.tag else "",
        number=number,
        kind=kind,
        text=block.text,
        radios=radios,
    )


def _radio(number: int, label: str, chosen: str) -> Markup:
    checked = Markup(" checked") if label == chosen else ""
    return Markup(
        '<label lang="en"><input type="radio" name="b{number}" value="{label}" '
        'aria-describedby="t{number}"{checked}>{label}</label>'
    ).format(number=number, label=label, checked=checked)


def _more(more: int) -> Markup:
    if not more:
        return Markup("")
    return Markup(
        "<p>{} more blocks at the end of the page are not shown; their label is none.</p>\n"
    ).format(more)


def _save(form: AnnotationForm) -> Markup:
    return Markup(
        '<div class="save">\n<p id="saved" role="status"></p>\n<label>Your name <input '
        'name="annotator" value="{annotator}" pattern="[a-z0-9\\-]{{1,40}}" required></label>\n'
        "{types}\n"
        '<button class="first">Save</button>\n</div>'
    ).format(
        annotator=form.annotator,
        types=select("type", "Page type", _TYPE_NAMES, ""),
    )
