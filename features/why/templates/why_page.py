"""``/-/why``: what was left out of a page and why: on the page itself, or as a list. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from markupsafe import Markup, escape

from winnow.features.why.jobs import Explained, TextPassage
from winnow.features.why.templates.frame_marks import SANDBOX
from winnow.features.why.why_links import WhyLinks
from winnow.proxy.own.templates.base_page import STYLE as FRAME_STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, listed, styled_page
from winnow.proxy.own.templates.method_words import method_text
from winnow.proxy.own.templates.navigation import link_to
from winnow.proxy.own.templates.removal_words import in_words, left_out, of_the_site
from winnow.proxy.own.translation import (
    LANGUAGE,
    N_,
    _,
    counted_words,
    filled,
    ngettext,
    number,
    own_words,
)

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
iframe { display: block; width: 100%; height: max(24rem, 100vh - 17rem); box-sizing: border-box;
  border: 2px solid var(--line); background: #fff; color-scheme: light; }
.lead { font-size: .95rem; margin: .3rem 0; }
.wide h1 { font-size: 1.25rem; margin: .2rem 0; }
""")
KeepForm = Callable[[str, str], Markup]
"""The form that keeps the block of a selector on the page's site; words of it are its test."""
NO_NOTE = Markup("")
_SHADED = N_(
    "Parts left out are shaded. Point to one, or go to its “?” with the Tab key, to read why. "
    "Click or tap the “?” to keep it. What was kept can be dropped the same way."
)
_NONE_SHADED = N_(
    "Nothing was left out of this page. Point to a part, or go to its mark with the Tab key; "
    "click or tap the mark to drop it."
)
_LOW, _HIGH = 1 / 3, 2 / 3
"""Confidence below and from which it is called low and high."""
_SHOWN_TOGETHER = 6
_SAMPLE = 8
"""Words of a block in a rule's test, and in the list of reasons."""
_LONGEST = 80
"""Characters of the same, where a language has no spaces."""
_LISTED = 20
"""Parts of one reason that are listed."""


def why_on_page(
    links: WhyLinks, found: Explained, note: Markup = NO_NOTE, stored: str = ""
) -> HtmlPage:
    """The page itself in a frame, its parts marked, and the reasons counted; ``note`` first.

    The frame begins where ``stored``, the selector of a rule, holds; else at what was left out.
    """
    frame = Markup(
        '<iframe src="{}" sandbox="{}" title="{}" referrerpolicy="same-origin"></iframe>'
    ).format(links.frame(stored), SANDBOX, _("The page with its parts marked"))
    guide = _(_SHADED if any(each.reason for each in found.passages) else _NONE_SHADED)
    main = note + Markup('<p class="lead">{}</p>\n<p class="lead">{}</p>\n{}\n{}\n{}').format(
        _extent(links, found), guide, _links(links, "list"), frame, _reasons(found)
    )
    page = styled_page(_title(links, found), main, STYLE, wide=True)
    policy = f"{page.headers['Content-Security-Policy']}; frame-src 'self'"
    return page.with_headers({"Content-Security-Policy": policy})


def why_list(links: WhyLinks, found: Explained, keep: KeepForm, note: Markup = NO_NOTE) -> HtmlPage:
    """The page's text block by block; ``keep`` makes the form of one block."""
    main = note + Markup("<p>{}</p>\n{}\n{}\n{}").format(
        _extent(links, found), _reasons(found), _links(links, "page"), _text(found, keep)
    )
    return styled_page(_title(links, found), main, STYLE)


def _title(links: WhyLinks, found: Explained) -> str:
    return _("Why? {title}").format(title=found.title or links.url)


def _extent(links: WhyLinks, found: Explained) -> Markup:
    if found.tidied:
        return _tidied_extent(links, found)
    keeps = _("Winnow keeps {kept} of {total} words (method: {method}). {confidence}")
    of_site = Markup(" {}").format(of_the_site(found.left_out)) if found.left_out else Markup("")
    extent = filled(
        keeps,
        kept=number(found.words_kept),
        total=number(found.words_total),
        method=Markup("<strong>{}</strong>").format(found.extractor),
        confidence=_confidence(found.confidence),
    )
    return extent + of_site + _withheld(found.withheld)


def _withheld(words: int) -> Markup:
    """How many words of the page nobody sees."""
    if not words:
        return Markup("")
    text = ngettext(
        "{number} word that nobody sees on the page is withheld.",
        "{number} words that nobody sees on the page are withheld.",
        words,
    )
    return Markup(" {}").format(text.format(number=number(words)))


def _confidence(share: float) -> str:
    if share < _LOW:
        return _("Winnow is not sure that this is the article.")
    if share < _HIGH:
        return _("Winnow is fairly sure that this is the article.")
    return _("Winnow is sure that this is the article.")


def _tidied_extent(links: WhyLinks, found: Explained) -> Markup:
    """What tidying shows, and the way to what the reader view would."""
    text = _(
        "Winnow tidied this page: it keeps its own look, and {kept} of {total} words. See {reader}."
    )
    reader = Markup('<a href="{}">{}</a>').format(
        links.reader(), _("what the reader view leaves out")
    )
    kept, total = number(found.words_kept), number(found.words_total)
    return filled(text, kept=kept, total=total, reader=reader)


def _links(links: WhyLinks, view: str) -> Markup:
    other = _("As a list") if view == "list" else _("On the page itself")
    named = {
        links.why(view): other,
        links.read(): _("Read the page"),
        links.other("/-/compare"): _("Compare methods"),
    }
    if links.annotates:
        named[links.other("/-/annotate")] = _("Annotate this page")
    return Markup('<p class="lead">{}</p>').format(
        Markup(" · ").join(filter(None, (link_to(*each) for each in named.items())))
    )


def _reasons(found: Explained) -> Markup:
    """What was left out, counted by reason, and what the method says of the page."""
    parts: dict[str, list[TextPassage]] = {}
    for passage in found.passages:
        if passage.reason:
            parts.setdefault(passage.reason, []).append(passage)
    if not (parts or found.reasons):
        return Markup("")
    by_words = sorted(parts.items(), key=lambda each: -_words(each[1]))
    language = Markup(' lang="{}"').format(found.language) if found.language else Markup("")
    return Markup("<details><summary>{}</summary>\n{}{}</details>").format(
        _("Left out: {words}").format(words=counted_words(sum(map(_words, parts.values()))))
        if parts
        else _("Technical details"),
        listed(tuple(_counted(reason, passages, language) for reason, passages in by_words)),
        listed(tuple(map(own_words, found.reasons))),
    )


def _counted(reason: str, passages: Sequence[TextPassage], language: Markup) -> Markup:
    """How much was left out for a reason, and the first words of each part."""
    count = _("{reason}: {words}").format(
        reason=in_words(reason), words=counted_words(_words(passages))
    )
    parts = [
        Markup('<span{} dir="auto">{}</span>').format(language, _first_words(passage))
        for passage in passages[:_LISTED]
        if passage.text.strip()
    ]
    if more := len(passages[_LISTED:]):
        parts.append(
            escape(
                ngettext("{number} more part not shown.", "{number} more parts not shown.", more)
            )
        )
    return escape(count) + listed(tuple(parts))


def _first_words(passage: TextPassage) -> str:
    words = passage.text.split(maxsplit=_SAMPLE)
    text = " ".join(words[:_SAMPLE])[:_LONGEST]
    return text + " …" if len(text) < len(" ".join(words)) else text


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
    for removed, group in groupby(passages, key=lambda passage: passage.kept < 1):
        run = list(group)
        drawn = [_removed(passage, keep) if removed else _shown(passage) for passage in run]
        if removed and len(run) > _SHOWN_TOGETHER:
            yield from drawn[:2]
            yield Markup(
                '<details><summary lang="{}" dir="{}">{}</summary>\n{}\n</details>'
            ).format(
                *_spoken(),
                ngettext(
                    "{number} more removed part, {words}",
                    "{number} more removed parts, {words}",
                    len(run) - 2,
                    words=counted_words(_words(run[2:])),
                ),
                Markup("\n").join(drawn[2:]),
            )
        else:
            yield from drawn


def _words(passages: Sequence[TextPassage]) -> int:
    return sum(int(dict(passage.features).get("words", "0")) for passage in passages)


def _shown(passage: TextPassage) -> Markup:
    shape = Markup("<h3>{}</h3>") if passage.heading else Markup("<p>{}</p>")
    return shape.format(_with_raised(passage))


def _with_raised(passage: TextPassage) -> Markup:
    """The text; what stands above the line does so here, too: £4 with note 1 is not £41."""
    parts, behind = [], 0
    for start, end in passage.raised:
        parts += [escape(passage.text[behind:start])]
        parts += [Markup("<sup>{}</sup>").format(passage.text[start:end])]
        behind = end
    return Markup("").join((*parts, escape(passage.text[behind:])))


def _removed(passage: TextPassage, keep: KeepForm) -> Markup:
    kind = "part" if passage.kept else "gone"
    said = left_out(passage.reason) if passage.reason else _("Partly left out.")
    features = Markup("").join(
        Markup("<dt>{}</dt><dd>{}</dd>").format(name, value) for name, value in passage.features
    )
    sample = " ".join(passage.text.split()[:_SAMPLE])
    form = keep(passage.selector, sample) if passage.selector else Markup("")
    rule = (
        method_text(passage.rule)
        if passage.rule
        else _("The method did not choose it; these are its features.")
    )
    return Markup(
        '<div class="{}"><p>{}</p>\n<div lang="{}" dir="{}">{} {}<details><summary>{}</summary>'
        '<p>{}</p><dl lang="en" dir="ltr">{}</dl></details></div></div>'
    ).format(
        kind,
        _with_raised(passage),
        *_spoken(),
        said,
        form,
        _("Technical details"),
        rule,
        features,
    )


def _spoken() -> tuple[str, str]:
    """Language and direction of what is ours within the page's text."""
    language = LANGUAGE.get()
    return language.value, language.direction
