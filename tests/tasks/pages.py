"""More than two hundred written pages of all kinds, each with what must still be possible on it.

Five sites by some fifty kinds of page; what a page must still hold stands as it does in its markup.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tests.tasks import acting, looking, reading
from tests.tasks.acting import (
    captcha,
    editor,
    log_in,
    not_found,
    redirecting,
    robot_check,
    search_only,
    shell,
    webmail,
)
from tests.tasks.fragments import SITES
from tests.tasks.markup import Kind

KINDS: Final[tuple[Kind, ...]] = (*acting.KINDS, *looking.KINDS, *reading.KINDS)
BARE: Final = frozenset((search_only, shell, robot_check, captcha, webmail, editor, redirecting))
"""Pages that have no site around them."""
TITLES: Final[dict[Kind, str]] = {
    log_in: "Log in",
    not_found: "404 Not Found",
    robot_check: "Just a moment...",
}


@dataclass(frozen=True, slots=True)
class TaskPage:
    """A page; ``keeps`` must stand in what the reader gets, ``expected`` is what is done."""

    name: str
    html: str
    expected: str
    keeps: tuple[str, ...]


def pages() -> Iterator[TaskPage]:
    """All pages."""
    for kind in KINDS:
        for site in SITES:
            main, expected, keeps = kind(site)
            title = TITLES.get(kind, f"{site.subject} {kind.__name__}")
            html = site.page(title, main)
            if kind in BARE:
                html = f"<!doctype html><html><title>{title}</title><body>{main}</body></html>"
            yield TaskPage(f"{kind.__name__} {site.name}", html, expected, keeps)
