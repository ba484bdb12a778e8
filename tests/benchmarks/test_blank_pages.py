"""The sweep for blank pages: its ways, and what it counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import blank_pages
from winnow.document.values import BAR_MARK, Page, Recipe, Rendered, Treatment
from winnow.extractors.registry import BUILT_IN

WORDS = "It rained on the hills all day long and the river rose by a hand every hour. " * 9


def test_every_method_level_and_profile_is_a_way_chosen_and_requested() -> None:
    ways = blank_pages.ways()

    assert {*BUILT_IN} - blank_pages.UNCHECKED <= {*ways}
    assert {f"level {number}" for number in range(1, 13)} <= {*ways}
    assert {"reader", "basic", "voice"} <= {*ways}
    assert all(ways[name].treatments and not ways[f"{name}, requested"].treatments
               for name in ("auto", "level 3", "voice"))  # fmt: skip
    assert all(way.live for way in ways.values())


@pytest.mark.parametrize(
    ("body", "kept", "treatment", "expected"),
    [
        ("<p>" + WORDS, 144, Treatment.EXTRACT, "sent"),
        ("<p>" + WORDS, 0, Treatment.EXTRACT, "blank"),
        ("<p>It rained.", 144, Treatment.EXTRACT, "blank"),
        ("<p hidden>" + WORDS, 144, Treatment.TIDY, "blank"),
        ("", 0, Treatment.ORIGINAL, "original"),
    ],
)
def test_what_is_blank_is_counted_in_what_is_sent(
    body: str, kept: int, treatment: Treatment, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered = Rendered(
        BAR_MARK + body.encode(), "text/html", "x", words_kept=kept, words_total=200,
        treatment=treatment,
    )  # fmt: skip
    monkeypatch.setattr(blank_pages, "transform", lambda page, recipe: rendered)

    assert blank_pages.outcome(Page(b""), Recipe()) == expected


def test_a_package_is_swept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "package.json").write_text(json.dumps({"name": "own"}))
    (tmp_path / "one.html").write_text(f"<h1>Rain</h1><article><p>{WORDS}</article>")

    assert blank_pages.main([str(tmp_path), "--only", "default", "--only", "level 9"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[-5:] for line in lines[1:]] == [["1", "1", "0", "0", "0"]] * 2
