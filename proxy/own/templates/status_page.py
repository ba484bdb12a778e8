"""``/-/status``: current figures and charts of the last hour. Pure; no script."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from winnow.proxy.observability.metrics import Minute
from winnow.proxy.own.page_templates import own_file, page_template
from winnow.proxy.own.templates.base_page import STYLE, HtmlPage, page_of
from winnow.proxy.own.translation import N_, number

REFRESH = 10
"""Seconds after which the page reloads."""
WIDTH, HEIGHT = 480, 60
_STYLE: Final = STYLE + own_file(__package__, "status.css")
_TEMPLATE: Final = page_template(__package__, "status.html")

_SHOWN: Final[tuple[tuple[str, str, Callable[[Minute], float]], ...]] = (
    (N_("Responses"), "", lambda minute: minute.answers),
    (N_("Pages extracted"), "", lambda minute: minute.extracted),
    (N_("Cache hits"), "", lambda minute: minute.hits),
    (N_("Data saved"), "kB", lambda minute: minute.saved / 1000),
    (N_("Upstream errors"), "", lambda minute: minute.errors),
    (N_("Slowest response"), "ms", lambda minute: minute.slowest * 1000),
)


class Column(NamedTuple):
    """A minute."""

    x: str
    y: str
    width: str
    height: str


class Chart(NamedTuple):
    """The latest and the highest value in words, and a column a minute."""

    title: str
    latest: str
    highest: str
    columns: Sequence[Column]


def status_page(
    minutes: Sequence[Minute], now: Sequence[tuple[str, str]], notices: Sequence[str] = ()
) -> HtmlPage:
    """``minutes``: the last hour; ``now``: names and values; ``notices``: what needs attention."""
    charts = [
        _chart(title, unit, [value(minute) for minute in minutes]) for title, unit, value in _SHOWN
    ]
    page = page_of(
        _TEMPLATE,
        style=_STYLE,
        notices=notices,
        now=now,
        charts=[each for each in charts if each.columns],
        width=WIDTH,
        height=HEIGHT,
        seconds=REFRESH,
    )
    return page.with_headers({"Refresh": str(REFRESH)})


def _chart(title: str, unit: str, values: Sequence[float]) -> Chart:
    highest, latest = max(values, default=0), values[-1] if values else 0
    step = WIDTH / max(len(values), 1)
    columns = [
        Column(*(f"{each:.1f}" for each in (index * step, HEIGHT - high, step * 0.8, high)))
        for index, value in enumerate(values)
        if value and (high := HEIGHT * value / highest)
    ]
    return Chart(title, _number(latest, unit), _number(highest, unit), columns)


def _number(value: float, unit: str) -> str:
    return f"{number(round(value))} {unit}".strip()
