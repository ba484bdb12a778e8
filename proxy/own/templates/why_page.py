"""``/-/why``: a page's text with the removed parts shaded, and the reasons. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from urllib.parse import urlencode

from markupsafe import Markup

from winnow.jobs.results import Explained, TextPassage
from winnow.proxy.own.templates.base_page import STYLE as FRAME_STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, counted, styled_page

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
    return styled_page(f"Why? {found.title or url}", main, STYLE)


def _head(url: str, found: Explained, may_mark: bool) -> Markup:
    query = urlencode({"url": url})
    mark = Markup(' · <a href="/-/annotate?{}">Annotate this page</a>').format(query)
    gone = sum(passage.kept < 1 for passage in found.passages)
    reasons = Markup("").join(Markup("<li>{}</li>").format(reason) for reason in found.reasons)
    summary = Markup("<ul>{}</ul>").format(reasons) if reasons else Markup("")
    return Markup(
        '<p>Of <a href="{url}">{url}</a> the method <strong>{extractor}</strong> keeps {kept:,} of '
        "{total:,} words (confidence {confidence:.0%}). {gone} removed in whole or in part, "
        "shaded below with the rule that removed it.</p>\n{summary}"
        '<p><a href="/-/read?{query}">Read the page</a> · '
        '<a href="/-/compare?{query}">Compare methods</a>{mark}</p>'
    ).format(
        url=url,
        extractor=found.extractor,
        kept=found.words_kept,
        total=found.words_total,
        confidence=found.confidence,
        gone=counted(gone, "part"),
        summary=summary,
        query=query,
        mark=mark if may_mark else "",
    )


def _text(found: Explained, keep: KeepForm) -> Markup:
    language = Markup(' lang="{}"').format(found.language) if found.language else Markup("")
    more = (
        Markup("<p>{} more parts not shown.</p>").format(found.more) if found.more else Markup("")
    )
    inside = Markup("\n").join(_grouped(found.passages, keep))
    return Markup('<h2>Page text</h2>\n<div class="text"{} dir="auto">\n{}\n</div>{}').format(
        language, inside, more
    )


def _grouped(passages: Sequence[TextPassage], keep: KeepForm) -> Iterator[Markup]:
    """Passages in order; long runs of removed ones are folded."""
    for is_gone, group in groupby(passages, key=lambda passage: passage.kept < 1):
        run = list(group)
        drawn = [_removed(passage, keep) if is_gone else _shown(passage) for passage in run]
        if is_gone and len(run) > _SHOWN_TOGETHER:
            yield from drawn[:2]
            yield Markup(
                '<details><summary lang="en">{} more removed parts, {:,} words</summary>\n'
                "{}\n</details>"
            ).format(len(run) - 2, _words(run[2:]), Markup("\n").join(drawn[2:]))
        else:
            yield from drawn


def _words(passages: Sequence[TextPassage]) -> int:
    return sum(int(dict(passage.features).get("words", "0")) for passage in passages)


def _shown(passage: TextPassage) -> Markup:
    shape = Markup("<h3>{}</h3>") if passage.heading else Markup("<p>{}</p>")
    return shape.format(passage.text)


def _removed(passage: TextPassage, keep: KeepForm) -> Markup:
    kind, label = ("part", "Partly removed") if passage.kept else ("gone", "Removed")
    features = Markup("").join(
        Markup("<dt>{}</dt><dd>{}</dd>").format(name, value) for name, value in passage.features
    )
    form = keep(passage.selector) if passage.selector else Markup("")
    rule = passage.rule or "The method did not choose it; these are its features."
    return Markup(
        '<div class="{}"><p>{}</p>\n<div lang="en" dir="ltr"><details><summary>{}: {}</summary>'
        "<dl>{}</dl></details>{}</div></div>"
    ).format(kind, passage.text, label, rule, features, form)
