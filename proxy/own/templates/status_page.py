"""``/-/status``: current figures and charts of the last hour. Pure; no script."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from markupsafe import Markup

from winnow.proxy.observability.metrics import Minute
from winnow.proxy.own.templates.base_page import STYLE, HtmlPage, listed, styled_page
from winnow.proxy.own.translation import N_, _, filled, number, own_words

REFRESH = 10
"""Seconds after which the page reloads."""
WIDTH, HEIGHT = 480, 60
_CHARTS = Markup("""
svg { display: block; width: 100%; height: 4rem; background: var(--soft); border-radius: .3rem; }
svg rect { fill: var(--accent); }
td { white-space: nowrap; }
figure { margin: 1rem 0; }
""")

_SHOWN: Final[tuple[tuple[str, str, Callable[[Minute], float]], ...]] = (
    (N_("Responses"), "", lambda minute: minute.answers),
    (N_("Pages extracted"), "", lambda minute: minute.extracted),
    (N_("Cache hits"), "", lambda minute: minute.hits),
    (N_("Data saved"), "kB", lambda minute: minute.saved / 1000),
    (N_("Upstream errors"), "", lambda minute: minute.errors),
    (N_("Slowest response"), "ms", lambda minute: minute.slowest * 1000),
)


def status_page(
    minutes: Sequence[Minute], now: Sequence[tuple[str, str]], notices: Sequence[str] = ()
) -> HtmlPage:
    """``minutes``: the last hour; ``now``: names and values; ``notices``: what needs attention."""
    title = Markup("<h2>{}</h2>\n").format(_("Needs attention"))
    wrong = title + listed(tuple(map(own_words, notices))) if notices else Markup("")
    charts = Markup("\n").join(
        _chart(_(title), unit, [value(minute) for minute in minutes])
        for title, unit, value in _SHOWN
    )
    rows = Markup("\n").join(
        Markup("<tr><th scope=row>{}</th><td>{}</td></tr>").format(
            own_words(name).rstrip(".。"), own_words(value)
        )
        for name, value in now
    )
    about = _(
        "This page reloads every {seconds} seconds. For programs: {metrics}. The pages that you "
        "opened: {activity}."
    )
    main = Markup(
        '{}<h2>{}</h2>\n<table>\n{}\n</table>\n<h2>{}</h2>\n{}\n<p class="quiet">{}</p>'
    ).format(
        wrong,
        _("Now"),
        rows,
        _("Last hour"),
        charts,
        filled(
            about,
            seconds=REFRESH,
            metrics=Markup('<a href="/-/metrics">/-/metrics</a>'),
            activity=Markup('<a href="/-/activity">{}</a>').format(_("Activity")),
        ),
    )
    page = styled_page(_("Status"), main, STYLE + _CHARTS)
    return page.with_headers({"Refresh": str(REFRESH)})


def _chart(title: str, unit: str, values: Sequence[float]) -> Markup:
    """One column a minute, with a caption in words."""
    highest, latest = max(values, default=0), values[-1] if values else 0
    summary = _("{title}: {latest} in this minute, {highest} at most").format(
        title=title, latest=_number(latest, unit), highest=_number(highest, unit)
    )
    step = WIDTH / max(len(values), 1)
    columns = Markup("").join(
        Markup('<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>').format(
            index * step, HEIGHT * (1 - value / highest), step * 0.8, HEIGHT * value / highest
        )
        for index, value in enumerate(values)
        if value
    )
    return Markup(
        '<figure><figcaption>{}</figcaption><svg viewBox="0 0 {} {}" '
        'preserveAspectRatio="none" aria-hidden="true">{}</svg></figure>'
    ).format(summary, WIDTH, HEIGHT, columns)


def _number(value: float, unit: str) -> str:
    return f"{number(round(value))} {unit}".strip()
