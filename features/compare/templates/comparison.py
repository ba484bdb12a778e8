"""``/-/compare``: several methods side by side on one page. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import mean
from typing import Final

from markupsafe import Markup

from winnow.features.compare.jobs import Compared, MethodTrial, PageOutline
from winnow.features.compare.templates import plots
from winnow.features.site.parameter_fields import parameter_fields
from winnow.features.why.why_links import WhyLinks
from winnow.proxy.own.page_templates import own_file, page_template
from winnow.proxy.own.templates.base_page import STYLE as FRAME_STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, page_of
from winnow.proxy.own.translation import _, percent

STYLE = FRAME_STYLE + own_file(__package__, "comparison.css")
_FRAME: Final = page_template(__package__, "comparison.html")
_ROW: Final = page_template(__package__, "comparison_row.html")
_SUMMARY: Final = page_template(__package__, "comparison_summary.html")
_ASK: Final = page_template(__package__, "ask.html")
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
    read = WhyLinks(about.url, by_proxy=about.by_proxy).read()
    whole = page_of(
        _FRAME, style=STYLE, kind="wide", about=about, read=read, rows=_ROWS, rest=_REST
    )
    begin, _rows, more = whole.body.decode().partition(_ROWS)
    behind_rows, _rest, end = more.partition(_REST)
    return ComparisonFrame(replace(whole, body=begin.encode()), behind_rows, end)


def summary(found: Compared, about: Comparison) -> str:
    """What all results say together: the F1 score of each pair, and each method's mean with the
    others; curves; the result of each method, block by block."""
    worked = [(place, trial) for place, trial in enumerate(found.trials) if not trial.failure]
    chosen = [trial.method for trial in found.trials]
    return _SUMMARY(
        failed="",
        found=found,
        agreement=percent(mean(one.agreement for _, one in worked)) if worked else "",
        agreeing=[
            (one.method, [one.agreement, *(one.overlaps[other] for other, _same in worked)])
            for _place, one in worked
        ],
        plots=plots,
        about=about,
        names=_names(chosen),
        parameters=parameter_fields(found.parameters, chosen),
    )


def failed_summary(sentence: str, about: Comparison, chosen: Sequence[str]) -> str:
    """Instead of ``summary`` where the results could not be put side by side."""
    return _SUMMARY(failed=sentence, about=about, names=_names(chosen), parameters="")


def ask_page(offered: Sequence[str], chosen: Sequence[str]) -> HtmlPage:
    """The form alone."""
    return page_of(_ASK, style=STYLE, offered=offered, chosen=_names(chosen))


def trial_row(trial: MethodTrial, about: Comparison) -> str:
    """One method's row of the first table."""
    share = percent(trial.words / max(about.page.words, 1))
    label = _("{method} keeps {share} of the words").format(method=trial.method, share=share)
    strip = plots.strip(trial.strip, label)
    return _ROW(trial=trial, url=about.url, share=share, strip=strip)


def _names(methods: Sequence[str]) -> set[str]:
    return {method.partition(":")[0] for method in methods}
