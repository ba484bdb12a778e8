"""A stranger's package, installed for one test: a filter with parameters, and a renderer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from winnow.document.render.installed_formats import installed_formats
from winnow.document.values import Format

_CODE = '''
from dataclasses import dataclass

from winnow.document.values import Rendered
from winnow.extractors.parameters import Range, parameter


@dataclass(frozen=True)
class ShortLines:
    """Takes paragraphs of fewer than ``least`` words, and all of whom a search sent."""

    least: int = parameter(3, Range(1, 50))
    request_fields = ("referer", "cookie")
    name = "short-lines"

    @property
    def fingerprint(self):
        return f"short-lines/1({self.least})"

    def process(self, original, previous, current):
        least = 20 if "search" in dict(original.page.beside).get("referer", "") else self.least
        short = [e for e in original.elements_named("p") if self._words(original, e) < least]
        return current.without(original, short)

    def _words(self, document, element):
        tree = document.elements
        return document.piece_words[tree.first_piece[element]:tree.last_piece[element]].sum()


class Shout:
    def __init__(self, recipe):
        pass

    def render(self, document, extraction):
        text = " ".join(document.text[s.start : s.end] for s in extraction.spans).upper()
        words = len(text.split())
        return Rendered(text.encode(), "text/x-shout", extraction.extractor, words_kept=words,
                        words_total=words)
'''
_POINTS = """[winnow.filters]
short-lines = stranger:ShortLines
[winnow.renderers]
shout = stranger:Shout
"""


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "site" / "stranger-2.1.dist-info").mkdir(parents=True)
    (tmp_path / "site" / "stranger.py").write_text(_CODE)
    about = tmp_path / "site" / "stranger-2.1.dist-info"
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 2.1\n")
    (about / "entry_points.txt").write_text(_POINTS)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    installed_formats.cache_clear()
    yield
    installed_formats.cache_clear()
    Format._value2member_map_.pop("shout", None)
