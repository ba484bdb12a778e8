"""A second set of pages without main content, written after all thresholds were chosen.

Other kinds of pages in other markup than barren.py's: 20 skeletons as sites have them, each filled
with the words of six sites in five languages (barren_again.toml). Nothing is tuned on these.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Final

_CARD: Final = (
    '<a class="c-promo" href="/s/{n}"><span class="c-promo__k">{k}</span><h3>{h}</h3></a>'
)
_TOLD: Final = '<div class="media"><h4><a href="/{n}">{h}</a></h4>{t}</div>'
_ROW: Final = '<tr><td><a href="view.php?id={n}">{h}</a></td><td>{n}</td><td>{k}</td></tr>'
_TILE: Final = (
    '<li data-sku="{n}"><img src="{n}.jpg" alt="{h}"><a href="/p/{n}">{h}</a><b>{n},99</b>'
)


def pages() -> Iterator[tuple[str, str]]:
    """Name and HTML of 120 pages."""
    written = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    for site in written["site"]:
        for kind, skeleton in written["skeleton"].items():
            head = f"<!doctype html><html lang={site['lang']}><title>{site['name']}</title>"
            yield f"{kind}, {site['name']}", head + skeleton.format(**_parts(site))


def _parts(site: dict[str, str]) -> dict[str, str]:
    """What a skeleton may ask for."""
    heads, menu = cycle(site["heads"].split("|")), site["menu"].split("|")

    def many(form: str, count: int) -> str:
        return "".join(
            form.format(n=n, h=next(heads), k=menu[n % len(menu)], t=site["teaser"])
            for n in range(count)
        )

    links = [f'<a href="/{n}">{word}</a>' for n, word in enumerate(menu)]
    says = zip(("more", "login", "join", "paper", "find"), site["say"].split("|"), strict=True)
    fields = [f"<label>{word}<input name=f></label>" for word in site["form"].split("|")]
    oops, later = site["error"].split("|")
    return {
        **dict(says), "name": site["name"], "lang": site["lang"], "notice": site["notice"],
        "teaser": site["teaser"], "oops": oops, "later": later, "words": " | ".join(links),
        "bar": "".join(f"<li>{link}</li>" for link in links),
        "cards": many(_CARD, 18), "told": many(_TOLD, 10), "rows": many(_ROW, 25),
        "tiles": many(_TILE, 16), "few": many(_CARD, 4),
        "fields": "".join(fields),
    }  # fmt: skip
