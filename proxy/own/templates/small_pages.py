"""The pages of the small-screen gateway: plain HTML for browsers since 1998, no script. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from winnow.jobs.results import Field, PageForm, SmallPart
from winnow.jobs.small_gateway import SMALL_PATH
from winnow.proxy.own.handlers.devices import SmallOptions
from winnow.proxy.own.templates.base_page import style_source
from winnow.proxy.own.templates.elements import hidden, select
from winnow.proxy.own.translation import LANGUAGE, N_, _, own_words
from winnow.proxy.stores.library import LibraryEntry

STYLE = Markup("pre{white-space:pre-wrap;word-wrap:break-word}img{max-width:100%;height:auto}")
"""Keeps a page within the width of the screen; browsers without CSS ignore it."""
POLICY: Final = (
    f"default-src 'none'; style-src {style_source(STYLE)}; img-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
_RUN: Final = N_(
    "Winnow can run them in a browser of its own, without your cookies. This takes some seconds."
)
_LETTERS = {"0": N_("all"), "1": N_("Western European"), "2": N_("ASCII only")}
_IMAGES = {"1": N_("when tapped"), "2": N_("in the text")}


@dataclass(frozen=True, slots=True)
class SmallPageFrame:
    """``prefix`` is the beginning of links with the reader's options."""

    prefix: str
    charset: str = "utf-8"


def document(
    title: str, body: Markup, frame: SmallPageFrame, language: str = "", direction: str = ""
) -> str:
    """A whole page, in the reader's language where ``language`` is none."""
    own = LANGUAGE.get()
    direction = direction if language else own.direction
    turned = Markup(' dir="{}"').format(direction) if direction in ("rtl", "ltr") else Markup("")
    return str(
        Markup(
            '<!doctype html>\n<html lang="{}"{}><head>'
            '<meta http-equiv="Content-Type" content="text/html; charset={}">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            '<style type="text/css">{}</style>'
            "<title>{}</title></head><body>\n{}\n</body></html>\n"
        ).format(language or own.value, turned, frame.charset, STYLE, title, body)
    )


def article_page(
    url: str, part: SmallPart, frame: SmallPageFrame, saved: str, bookmark: Markup
) -> str:
    """One part of a page; ``saved`` says how many bytes were saved, ``bookmark`` is a form."""
    title = part.title or url
    own = LANGUAGE.get()
    ours = Markup(' lang="{}" dir="{}"').format(own.value, own.direction)
    body = Markup("\n").join(
        (
            Markup(
                '<header{}><p><a href="#text">{}</a> | <a href="{}">Winnow</a></p></header>'
            ).format(ours, _("Skip to the text"), frame.prefix),
            Markup('<main id="text"><h1>{}</h1>').format(title),
            _about(part),
            Markup(part.markup),  # noqa: S704  # sanitised in the worker, twice
            _turning(url, part, frame, ours),
            Markup("</main>"),
            _forms(part, frame, ours),
            Markup(
                '<footer{}><hr><p>{}</p>{}<p><a href="{}" rel="noreferrer">{}</a></p></footer>'
            ).format(ours, saved, bookmark, url, _("Original page")),
        )
    )
    return document(title, body, frame, part.language or "und", part.direction)


def _about(part: SmallPart) -> Markup:
    return Markup("<p><small>{}</small></p>").format(part.byline) if part.byline else Markup("")


def _turning(url: str, part: SmallPart, frame: SmallPageFrame, ours: Markup) -> Markup:
    """Links to the previous and next part."""
    if part.parts < 2:
        return Markup("")
    links = []
    if part.part > 1:
        links.append(_part_link(url, part.part - 1, frame, _("Previous page")))
    if part.part < part.parts:
        links.append(_part_link(url, part.part + 1, frame, _("Next page")))
    return Markup('<nav aria-label="{}"{}><hr><p>{} {}</p></nav>').format(
        _("Pages"),
        ours,
        _("Page {number} of {all}:").format(number=part.part, all=part.parts),
        Markup(" | ").join(links),
    )


def _part_link(url: str, part: int, frame: SmallPageFrame, text: str) -> Markup:
    return Markup('<a href="{}">{}</a>').format(inside(frame.prefix, url, part), text)


def inside(prefix: str, url: str, part: int = 1) -> str:
    """An address inside the gateway, at a part."""
    if part == 1:
        return prefix + url
    words = prefix.removeprefix(SMALL_PATH).removesuffix("/")
    return f"{SMALL_PATH}{f'{words}.' if words else ''}p{part}/{url}"


def _forms(part: SmallPart, frame: SmallPageFrame, ours: Markup) -> Markup:
    """The page's own forms, sent through the gateway."""
    shown = [_form(form, number, frame) for number, form in enumerate(part.forms, 1)]
    if part.has_password:
        shown.append(
            Markup("<p>{}</p>").format(
                _(
                    "This page has a log-in form. Winnow does not forward passwords: use the "
                    "original page."
                )
            )
        )
    if not shown:
        return Markup("")
    return Markup('<section aria-label="{}"{}><hr>{}</section>').format(
        _("Forms of this page"), ours, Markup("\n").join(shown)
    )


def _form(form: PageForm, number: int, frame: SmallPageFrame) -> Markup:
    action = form.action.partition("?")[0] if form.method == "get" else form.action
    fields = Markup(" ").join(
        _field(field, f"f{number}-{place}") for place, field in enumerate(form.fields)
    )
    return Markup(
        '<form method="{}" action="{}{}"><p>{} <input type="submit" value="{}"></p></form>'
    ).format(form.method, frame.prefix, action, fields, form.submit or _("Send"))


def _field(field: Field, name: str) -> Markup:
    if field.kind == "hidden":
        return hidden({field.name: field.value})
    label = Markup('<label for="{}">{}</label> ').format(name, field.label or field.name)
    if field.kind == "select":
        options = Markup("").join(
            Markup('<option value="{}">{}</option>').format(*choice) for choice in field.choices
        )
        return label + Markup('<select id="{}" name="{}">{}</select>').format(
            name, field.name, options
        )
    return label + Markup('<input id="{}" name="{}" value="{}" size="16">').format(
        name, field.name, field.value
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
        _("Save"),
    )


def _named(texts: Mapping[str, str]) -> dict[str, str]:
    return {value: _(text) for value, text in texts.items()}


def note_page(title: str, text: str, frame: SmallPageFrame, url: str = "") -> str:
    """A message about an error, with a link to the original page."""
    link = (
        Markup('<p><a href="{}" rel="noreferrer">{}</a></p>').format(
            url, _("Open the original page")
        )
        if url.startswith(("http://", "https://"))
        else Markup("")
    )
    body = Markup('<main><h1>{}</h1><p>{}</p>{}<p><a href="{}">Winnow</a></p></main>').format(
        title, own_words(text), link, frame.prefix
    )
    return document(title, body, frame)


def script_page(run: Markup, frame: SmallPageFrame, url: str) -> str:
    """Instead of a page that scripts write; ``run`` is the form that has them run."""
    title = _("This page is written by scripts")
    body = Markup(
        '<main><h1>{}</h1><p>{}</p>{}<p><a href="{}" rel="noreferrer">{}</a></p>'
        '<p><a href="{}">Winnow</a></p></main>'
    ).format(title, _(_RUN), run, url, _("Open the original page"), frame.prefix)
    return document(title, body, frame)
