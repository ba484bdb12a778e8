"""``/-/saved/NUMBER``: one saved page with its tags and notes. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final
from urllib.parse import urlencode

from markupsafe import Markup

from winnow.features.listen.templates.audio_links import audio_links
from winnow.features.saved.saved_page_list import SAVE, STYLE, place, saved_day
from winnow.features.saved.stores.saved_page import Note, PageQuery, SavedPage
from winnow.proxy.own.templates.base_page import HtmlPage, styled_page
from winnow.proxy.own.templates.elements import hidden
from winnow.proxy.own.templates.navigation import SAVED_PAGES
from winnow.proxy.own.templates.saved_markup import highlighted, with_images
from winnow.proxy.own.translation import N_, _

_LATER: Final = N_(
    "Only the address of this page is saved. Its text is fetched when you ask for it, or shown "
    "where an import brought it."
)

_SAVED: Final = Markup('<p role="status" class="good">{} <a href="{}">{}</a></p>')


@dataclass(frozen=True, slots=True)
class SavedArticleForms:
    """``token``: of the forms for the page of this number."""

    number: int
    token: str

    @property
    def path(self) -> str:
        return f"{SAVED_PAGES}/{self.number}"

    def form(self, what: str, inside: Markup, button: str, fields: Mapping[str, str]) -> Markup:
        """A form that changes the page."""
        sent = {"number": str(self.number), "do": what, "token": self.token, **fields}
        return Markup('<form method="post" action="{}">{}{}<button>{}</button></form>').format(
            self.path, hidden(sent), inside, button
        )


def article_page(
    page: SavedPage,
    images: Sequence[str],
    forms: SavedArticleForms,
    files: Mapping[str, str] = MappingProxyType({}),
    *,
    is_new: bool = False,
) -> HtmlPage:
    """The article as it was saved, without script; images from our own store alone.

    ``files``: addresses of audio files by their kind. ``is_new``: it has just been saved.
    """
    places = {url: f"{forms.path}/image/{place}" for place, url in enumerate(images)}
    quotes = [note.quote for note in page.notes]
    content = highlighted(with_images(page.content, places), quotes)
    shown = Markup("<article{}{}>\n{}\n</article>").format(
        _attribute("lang", page.language), _attribute("dir", page.direction), content
    )
    body = Markup("\n").join(
        (
            _SAVED.format(_("This page was saved."), SAVED_PAGES, _("All saved pages"))
            if is_new
            else Markup(""),
            _about(page, forms, files),
            shown if page.content else Markup("<p>{}</p>").format(_(_LATER)),
            _notes(page.notes, forms),
            _tags(page.tags, forms),
            forms.form("delete", Markup(""), _("Delete this page"), {}),
        )
    )
    return styled_page(page.title or page.url, body, STYLE)


def _attribute(name: str, value: str) -> Markup:
    return Markup(' {}="{}"').format(name, value) if value else Markup("")


def _about(page: SavedPage, forms: SavedArticleForms, files: Mapping[str, str]) -> Markup:
    saved = _("saved {day}").format(day=saved_day(page.saved))
    facts = (page.byline, page.site, saved_day(page.published), saved)
    again = f"{SAVE}?{urlencode({'url': page.url})}"
    links = {
        _("Original page"): page.url,
        _("Fetch again") if page.content else _("Fetch the text"): again,
    }
    if page.content:
        links[_("Listen")] = f"{forms.path}/listen"
        links["EPUB"] = f"{forms.path}/book.epub"
    shown = [
        Markup('<a href="{}" rel="noreferrer">{}</a>').format(href, text)
        for text, href in links.items()
    ]
    if page.content and files:
        shown.append(audio_links(files))
    return Markup('<p class="quiet">{}</p>\n<p>{}</p>').format(
        " · ".join(filter(None, facts)), Markup(" · ").join(shown)
    )


def _notes(notes: Sequence[Note], forms: SavedArticleForms) -> Markup:
    shown = Markup("\n").join(
        Markup("<li>{}{}{}</li>").format(
            Markup('<blockquote><a href="#note{}">{}</a></blockquote>').format(number, note.quote)
            if note.quote
            else "",
            Markup("<p>{}</p>").format(note.remark) if note.remark else "",
            forms.form(
                "remove note",
                Markup(""),
                _("Delete note {number}").format(number=number),
                {"quote": note.quote, "remark": note.remark, "made": note.made},
            ),
        )
        for number, note in enumerate(notes, 1)
    )
    fields = Markup(
        '<p><label for="quote">{}</label>'
        '<textarea id="quote" name="quote" rows="2"></textarea></p>'
        '<p><label for="remark">{}</label>'
        '<textarea id="remark" name="remark" rows="2"></textarea></p>'
    ).format(_("Words to highlight, copied from the text"), _("Note"))
    listed = Markup("<ol>\n{}\n</ol>\n").format(shown) if notes else Markup("")
    return Markup('<h2 id="notes">{}</h2>\n{}<div>{}</div>').format(
        _("Highlights and notes"), listed, forms.form("note", fields, _("Add"), {})
    )


def _tags(tags: Sequence[str], forms: SavedArticleForms) -> Markup:
    links = Markup(" ").join(
        Markup('<a href="{}">{}</a>').format(place(SAVED_PAGES, PageQuery(tag=name)), name)
        for name in tags
    )
    field = Markup(
        '<p><label for="tags">{}</label><br><input id="tags" name="tags" size="40" value="{}"></p>'
    ).format(_("Tags, separated by commas"), ", ".join(tags))
    return Markup('<h2>{}</h2>\n<p class="tags">{}</p>\n<div>{}</div>').format(
        _("Tags"), links, forms.form("tags", field, _("Save tags"), {})
    )
