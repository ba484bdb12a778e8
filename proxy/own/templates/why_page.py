"""``/-/why``: a page's text with the removed parts shaded, and the reasons. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from urllib.parse import urlencode

from markupsafe import Markup

from winnow.jobs.results import Explained, TextPassage
from winnow.proxy.own.templates.base_page import STYLE as FRAME_STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, styled_page
from winnow.proxy.own.translation import LANGUAGE, _, filled, ngettext, number, own_words, percent

STYLE = FRAME_STYLE + Markup("""
.text p, .text h3 { margin: .6rem 0; }
.text h3 { font-size: 1.1rem; }
.gone, .part { border-inline-start: .35rem solid #c0392b; background: #c0392b1f;
  padding: .1rem .8rem; margin: .5rem 0; }
.part { border-color: #b7791f; background: #b7791f1f; }
.gone > p { text-decoration: line-through; text-decoration-color: #c0392b99; }
.gone details, .part details { border: 0; padding: .1rem 0 .4rem; font-size: .9em; }
.gone summary, .part summary { font-weight: 400; }
.gone button, .part button { font-size: .85em; padding: .05rem .6rem; }
dl { display: grid; grid-template-columns: fit-content(45%) 1fr; gap: .1rem 1rem; margin: .4rem 0; }
dt { opacity: .8; } dd { margin: 0; overflow-wrap: anywhere; }
""")
KeepForm = Callable[[str], Markup]
"""The form that keeps the block of a selector on the page's site."""
_SHOWN_TOGETHER = 6


def why_page(url: str, found: Explained, keep: KeepForm, *, may_mark: bool = False) -> HtmlPage:
    """The whole page; ``keep`` makes the form of one block; ``may_mark`` links to annotation."""
    main = Markup("\n").join((_head(url, found, may_mark), _text(found, keep)))
    return styled_page(_("Why? {title}").format(title=found.title or url), main, STYLE)


def _head(url: str, found: Explained, may_mark: bool) -> Markup:
    query = urlencode({"url": url})
    mark = Markup(' · <a href="/-/annotate?{}">{}</a>').format(query, _("Annotate this page"))
    gone = sum(passage.kept < 1 for passage in found.passages)
    reasons = Markup("").join(
        Markup("<li>{}</li>").format(own_words(reason)) for reason in found.reasons
    )
    summary = Markup("<ul>{}</ul>").format(reasons) if reasons else Markup("")
    keeps = _(
        "Of {page} the method {method} keeps {kept} of {total} words (confidence {confidence})."
    )
    return Markup(
        "<p>{keeps} {gone}</p>\n{summary}"
        '<p><a href="/-/read?{query}">{read}</a> · '
        '<a href="/-/compare?{query}">{compare}</a>{mark}</p>'
    ).format(
        keeps=filled(
            keeps,
            page=Markup('<a href="{0}" dir="ltr">{0}</a>').format(url),
            method=Markup("<strong>{}</strong>").format(found.extractor),
            kept=number(found.words_kept),
            total=number(found.words_total),
            confidence=percent(found.confidence),
        ),
        gone=ngettext(
            "{number} part was removed in whole or in part; it is shaded below, with the rule.",
            "{number} parts were removed in whole or in part; they are shaded below, each with "
            "its rule.",
            gone,
        ),
        summary=summary,
        query=query,
        read=_("Read the page"),
        compare=_("Compare methods"),
        mark=mark if may_mark else "",
    )


def _text(found: Explained, keep: KeepForm) -> Markup:
    language = Markup(' lang="{}"').format(found.language) if found.language else Markup("")
    more = (
        Markup("<p>{}</p>").format(
            ngettext("{number} more part not shown.", "{number} more parts not shown.", found.more)
        )
        if found.more
        else Markup("")
    )
    inside = Markup("\n").join(_grouped(found.passages, keep))
    return Markup('<h2>{}</h2>\n<div class="text"{} dir="auto">\n{}\n</div>{}').format(
        _("Page text"), language, inside, more
    )


def _grouped(passages: Sequence[TextPassage], keep: KeepForm) -> Iterator[Markup]:
    """Passages in order; long runs of removed ones are folded."""
    for is_gone, group in groupby(passages, key=lambda passage: passage.kept < 1):
        run = list(group)
        drawn = [_removed(passage, keep) if is_gone else _shown(passage) for passage in run]
        if is_gone and len(run) > _SHOWN_TOGETHER:
            yield from drawn[:2]
            yield Markup(
                '<details><summary lang="{}" dir="{}">{}</summary>\n{}\n</details>'
            ).format(
                *_spoken(),
                ngettext(
                    "{number} more removed part, {words} words",
                    "{number} more removed parts, {words} words",
                    len(run) - 2,
                    words=number(_words(run[2:])),
                ),
                Markup("\n").join(drawn[2:]),
            )
        else:
            yield from drawn


def _words(passages: Sequence[TextPassage]) -> int:
    return sum(int(dict(passage.features).get("words", "0")) for passage in passages)


def _shown(passage: TextPassage) -> Markup:
    shape = Markup("<h3>{}</h3>") if passage.heading else Markup("<p>{}</p>")
    return shape.format(passage.text)


def _removed(passage: TextPassage, keep: KeepForm) -> Markup:
    kind, label = ("part", _("Partly removed")) if passage.kept else ("gone", _("Removed"))
    features = Markup("").join(
        Markup("<dt>{}</dt><dd>{}</dd>").format(name, value) for name, value in passage.features
    )
    form = keep(passage.selector) if passage.selector else Markup("")
    rule = (
        own_words(passage.rule)
        if passage.rule
        else _("The method did not choose it; these are its features.")
    )
    return Markup(
        '<div class="{}"><p>{}</p>\n<div lang="{}" dir="{}"><details><summary>{}: {}</summary>'
        '<dl lang="en" dir="ltr">{}</dl></details>{}</div></div>'
    ).format(kind, passage.text, *_spoken(), label, rule, features, form)


def _spoken() -> tuple[str, str]:
    """Language and direction of what is ours within the page's text."""
    language = LANGUAGE.get()
    return language.value, language.direction
