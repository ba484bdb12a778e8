"""The bar at the head of a page that we changed: what it shows, and the ways out of it.

Pure, and without script. Knows markup and wording; refuses to know how links are acted upon.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from markupsafe import Markup

from proxy.pages.choosing import Action, Links, Wish
from proxy.pages.frame import style_source
from proxy.pages.languages import Language
from proxy.pages.messages import CATALOGUE, Messages, number
from proxy.pages.slider import level_told, slider

STYLE = Markup("""
#winnow-bar, #winnow-bar * { all: revert; box-sizing: border-box; }
#winnow-bar, #winnow-bar ul { display: flex; flex-wrap: wrap; gap: 0 1.1em; margin: 0; }
#winnow-bar { padding: .4rem .8rem; font: 15px/1.8 system-ui, sans-serif; background: #0b5c4a;
  color: #fff; text-align: start; }
#winnow-bar ul { padding: 0; list-style: none; }
#winnow-bar p, #winnow-bar form { margin: 0; }
#winnow-bar a, #winnow-bar button, #winnow-bar summary { color: #fff; background: none; border: 0;
  padding: 0; font: inherit; text-decoration: underline; cursor: pointer; }
#winnow-bar summary { list-style: none; }
#winnow-bar summary::after { content: " ▾" / ""; display: inline-block; }
#winnow-bar details[open] { flex-basis: 100%; }
#winnow-bar input { vertical-align: middle; width: 8em; accent-color: #fff; }
#winnow-bar details a { display: inline-block; margin-inline-end: .8em; }
#winnow-bar :focus-visible { outline: 2px solid #fff; outline-offset: 2px; }
@media print { #winnow-bar { display: none; } }
""")


@dataclass(frozen=True, slots=True)
class BarView:
    """What the bar speaks of: the page as its reader got it."""

    page: str
    words_kept: int
    words_total: int
    extractor: str
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bar:
    """Markup to put into the page, and what its Content-Security-Policy must allow for it.

    ``sources`` is by directive: ``style-src`` and ``form-action``.
    """

    markup: bytes
    sources: Mapping[str, str]


def make_bar(shown: BarView, language: Language, links: Links) -> Bar:
    """The bar for a page: one line, the choices that are made once in a while folded into it.

    What is folded takes no room on a small screen and no time of who hears the page.
    On a page that came by HTTP the choices are buttons that act at once; on one by HTTPS they lead
    to a page that asks, for a form posted from there to us might be blocked or warned of.
    """
    words = CATALOGUE[language]
    direct = urlsplit(shown.page).scheme == "http"
    folded = [
        *(_choice(wish, text, links, direct) for wish, text in _wishes(shown, words)),
        _link(links.looks(shown.page), words.looks),
        _link(links.settings(), words.settings),
        _others(shown, words, links),
        _levels(shown, words, links, direct),
    ]
    markup = Markup(
        '<aside id="winnow-bar" lang="{lang}" dir="ltr" aria-label="{label}"><style>{style}</style>'
        "<p>{says}</p> {original} {why} "
        "<details><summary>{more}</summary><ul>{items}</ul></details></aside>"
    ).format(
        lang=language.value,
        label=words.label,
        style=STYLE,
        says=_says(shown, words, language),
        original=_link(links.original(shown.page), words.original),
        why=_link(links.why(shown.page), words.why),
        more=words.more,
        items=Markup("").join(Markup("<li>{}</li>").format(item) for item in folded if item),
    )
    return Bar(markup.encode(), _sources(links.base))


def _says(shown: BarView, words: Messages, language: Language) -> str:
    kept, total = number(shown.words_kept, language), number(shown.words_total, language)
    return words.shows.format(kept=kept, total=total)


def _wishes(shown: BarView, words: Messages) -> tuple[tuple[Wish, str], ...]:
    return (
        (Wish(Action.ALWAYS, shown.page), words.always),
        (Wish(Action.NEVER, shown.page), words.never),
    )


def _others(shown: BarView, words: Messages, links: Links) -> Markup:
    """The other methods, folded away; each asks first, for it changes every page of the site."""
    wishes = [Wish(Action.EXTRACTOR, shown.page, name) for name in shown.others]
    if not wishes:
        return Markup("")
    inside = Markup(" ").join(_link(links.asking(wish), wish.value) for wish in wishes)
    return Markup("<details><summary>{}</summary> {}</details>").format(words.other, inside)


def _levels(shown: BarView, words: Messages, links: Links, direct: bool) -> Markup:
    """The slider of levels; like every choice it acts at once only where that cannot be blocked."""
    fields = links.fields(Wish(Action.LEVEL, shown.page))
    texts, level = (words.level, words.level_do), level_told(shown.extractor)
    return slider(links.target(), fields, level, texts, post=direct)


def _choice(wish: Wish, text: str, links: Links, direct: bool) -> Markup:
    if not direct:
        return _link(links.asking(wish), text)
    return form(links.target(), links.fields(wish), text)


def form(target: str, fields: Mapping[str, str], text: str, kind: str = "") -> Markup:
    """A form of hidden fields and one button; ``kind`` is the button's class."""
    hidden = Markup("").join(
        Markup('<input type="hidden" name="{}" value="{}">').format(name, value)
        for name, value in fields.items()
    )
    named = Markup(' class="{}"').format(kind) if kind else Markup("")
    return Markup('<form method="post" action="{}">{}<button{}>{}</button></form>').format(
        target, hidden, named, text
    )


def _link(target: str, text: str) -> Markup:
    return Markup('<a href="{}" rel="nofollow">{}</a>').format(target, text)


def _sources(base: str) -> dict[str, str]:
    allowed = {"style-src": style_source(STYLE)}
    return {**allowed, "form-action": base or "'self'"}
