"""A sample of pages on a small display, as they are and as proxies return them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from winnow.evaluation.errors import SubjectError
from winnow.evaluation.gold.packages import Package, PackageEntry
from winnow.evaluation.measuring.display import HEIGHT, WIDTH, Display, displayed, small_display
from winnow.evaluation.measuring.statistic import mean
from winnow.evaluation.reporting.tables import aligned
from winnow.evaluation.subjects.proxy_subject import ThroughProxy

ORIGINAL = "original"


@dataclass(frozen=True, slots=True)
class Screened:
    """What a subject (``ORIGINAL``: the page as it is) shows of one page; None where it failed."""

    package: str
    subject: str
    display: Display | None


async def screens(
    packages: Iterable[Package],
    proxies: Sequence[ThroughProxy],
    count: int,
    program: str | None = None,
) -> list[Screened]:
    """Lay out ``count`` evenly spaced pages of each package; ``program`` is Chromium's path."""
    found = []
    async with small_display(program) as tab:
        for package in packages:
            for name in package.ids[:: max(len(package) // count, 1)][:count]:
                entry = package.entry(name)
                charset = entry.meta.get("encoding_used")
                own = await displayed(tab, entry.body, entry.gold, str(charset or "") or None)
                found.append(Screened(package.name, ORIGINAL, own))
                for proxy in proxies:
                    body = _returned(proxy, entry)
                    shown = await displayed(tab, body, entry.gold) if body is not None else None
                    found.append(Screened(package.name, proxy.name, shown))
    return found


def screen_table(found: Sequence[Screened]) -> str:
    """Means of each package and subject, with the number of pages and of failures."""
    heading = (
        *("package", "subject", "pages", "words", "on the first screen", "screens"),
        *("screens before content", "without content", "failed"),
    )
    groups: dict[tuple[str, str], list[Display | None]] = {}
    for each in found:
        groups.setdefault((each.package, each.subject), []).append(each.display)
    table = aligned(heading, [_cells(*key, shown) for key, shown in groups.items()], 2)
    return f"{WIDTH} by {HEIGHT} pixels; no scripts, nothing fetched.\n{table}"


def _cells(package: str, subject: str, shown: Sequence[Display | None]) -> tuple[str, ...]:
    pages = [display for display in shown if display is not None]
    before = [display.before for display in pages if display.before is not None]
    means = (
        mean([display.words for display in pages]),
        mean([display.first for display in pages]),
        mean([display.screens for display in pages]),
        mean(before),
    )
    counts = (str(len(pages) - len(before)), str(len(shown) - len(pages)))
    return package, subject, str(len(shown)), *(f"{value:.1f}" for value in means), *counts


def _returned(proxy: ThroughProxy, entry: PackageEntry) -> bytes | None:
    try:
        page, _ = proxy.page(entry)
    except SubjectError:
        return None
    return page.body
