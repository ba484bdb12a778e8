"""``/-/saved``: the list of saved pages, and the forms that save, import and export. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final
from urllib.parse import urlencode, urlsplit

from markupsafe import Markup, escape

from winnow.proxy.own.templates.base_page import STYLE as FRAME_STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, styled_page
from winnow.proxy.own.templates.elements import hidden
from winnow.proxy.own.templates.navigation import SAVED, SAVED_PAGES
from winnow.proxy.own.templates.saved_feeds import OPDS, PODCAST, RSS
from winnow.proxy.own.templates.saved_file_pages import EXPORT, IMPORT, OPML
from winnow.proxy.own.translation import N_, _, day, ngettext
from winnow.proxy.stores.saved_page import PageQuery, SavedEntry, SavedPage

SAVE: Final = "/-/save"
_AGAIN: Final = N_(
    "This page is saved already. Its text and images will be fetched again; tags and notes stay."
)
_STORED: Final = N_("The article and its images are stored on the computer that runs Winnow.")
STYLE: Final = FRAME_STYLE + Markup(
    """
.entries { list-style: none; padding: 0; }
.entries li { margin: 1rem 0; }
.entries p { margin: .1rem 0; }
.tags a { margin-inline-end: .7rem; }
article img, article svg { max-width: 100%; height: auto; }
article { border-block: 1px solid var(--line); padding: .5rem 0; margin: 1rem 0; }
mark { background: #ffe28a; color: #000; }
textarea { width: 100%; box-sizing: border-box; font: inherit; }
blockquote { margin: .3rem 0; padding-inline-start: .8rem;
  border-inline-start: .2rem solid var(--line); }
"""
)


def place(path: str, query: PageQuery, **more: str) -> str:
    """The address of a list with the same words and tag."""
    fields = {"q": query.words, "tag": query.tag, **more}
    written = urlencode({name: value for name, value in fields.items() if value})
    return f"{path}?{written}" if written else path


def list_page(
    entries: Sequence[SavedEntry], tags: Mapping[str, int], query: PageQuery, *, more: bool
) -> HtmlPage:
    """``more``: whether entries follow behind these."""
    tagged = _("Saved pages: {tag}").format(tag=query.tag)
    title = tagged if query.tag else _("Saved pages")
    parts = (_search(query), _tags(tags, query), _entries(entries, query), _pages(query, more=more))
    body = Markup("\n").join((*parts, _ways(query)))
    return styled_page(title, body, STYLE)


def save_form(
    url: str, token: str, tags: Mapping[str, int], old: SavedPage | None = None
) -> HtmlPage:
    """Saves one page when the reader says so: no link of a page can.

    ``old``: what is saved of it.
    """
    names = Markup("").join(Markup('<option value="{}">').format(name) for name in tags)
    body = Markup(
        '<p>{8}<a href="{0}" rel="noreferrer">{0}</a></p>\n<p>{1}</p>\n'
        '<form method="post" action="{2}?{3}">{4}'
        '<p><label for="tags">{7}</label><br>'
        '<input id="tags" name="tags" size="40" list="names"><datalist id="names">{5}</datalist>'
        '</p><p><button class="first">{6}</button> '
        '<a href="{0}" rel="noreferrer">{9}</a></p></form>'
    ).format(
        url,
        _(_AGAIN) if old else _(_STORED),
        SAVE,
        urlencode({"url": url}),
        hidden({"url": url, "token": token}),
        names,
        _("Fetch again") if old else _("Read later"),
        _("Tags, separated by commas"),
        Markup('<b dir="auto">{}</b><br>').format(old.title) if old and old.title else "",
        _("Cancel"),
    )
    return styled_page(_("Read a page later"), body, STYLE)


def _search(query: PageQuery) -> Markup:
    kept = hidden({"tag": query.tag}) if query.tag else Markup("")
    return Markup(
        '<form method="get" action="{}" role="search"><label for="q">{}</label> '
        '<input id="q" name="q" type="search" value="{}" size="30">{}<button>{}</button></form>'
    ).format(SAVED_PAGES, _("Search"), query.words, kept, _("Search"))


def _tags(tags: Mapping[str, int], query: PageQuery) -> Markup:
    if not tags:
        return Markup("")
    links = Markup("\n").join(
        Markup('<a href="{}"{}>{} ({})</a>').format(
            place(SAVED_PAGES, PageQuery(tag=name)),
            Markup(' aria-current="page"') if name == query.tag else Markup(""),
            name,
            count,
        )
        for name, count in tags.items()
    )
    every = Markup('<a href="{}">{}</a>\n').format(SAVED_PAGES, _("All"))
    return Markup('<nav class="tags" aria-label="{}">{}{}</nav>').format(_("Tags"), every, links)


def _entries(entries: Sequence[SavedEntry], query: PageQuery) -> Markup:
    if not entries:
        nothing = (
            _("No saved page has these words.")
            if query.words
            else _("Nothing is saved yet. Save a page from the bar, or enter its address:")
        )
        form = Markup("") if query.words else save_box()
        return Markup("<p>{}</p>\n{}").format(nothing, form)
    items = Markup("\n").join(map(_entry, entries))
    return Markup('<ul class="entries">\n{}\n</ul>').format(items)


def _entry(entry: SavedEntry) -> Markup:
    page = entry.page
    facts = [page.site or urlsplit(page.url).netloc, saved_day(page.saved)]
    if page.notes:
        facts.append(ngettext("{number} note", "{number} notes", len(page.notes)))
    if not entry.is_fetched:
        facts.append(_("address only"))
    tags = Markup(", ").join(
        Markup('<a href="{}">{}</a>').format(place(SAVED_PAGES, PageQuery(tag=name)), name)
        for name in page.tags
    )
    line = Markup(" · ").join((*filter(None, facts), tags)) if tags else " · ".join(facts)
    return Markup('<li><a href="{}/{}" dir="auto">{}</a><p class="quiet">{}</p>{}</li>').format(
        SAVED_PAGES,
        entry.number,
        page.title or page.url,
        line,
        _text(entry),
    )


def _text(entry: SavedEntry) -> Markup:
    """The text around the words that were found, else the page's description."""
    pieces = entry.found or ((entry.page.excerpt, False),)
    text = Markup("").join(
        Markup("<mark>{}</mark>").format(piece) if is_found else escape(piece)
        for piece, is_found in pieces
    )
    return Markup('<p dir="auto">{}</p>').format(text) if text else Markup("")


def saved_day(text: str) -> str:
    """The day of a date as it is stored; what is none stays."""
    try:
        return day(datetime.fromisoformat(text[:10]))
    except ValueError:
        return text[:10]


def _pages(query: PageQuery, *, more: bool) -> Markup:
    number = query.offset // query.limit + 1
    links = []
    if number > 1:
        links.append((_("Previous page"), number - 1))
    if more:
        links.append((_("Next page"), number + 1))
    if not links:
        return Markup("")
    return Markup('<nav aria-label="{}">{}</nav>').format(
        _("Pages"),
        Markup(" · ").join(
            Markup('<a href="{}">{}</a>').format(place(SAVED_PAGES, query, page=str(to)), text)
            for text, to in links
        ),
    )


def save_box() -> Markup:
    """A form for an address."""
    return Markup(
        '<form method="get" action="{}"><label for="url">{}</label> '
        '<input id="url" name="url" inputmode="url" autocomplete="url" size="40" required>'
        "<button>{}</button></form>"
    ).format(SAVE, _("Address"), _("Read a page later"))


def _ways(query: PageQuery) -> Markup:
    """Links to what else can be done with the list."""
    links = {
        _("Read a page later"): SAVE,
        _("Import"): IMPORT,
        _("Export"): place(EXPORT, PageQuery(tag=query.tag)),
        _("RSS feed"): place(RSS, PageQuery(tag=query.tag)),
        _("Podcast"): place(PODCAST, PageQuery(tag=query.tag)),
        _("Catalogue for e-readers (OPDS)"): OPDS,
        _("Lists of feeds (OPML)"): OPML,
        _("Bookmarks and history"): SAVED,
    }
    return Markup('<nav aria-label="{}">{}</nav>').format(
        _("Saved pages"),
        Markup(" · ").join(
            Markup('<a href="{}">{}</a>').format(path, text) for text, path in links.items()
        ),
    )
