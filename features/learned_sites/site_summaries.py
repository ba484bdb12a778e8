"""Summaries of what was learned of a site: counts and scores."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from winnow.extractors.layout.site_layout import TWICE, SiteLayout, site_layout
from winnow.extractors.site_learners import page_counts, unpack


@dataclass(frozen=True, slots=True)
class SiteSummary:
    """``pages``: how many each learner has in memory. ``lines``: what was learned, in words."""

    pages: Mapping[str, int]
    lines: tuple[str, ...]


def about(packet: bytes) -> SiteSummary:
    """What a site's memories amount to; nothing for what cannot be read."""
    try:
        pages, layout = page_counts(packet), _layout(packet)
    except ValueError:
        return SiteSummary({}, ("the memory cannot be read any longer",))
    lines = [f"{kind}: {count} pages remembered" for kind, count in pages.items()]
    return SiteSummary(pages, (*lines, *(_layout_lines(layout) if layout else ())))


def exported(packet: bytes) -> dict[str, Any]:
    """A site's memories as what JSON can hold: hashes and scores."""
    try:
        pages, layout = page_counts(packet), _layout(packet)
    except ValueError:
        return {"pages": {}}
    return {"pages": pages} | ({"layout": _exported(layout)} if layout else {})


def as_json(memories: Mapping[str, bytes]) -> str:
    """Memories by site, exported, as text."""
    summaries = {site: exported(packet) for site, packet in memories.items()}
    return json.dumps(summaries, indent=1) + "\n"


def _layout(packet: bytes) -> SiteLayout | None:
    memory = unpack(packet).get("layout")
    return site_layout(memory) if memory else None


def _layout_lines(site: SiteLayout) -> tuple[str, ...]:
    static = int(
        ((site.text_pages >= TWICE) & (site.text_pages >= site.limits.static * site.n)).sum()
    )
    main = int(site.is_main(site.path_index(site.paths)).sum())
    lines = (
        f"layout: {static} texts are static, {main} of {len(site.paths)} paths hold main text",
    )
    if site.container is None:
        return lines
    where = "the page as a whole" if site.container.key is None else "one element"
    line = f"layout: content stands in {where}, {site.container.purity:.0%} of which is content"
    return (*lines, line)


def _exported(site: SiteLayout) -> dict[str, Any]:
    columns = (site.paths, site.varies, site.main, site.plain, site.pages)
    return {
        "pages": site.n,
        "container": site.container.key if site.container else None,
        "paths": [
            {
                "path": f"{path:08x}",
                "difference": round(varies, 4),
                "main": round(main, 1),
                "plain": round(plain, 3),
                "pages": pages,
            }
            for path, varies, main, plain, pages in zip(
                *(column.tolist() for column in columns), strict=True
            )
        ],
        "texts": {
            f"{text:08x}": seen
            for text, seen in zip(site.texts.tolist(), site.text_pages.tolist(), strict=True)
            if seen >= TWICE
        },
    }
