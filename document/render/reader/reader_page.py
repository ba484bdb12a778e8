"""The reader page: the selected text as an HTML page of its own.

One h1, a main landmark between banner and contentinfo, a skip link, a fixed stylesheet, no script.
"""

from __future__ import annotations

from dataclasses import dataclass

from winnow.document.document import Document
from winnow.document.metadata.page_metadata import Metadata
from winnow.document.render.addresses import Addresses, host_of, site_of
from winnow.document.render.article.callouts import with_words
from winnow.document.render.reader.basic_profile import basic, basic_page
from winnow.document.render.reader.byline_line import byline_line
from winnow.document.render.reader.forms import folded_forms, plain_forms
from winnow.document.render.reader.link_names import name_links
from winnow.document.render.reader.page_turning import page_turning
from winnow.document.render.reader.style import NO_SCRIPT, STYLE
from winnow.document.render.reader.used_style import with_used_rules
from winnow.document.render.reader.voice_profile import removed_links, voice
from winnow.document.render.render_context import RenderContext
from winnow.document.texts.escaping import escape
from winnow.document.texts.page_words import PageWords
from winnow.document.values import BAR_MARK, Extraction, Profile, Rendered

MEDIA_TYPE = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class ReaderRenderer:
    """``link_prefix`` stands before absolute links; ``profile`` names the kind of reader.

    ``forms``: the page's forms stand behind the text. ``lean``: for who saves data. ``turning``:
    the way to the pages before and after this one stands there.
    """

    link_prefix: str = ""
    profile: Profile = Profile.READER
    forms: bool = False
    lean: bool = False
    turning: bool = False

    def render(self, document: Document, extraction: Extraction) -> Rendered:
        """A whole page; ``BAR_MARK`` stands once in it: behind the skip links, or where it is
        read aloud, behind the text."""
        view = RenderContext.of(document, extraction, self.link_prefix)
        markup = self._page(view)
        return view.rendered(with_used_rules(markup) if self.lean else markup, MEDIA_TYPE)

    def _page(self, view: RenderContext) -> str:
        about, addresses = view.about, view.addresses
        facts = byline_line(about, round(view.reading_seconds() / 60))
        pages = page_turning(view) if self.turning else ""
        is_basic = self.profile is Profile.BASIC
        article = view.article(scroll=not is_basic, below_byline=True)
        if "<blockquote" in article:
            article = with_words(article, about.words)
        if is_basic:
            forms = plain_forms(view) if self.forms else ""
            return basic_page(about, article + pages, addresses, basic(facts), forms)
        content = view.infobox() + article
        behind = pages + view.comments() + (folded_forms(view) if self.forms else "")
        if self.profile is Profile.VOICE:
            links = removed_links(view.document, view.segments, addresses, about.words)
            behind = f'<p class="winnow-about">{facts}</p>{behind}' if facts else behind
            return page(about, voice(content) + behind, addresses, None, links)
        return page(about, name_links(content) + behind, addresses, facts)


def page(
    about: Metadata, content: str, addresses: Addresses, facts: str | None, navigation: str = ""
) -> str:
    """The page around sanitised ``content``; ``navigation`` stands behind the text.

    ``facts`` stand below the headline; None: neither these nor the site nor the bar keep a listener
    waiting.
    """
    is_spoken, words = facts is None, about.words
    title = escape(about.title or host_of(addresses.page) or words.text("Untitled page"))
    language = escape(about.language) or "und"
    direction = f' dir="{about.direction}"' if about.direction else ""
    canonical = escape(addresses.page)
    return "\n".join(
        (
            "<!doctype html>",
            f'<html lang="{language}"{direction}>',
            '<head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{NO_SCRIPT}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f'<link rel="canonical" href="{canonical}">' if canonical else "",
            f"<style>{STYLE}</style></head>",
            f"<body>{_head(about, addresses, _skips(navigation, words), is_spoken=is_spoken)}",
            f'<main id="winnow-text" tabindex="-1"><h1>{title}</h1>',
            f'<p class="winnow-about">{facts}</p>' if facts else "",
            f"{content}</main>{navigation}{BAR_MARK.decode() if is_spoken else ''}",
            f"<footer{words.attributes}><p>{_origin(addresses, words)}</p></footer>",
            "</body></html>\n",
        )
    )


def _head(about: Metadata, addresses: Addresses, skips: str, *, is_spoken: bool) -> str:
    """All before the text, skip links first: no bar and no name of a site to a listener."""
    if is_spoken:
        return f"\n<header>{skips}</header>"
    site = escape(about.site or site_of(addresses.page))
    return f"{skips}{BAR_MARK.decode()}\n<header><p>{site}</p></header>"


def _skips(navigation: str, words: PageWords) -> str:
    """One: to the links of a page that is read aloud, which has nothing before its text."""
    target, name = "winnow-text", "Skip to the text"
    if navigation:
        target, name = "winnow-links", "Skip to the other links"
    return f'<a class="winnow-skip" href="#{target}"{words.attributes}>{words.text(name)}</a>'


def _origin(addresses: Addresses, words: PageWords) -> str:
    """Where the page comes from; the link leads through the gateway like every other."""
    if not (target := addresses.resource(addresses.page)):
        return words.text("Shown by Winnow")
    site = f'<a href="{escape(target)}">{escape(site_of(addresses.page))}</a>'
    return words.text("From {site}, shown by Winnow", site=site)
