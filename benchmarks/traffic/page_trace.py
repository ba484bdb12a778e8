"""A browser's visit as a trace: one page and its 100 sub-resources, each with its request fields.

Written by us after what a news site's front page asks for: counts, kinds and sizes, no content.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.traffic.workloads import NAVIGATION, WITHIN

COOKIE: Final = "session=3f6c1b9a5d2e48c7; consent=necessary; theme=dark; seen=12"
PAGE: Final = "/page.html"


@dataclass(frozen=True, slots=True)
class Kind:
    """Sub-resources of one kind: how many, their sizes in bytes in turn, how they are asked for."""

    name: str
    many: int
    sizes: tuple[int, ...]
    destination: str
    accept: str


@dataclass(frozen=True, slots=True)
class Asked:
    """One request of the trace; ``size`` is that of its answer's body."""

    path: str
    size: int
    fields: Mapping[str, str]


KINDS: Final = (
    Kind("css", 6, (8_000, 24_000, 60_000), "style", "text/css,*/*;q=0.1"),
    Kind("js", 20, (2_000, 9_000, 30_000, 90_000, 150_000), "script", "*/*"),
    Kind("woff2", 4, (22_000, 31_000), "font", "*/*"),
    Kind("json", 10, (300, 900, 4_000), "empty", "*/*"),
    Kind("webp", 55, (1_500, 6_000, 18_000, 45_000, 80_000), "image", "image/avif,image/webp,*/*"),
    Kind("gif", 5, (43,), "image", "image/avif,image/webp,*/*"),
)


def sub_resources(page: str) -> Iterator[Asked]:
    """Those of a page with this address, in the order in which they are asked for."""
    for kind in KINDS:
        fields = {
            **WITHIN,
            "Accept": kind.accept,
            "Sec-Fetch-Dest": kind.destination,
            "Sec-Fetch-Mode": "no-cors" if kind.destination != "empty" else "cors",
            "Referer": page,
            "Cookie": COOKIE,
        }
        for number in range(kind.many):
            size = kind.sizes[number % len(kind.sizes)]
            yield Asked(f"/assets/{number}.{kind.name}", size, fields)


def navigation(*, extracted: bool) -> Mapping[str, str]:
    """The fields of the page's own request."""
    wish = {} if extracted else {"Winnow-Mode": "original"}
    return {**NAVIGATION, "Cookie": COOKIE, **wish}


def write_files(folder: Path) -> None:
    """The sub-resources below a server's root."""
    for asked in sub_resources(""):
        path = folder / asked.path.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((asked.path.encode() * (asked.size // len(asked.path) + 1))[: asked.size])
