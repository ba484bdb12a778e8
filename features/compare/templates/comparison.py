"""``/-/compare``: several methods side by side on one page. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from markupsafe import Markup

from winnow.features.compare.jobs import Compared, MethodRow, MethodTrial, PageOutline
from winnow.features.compare.templates import plots
from winnow.features.why.why_links import WhyLinks
from winnow.jobs.results import MethodParameter
from winnow.proxy.own.templates.base_page import STYLE as FRAME_STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, styled_page
from winnow.proxy.own.templates.elements import column, table
from winnow.proxy.own.templates.method_words import method_text, method_words
from winnow.proxy.own.templates.settings.parameter_fields import parameter_fields
from winnow.proxy.own.translation import _, filled, ngettext, number, own_words, percent

STYLE = (
    FRAME_STYLE
    + plots.STYLE
    + Markup("""
.scroll { overflow-x: auto; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.strip { width: 35%; }
td.mark, th.mark { text-align: center; white-space: nowrap; padding-inline: .35rem; }
td.mark.all { color: var(--link); font-weight: 700; }
tr.unlike td { background: var(--tint); }
.plots { display: grid; gap: 1.5rem;
  grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); }
figure { margin: 0; }
figcaption { font-size: .92em; opacity: .85; }
fieldset { min-width: 0; border: 1px solid var(--line); border-radius: .3rem; margin: 1rem 0; }
label { display: inline-block; margin-inline-end: 1rem; }
""")
)


_ROWS: Final = Markup("<!--rows-->")
_REST: Final = Markup("<!--rest-->")
"""Where results go: no text of a page has these signs, which are escaped there."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is compared; ``offered`` are the methods to choose from.

    ``by_proxy``: the reader sees the page at its own address, not in the gateway.
    """

    url: str
    page: PageOutline
    offered: Sequence[str]
    by_proxy: bool = False


@dataclass(frozen=True, slots=True)
class ComparisonFrame:
    """What stands around the results: before the first row, behind the last, at the end."""

    page: HtmlPage
    behind_rows: str
    end: str


def frame_of(about: Comparison) -> ComparisonFrame:
    """The page without results."""
    named = (_("Words"), _("Share"), _("Time"))
    numbers = (column(text, "number") for text in named)
    heads = (_("Method"), _("Kept, by position on the page"), *numbers, _("Open"))
    main = Markup("\n").join((_head(about), table(heads, (_ROWS,), _("Methods")), _REST))
    title = _("Methods compared: {title}").format(title=about.page.title or about.url)
    whole = styled_page(title, main, STYLE, wide=True)
    begin, _rows, more = whole.body.decode().partition(_ROWS)
    behind_rows, _rest, end = more.partition(_REST)
    return ComparisonFrame(replace(whole, body=begin.encode()), behind_rows, end)


def summary(found: Compared, about: Comparison) -> str:
    """What all results say together."""
    chosen = [trial.method for trial in found.trials]
    return Markup("\n").join(
        (
            _agreement(found.trials),
            _plots(found),
            _side_by_side(found),
            _form(about.url, about.offered, chosen, found.parameters),
        )
    )


def failed_summary(sentence: str, about: Comparison, chosen: Sequence[str]) -> str:
    """Instead of ``summary`` where the results could not be put side by side."""
    failed = Markup("<p>{}</p>").format(own_words(sentence))
    return failed + _form(about.url, about.offered, chosen)


def ask_page(offered: Sequence[str], chosen: Sequence[str]) -> HtmlPage:
    """The form alone."""
    lead = Markup("<p>{}</p>\n").format(
        _("Compares methods on one page: words kept, agreement between methods, and time.")
    )
    back = Markup('<p><a href="/" rel="noreferrer">{}</a></p>').format(_("Read a page"))
    return styled_page(_("Compare methods"), lead + _form("", offered, chosen) + back, STYLE)


def _head(about: Comparison) -> Markup:
    text = _("{page} has {words} words. Each method is shown as soon as it has run.")
    return Markup(
        '<p>{about} <a href="/-/compare?{every}">{all}</a> · '
        '<a href="{shown}">{read}</a> · <a href="/-/why?{query}">{why}</a></p>'
    ).format(
        about=filled(
            text,
            page=Markup('<a href="{0}" dir="ltr">{0}</a>').format(about.url),
            words=number(about.page.words),
        ),
        all=_("Compare all methods"),
        shown=WhyLinks(about.url, by_proxy=about.by_proxy).read(),
        read=_("Read the page"),
        why=_("Why?"),
        every=urlencode({"url": about.url, "method": "all"}),
        query=urlencode({"url": about.url}),
    )


def trial_row(trial: MethodTrial, about: Comparison) -> str:
    """One method's row of the first table."""
    if trial.failure:
        return Markup('<tr><th scope="row">{}</th><td colspan="5">{}</td></tr>\n').format(
            trial.method, own_words(trial.failure)
        )
    query = urlencode({"url": about.url, "extractor": trial.method})
    share = trial.words / max(about.page.words, 1)
    label = _("{method} keeps {share} of the words").format(
        method=trial.method, share=percent(share)
    )
    return Markup(
        '<tr><th scope="row">{method}</th><td class="strip">{strip}</td>'
        '<td class="number">{words}</td><td class="number">{share}</td>'
        '<td class="number" dir="ltr">{time:.1f} ms</td>'
        '<td><a href="/-/read?{query}" aria-label="{read}: {method}">{read}</a> '
        '<a href="/-/why?{query}" aria-label="{why} {method}">{why}</a></td></tr>\n'
    ).format(
        method=trial.method,
        strip=plots.strip(trial.strip, label),
        words=number(trial.words),
        share=percent(share),
        read=_("Read"),
        why=_("Why?"),
        time=trial.milliseconds,
        query=query,
    )


def _agreement(trials: Sequence[MethodTrial]) -> Markup:
    """The F1 score of each pair, and each method's mean with the others."""
    worked = [(place, trial) for place, trial in enumerate(trials) if not trial.failure]
    if len(worked) < 2:
        return Markup("")
    mean = sum(trial.agreement for _place, trial in worked) / len(worked)
    about = _("The methods agree by {mean} (mean F1 of the words that each two keep).")
    heads = (
        "",
        column(_("Mean"), "number"),
        *(column(trial.method, "number") for _place, trial in worked),
    )
    rows = (
        Markup('<tr><th scope="row">{}</th>{}</tr>').format(
            trial.method,
            Markup("").join(
                Markup('<td class="number">{}</td>').format(percent(share))
                for share in (trial.agreement, *(trial.overlaps[other] for other, _same in worked))
            ),
        )
        for _place, trial in worked
    )
    lead = Markup("<h2>{}</h2>\n<p>{}</p>\n").format(
        _("Agreement of each pair"),
        filled(about, mean=Markup("<strong>{}</strong>").format(percent(mean))),
    )
    return lead + table(heads, rows, _("Agreement"))


def _plots(found: Compared) -> Markup:
    if not found.curves:
        return Markup("")
    figures = [
        _figure(method_text(curve.title), plots.curve(curve), method_text(curve.caption))
        for curve in found.curves
    ]
    lead = found.trials[0].method if found.trials else ""
    about = _(
        "One bar a block, its height the words in it (square root). Green: kept by {method}; "
        "grey: not; the red foot is the share in links."
    ).format(method=lead)
    figures.append(_figure(_("Blocks"), plots.bars(found.bars), about))
    return Markup('<h2>{}</h2>\n<div class="plots">\n{}\n</div>').format(
        _("Features"), Markup("\n").join(figures)
    )


def _figure(title: str, drawn: Markup, caption: str) -> Markup:
    return Markup("<figure><h3>{}</h3>{}<figcaption>{}</figcaption></figure>").format(
        title, drawn, caption
    )


def _side_by_side(found: Compared) -> Markup:
    """The result of each method, block by block."""
    methods = (column(trial.method, "mark") for trial in found.trials)
    rows = table(
        (_("Text"), column(_("Words"), "number"), *methods),
        map(_row, found.rows),
        _("Side by side"),
    )
    more = ngettext("{number} more row not shown.", "{number} more rows not shown.", found.more)
    about = _("The page’s text in order; adjacent blocks with equal results share a row.")
    return Markup("<h2>{}</h2>\n<p>{} {}</p>\n{}").format(
        _("Side by side"), about, more if found.more else "", rows
    )


def _row(row: MethodRow) -> Markup:
    rules = row.rules or ("",) * len(row.verdicts)
    marks = Markup("").join(map(_mark, row.verdicts, rules))
    unlike = Markup(' class="unlike"') if len(set(row.verdicts)) > 1 else Markup("")
    return Markup('<tr{}><td dir="auto">{}</td><td class="number">{}</td>{}</tr>').format(
        unlike, row.text, number(row.words), marks
    )


def _mark(verdict: str, rule: str) -> Markup:
    title = Markup(' title="{}"').format(method_words(rule)) if rule else Markup("")
    if verdict == "9":
        return Markup('<td class="mark all"{}>{}</td>').format(title, _("kept"))
    label = "–" if verdict == "0" else _("part")
    return Markup('<td class="mark"{}>{}</td>').format(title, label)


def _form(
    url: str,
    offered: Sequence[str],
    chosen: Sequence[str],
    parameters: Sequence[MethodParameter] = (),
) -> Markup:
    names = {method.partition(":")[0] for method in chosen}
    boxes = Markup("\n").join(
        Markup('<label><input type="checkbox" name="method" value="{0}"{1}> {0}</label>').format(
            name, Markup(" checked") if name in names else Markup("")
        )
        for name in offered
    )
    return Markup(
        "<h2>{}</h2>\n"
        '<form action="/-/compare" method="get"><p><label for="url">{}</label>'
        '<input id="url" name="url" inputmode="url" value="{}" size="40" required></p>\n'
        "<fieldset><legend>{}</legend>\n{}\n</fieldset>\n{}\n"
        '<button class="first">{}</button></form>'
    ).format(
        _("Compare"),
        _("Address"),
        url,
        _("Methods"),
        boxes,
        parameter_fields(parameters, chosen),
        _("Compare"),
    )
