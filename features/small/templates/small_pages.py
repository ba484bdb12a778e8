"""The pages of the small-screen gateway: plain HTML for browsers since 1998, no script. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from winnow.jobs.small_gateway import SMALL_PATH
from winnow.proxy.own.handlers.devices import SmallOptions
from winnow.proxy.own.templates.base_page import style_source
from winnow.proxy.own.templates.elements import hidden, select
from winnow.proxy.own.translation import LANGUAGE, N_, _, own_words
from winnow.proxy.stores.library import LibraryEntry

STYLE = Markup(
    "body{line-height:1.5}h1{font-size:1.3em;line-height:1.2}h2{font-size:1.15em}"
    "h3,h4,h5,h6{font-size:1em}pre{white-space:pre-wrap;word-wrap:break-word}"
    "img,input,select,textarea{max-width:100%}img{height:auto}"
    "input,select{min-height:24px}input[type=checkbox],input[type=radio]{width:24px;height:24px}"
    "nav a,header a,footer a{display:inline-block;min-width:24px}"
)
"""Keeps a page within the width of the screen, and what is to be tapped as large as
WCAG 2.2 (2.5.8) has it; browsers without CSS ignore it."""
POLICY: Final = (
    f"default-src 'none'; style-src {style_source(STYLE)}; img-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
_RUN: Final = N_("Winnow can run them in a browser of its own, without your cookies, in seconds.")
_LETTERS = {"0": N_("all"), "1": N_("Western European"), "2": N_("ASCII only")}
_IMAGES = {"1": N_("when tapped"), "2": N_("in the text")}


@dataclass(frozen=True, slots=True)
class SmallPageFrame:
    """``prefix`` is the beginning of links with the reader's options; ``old``: for browsers that
    know no style sheets, and cannot open what a site has by TLS alone."""

    prefix: str
    charset: str = "utf-8"
    old: bool = False

    def original(self, url: str, text: str) -> str:
        """A paragraph with a link to the page as its site has it."""
        link = Markup('<p><a href="{}" rel="noreferrer">{}</a></p>').format(url, text)
        is_address = url.startswith(("http://", "https://"))
        return link if is_address and not self.old else ""


def document(
    title: str, body: Markup, frame: SmallPageFrame, language: str = "", direction: str = ""
) -> str:
    """A whole page, in the reader's language where ``language`` is none."""
    own = LANGUAGE.get()
    direction = direction if language else own.direction
    style = Markup('<style type="text/css">{}</style>').format(STYLE)
    turned = Markup(' dir="{}"').format(direction) if direction in ("rtl", "ltr") else Markup("")
    return str(
        Markup(
            '<!doctype html>\n<html lang="{}"{}><head>'
            '<meta http-equiv="Content-Type" content="text/html; charset={}">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            "{}<title>{}</title></head><body>\n{}\n</body></html>\n"
        ).format(
            language or own.value, turned, frame.charset, "" if frame.old else style, title, body
        )
    )


def button(action: str, fields: Mapping[str, str], text: str) -> Markup:
    """A form of one button, for browsers before HTML 4."""
    return Markup(
        '<form method="post" action="{}">{}<input type="submit" value="{}"></form>'
    ).format(action, hidden(fields), text)


def home_page(
    options: SmallOptions,
    frame: SmallPageFrame,
    saved: str,
    bookmarks: Sequence[tuple[LibraryEntry, Markup]],
    recent: Sequence[LibraryEntry],
) -> str:
    """The start page: address, search, bookmarks with their forms, history, options."""
    body = Markup("\n").join(
        (
            Markup("<main><h1>{}</h1>").format(_("Winnow for small screens")),
            _box(f"{frame.prefix}go", "url", _("Address"), _("Read")),
            _box(f"{frame.prefix}search", "q", _("Search the web"), _("Search")),
            Markup("<h2>{}</h2>").format(_("Bookmarks")),
            _listed([_entry(entry, frame) + Markup(" ") + form for entry, form in bookmarks]),
            Markup("<h2>{}</h2>").format(_("History")),
            _listed([_entry(entry, frame) for entry in recent]),
            Markup("<h2>{}</h2>").format(_("This device")),
            _options(options),
            Markup("<p>{}</p></main>").format(saved),
        )
    )
    return document("Winnow", body, frame)


def _box(action: str, name: str, label: str, button: str) -> Markup:
    return Markup(
        '<form method="get" action="{0}"><p><label for="{1}">{2}</label> '
        '<input id="{1}" name="{1}" size="20"> <input type="submit" value="{3}"></p></form>'
    ).format(action, name, label, button)


def _entry(entry: LibraryEntry, frame: SmallPageFrame) -> Markup:
    return Markup('<a href="{}{}">{}</a>').format(frame.prefix, entry.url, entry.title or entry.url)


def _listed(items: Sequence[Markup]) -> Markup:
    if not items:
        return Markup("<p>{}</p>").format(_("None."))
    return Markup("<ul>\n{}\n</ul>").format(
        Markup("\n").join(Markup("<li>{}</li>").format(item) for item in items)
    )


def _options(options: SmallOptions) -> Markup:
    """The form for the options."""
    numbers = Markup("\n").join(
        Markup(
            '<p><label for="{0}">{1}</label> <input id="{0}" name="{0}" value="{2}" size="5"></p>'
        ).format(name, label, value)
        for name, label, value in (
            ("width", _("Screen width in pixels"), options.width),
            ("kilobytes", _("Text per page in kB"), options.kilobytes),
            ("image_kilobytes", _("Image size in kB"), options.image_kilobytes),
        )
    )
    return Markup(
        '<form method="get" action="{}options">{}<p>{}</p><p>{}</p>'
        '<p><input type="submit" value="{}"></p></form>'
    ).format(
        SMALL_PATH,
        numbers,
        select("images", _("Images"), _named(_IMAGES), str(options.images)),
        select("text", _("Characters"), _named(_LETTERS), str(options.text)),
        _("Save changes"),
    )


def _named(texts: Mapping[str, str]) -> dict[str, str]:
    return {value: _(text) for value, text in texts.items()}


def note_page(title: str, text: str, frame: SmallPageFrame, url: str = "") -> str:
    """A message about an error, with a link to the original page."""
    link = frame.original(url, _("Open the original page"))
    body = Markup('<main><h1>{}</h1><p>{}</p>{}<p><a href="{}">Winnow</a></p></main>').format(
        title, own_words(text), link, frame.prefix
    )
    return document(title, body, frame)


def script_page(run: Markup, frame: SmallPageFrame, url: str) -> str:
    """Instead of a page that scripts write; ``run`` is the form that has them run."""
    title = _("This page is written by scripts")
    body = Markup('<main><h1>{}</h1><p>{}</p>{}{}<p><a href="{}">Winnow</a></p></main>').format(
        title, _(_RUN), run, frame.original(url, _("Open the original page")), frame.prefix
    )
    return document(title, body, frame)
