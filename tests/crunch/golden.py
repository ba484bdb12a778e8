"""Pages written for Crunch's filters beside what each of the twelve levels makes of them.

A folder of ``pages`` holds ``source.html``, whose comment ``crunch:`` names options, and
what renderers make of it, levels that give the same together: ``pruned.html`` and ``live.html``.
``python -m tests.crunch`` writes these anew; the difference is then reviewed by a person.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import Final

from winnow.document.document import Document
from winnow.document.render.original.live_page import LiveRenderer
from winnow.document.render.original.pruned import PrunedRenderer
from winnow.document.render.renderers import Renderer
from winnow.document.values import BAR_MARK
from winnow.extractors.crunch.relax_levels import LEVELS
from winnow.extractors.registry import make

FOLDER = Path(__file__).parent / "pages"
ADS = FOLDER.parent / "ads.txt"
URL = "https://example.org/harbour/ferry.html"
FILES: Final[Mapping[str, Renderer]] = MappingProxyType(
    {"pruned.html": PrunedRenderer(), "live.html": LiveRenderer()}
)
"""Who wrote which file: what is sent everywhere, and what a site's own pages get."""
_OPTIONS = re.compile(r"<!-- crunch: (.*) -->")
_OURS = re.compile(r'<!DOCTYPE html>\n|<meta charset="utf-8">|<meta http-equiv="[^>]*>')


def names() -> list[str]:
    """The names of all pages."""
    return sorted(source.parent.name for source in FOLDER.glob("*/source.html"))


def shown(name: str, level: int, renderer: Renderer) -> str:
    """A page at a level, without what every pruned page has."""
    source = (FOLDER / name / "source.html").read_text("utf-8")
    found = _OPTIONS.search(source)
    options = found[1].replace("ads=list", f"ads={ADS}") if found else ""
    program = "" if "check=" in options else "check=false"  # Crunch's own has no result check
    listed = ",".join(filter(None, (f"level={level}", program, options)))
    document = Document.from_html(source, URL)
    extraction = make(f"crunch:{listed}").extract(document)
    body = renderer.render(document, extraction).body.decode()
    return _OURS.sub("", body.replace(BAR_MARK.decode(), "")).strip() + "\n"


def all_levels(name: str, renderer: Renderer) -> str:
    """What the twelve levels make of a page, in one text."""
    parts = []
    for body, group in groupby(LEVELS, lambda level: shown(name, level, renderer)):
        levels = list(group)
        parts.append(f"<!-- level {levels[0]} to {levels[-1]} -->\n{body}")
    return "".join(parts)


def expected(name: str, file: str) -> str:
    """What a person found right."""
    return (FOLDER / name / file).read_text("utf-8")


def write() -> None:
    """Write what is made of every page now."""
    for name in names():
        for file, renderer in FILES.items():
            (FOLDER / name / file).write_text(all_levels(name, renderer), "utf-8")
