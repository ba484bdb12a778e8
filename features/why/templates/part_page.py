"""``/-/why/part``: asks whether a part of a page is to be kept, or dropped, on its site. Pure."""

from __future__ import annotations

from collections.abc import Callable

from markupsafe import Markup

from winnow.features.why.jobs import ExplainedPart, PartChoice, SmallerPart
from winnow.features.why.why_links import WhyLinks
from winnow.proxy.own.templates.base_page import STYLE as FRAME_STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, sentences, styled_page
from winnow.proxy.own.templates.choice_forms import page_site
from winnow.proxy.own.templates.confirmation import ALONE
from winnow.proxy.own.templates.method_words import method_text
from winnow.proxy.own.templates.navigation import SETTINGS
from winnow.proxy.own.templates.removal_words import left_out
from winnow.proxy.own.translation import N_, _, counted_words, filled, ngettext

STYLE = FRAME_STYLE + Markup("""
blockquote { margin: .8rem 0; padding: .1rem .9rem; border-inline-start: .3rem solid var(--line); }
li form { display: block; }
""")
_REMEMBERED = N_(
    "Winnow remembers the first words of this part, so that you can check later whether the rule "
    "still works."
)
PartForm = Callable[[str, str, str], Markup]
"""The form that stores a rule for a selector, with its button's text and class."""


def part_page(action: str, links: WhyLinks, part: ExplainedPart, form: PartForm) -> HtmlPage:
    """``action`` is keep or drop. Its buttons cannot be pressed at once: a click that was meant for
    what stood there a moment ago does nothing."""
    site = page_site(links.url)
    keeps = action == "keep"
    title = _("Keep this part?") if keeps else _("Drop this part?")
    button = _("Always keep it on {site}") if keeps else _("Always drop it on {site}")
    around = _("Keep more of the page") if keeps else _("Drop more of the page")
    text = button.format(site=site)
    within = _("Keep only a smaller part") if keeps else _("Drop only a smaller part")
    main = Markup("\n").join(
        (
            sentences(left_out(part.reason)) if part.reason else sentences(_("Kept.")),
            _quoted(part),
            *(_main_choice(choice, form, text) for choice in part.choices[:1]),
            _smaller(part.smaller, action, links, within),
            _others(part.choices[1:], form, around, text),
            _expert(part),
            sentences(_(_REMEMBERED)),
            Markup('<p><a href="{}">{}</a></p>').format(links.why(), _("Cancel")),
        )
    )
    return styled_page(title, main, STYLE).with_headers(ALONE)


def part_stored(site: str, undo: Markup, *, drops: bool) -> Markup:
    """Says that a rule was stored, where it is listed, and undoes it."""
    said = (
        _("This part is now always dropped on {site}.")
        if drops
        else _("This part is now always kept on {site}.")
    )
    return Markup('<div role="status" class="good">{} {} <a href="{}#sites">{}</a></div>\n').format(
        said.format(site=site), undo, SETTINGS, _("List of sites")
    )


def _quoted(part: ExplainedPart) -> Markup:
    language = Markup(' lang="{}"').format(part.language) if part.language else Markup("")
    text = part.text or _("(no text)")
    return Markup('<blockquote{} dir="auto"><p>{}</p></blockquote>').format(language, text)


def _main_choice(choice: PartChoice, form: PartForm, text: str) -> Markup:
    holds = ngettext(
        "Applies to {number} part of this page ({words}), and to the same part of the "
        "site’s other pages.",
        "Applies to {number} parts of this page ({words}), and to the same parts of the "
        "site’s other pages.",
        choice.places,
        words=counted_words(choice.words),
    )
    return Markup("<p>{}</p>\n<p>{}</p>").format(holds, form(choice.selector, text, "first late"))


def _smaller(parts: tuple[SmallerPart, ...], action: str, links: WhyLinks, title: str) -> Markup:
    """Links to the same question about what is in the part, by its first words."""
    if not parts:
        return Markup("")
    items = Markup("\n").join(
        Markup('<li><a href="{}" dir="auto">{}</a></li>').format(
            links.part(action, part.selector, part.place),
            _("“{words} …”").format(words=part.text),
        )
        for part in parts
    )
    return Markup("<details><summary>{}</summary>\n<ul>\n{}\n</ul></details>").format(title, items)


def _others(choices: tuple[PartChoice, ...], form: PartForm, title: str, text: str) -> Markup:
    if not choices:
        return Markup("")
    items = Markup("\n").join(
        Markup("<li>{} {}</li>").format(_extent(choice), form(choice.selector, text, "late"))
        for choice in choices
    )
    return Markup("<details><summary>{}</summary>\n<ul>\n{}\n</ul></details>").format(title, items)


def _extent(choice: PartChoice) -> Markup:
    """Where a selector holds on this page, and how much that is."""
    places = ngettext(
        "{number} part of this page, {words} ({selector})",
        "{number} parts of this page, {words} ({selector})",
        choice.places,
        selector="{selector}",
        words=counted_words(choice.words),
    )
    return filled(places, selector=Markup("<code>{}</code>").format(choice.selector))


def _expert(part: ExplainedPart) -> Markup:
    selectors = Markup("").join(
        Markup("<p><code>{}</code></p>").format(choice.selector) for choice in part.choices[:1]
    )
    return Markup("<details><summary>{}</summary>{}<p>{}</p></details>").format(
        _("Technical details"), selectors, method_text(part.rule) if part.rule else ""
    )
