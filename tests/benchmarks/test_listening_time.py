"""How long one listens before the content begins, before and after."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import listening_time
from benchmarks.listening_time import ListeningTime, listened, rendered, seconds_to_content
from winnow.document.document import Document
from winnow.document.render.renderers import renderer_for
from winnow.document.values import BAR_MARK, Page, Profile, Recipe
from winnow.evaluation.packages import PackageEntry
from winnow.extractors.registry import make

MENU = "<nav>" + "<a href=/x>Menu entry</a> " * 90 + "</nav>"
TEXT = "The river rose overnight and by morning the market stood in water. " * 6
PAGE = f"<html lang=en><title>The flood</title>{MENU}<article><h1>The flood</h1><p>{TEXT}</p>"
ENTRY = PackageEntry("flood", PAGE.encode(), TEXT, {"url": "https://example.org/flood"})


def test_180_words_are_a_minute() -> None:
    page = Page(f"<p>{'word ' * 180}</p><p>{TEXT}</p><p>word</p>".encode())
    assert seconds_to_content(page, TEXT) == 60
    assert seconds_to_content(Page(b"<p>something else</p>"), TEXT) is None


def test_folded_content_is_not_read_aloud() -> None:
    folded = f"<summary>More</summary>{'word ' * 90}<details open>word</details>"
    text = f"<p>Some words</p>{{}}<p>{TEXT}</p>"
    closed, opened = (
        Page(text.format(f"<{tag}>{folded}</details>").encode())
        for tag in ("details", "details open")
    )
    assert seconds_to_content(closed, TEXT) == 1
    assert seconds_to_content(opened, TEXT) == pytest.approx(94 / 3)


def test_the_reader_page_comes_to_the_point() -> None:
    (found,) = listened([ENTRY], rendered("bte", Profile.VOICE))
    assert found.before == pytest.approx((180 + 2) / 3)
    assert found.after is not None
    assert found.after < 6
    assert found.fall > 0.9


def test_the_author_keeps_a_reader_waiting_but_no_listener() -> None:
    marks = "<meta property=og:type content=article><meta name=author content='Ann Miller'>"
    page = PAGE.replace("<title>", f"{marks}<title>").replace(TEXT, TEXT * 2)
    entry = PackageEntry("flood", page.encode(), TEXT, ENTRY.meta)
    seen, told = (
        rendered("bte", profile)(entry).body.decode() for profile in (Profile.READER, Profile.VOICE)
    )
    assert seen.index("Ann Miller") < seen.index("market stood")
    assert told.index("market stood") < told.index("Ann Miller")


def test_the_bar_stands_behind_the_spoken_text() -> None:
    document = Document.from_html(PAGE)
    recipe = Recipe(profile=Profile.VOICE)
    body = renderer_for(recipe).render(document, make("bte").extract(document)).body
    before, mark, behind = body.partition(BAR_MARK)
    assert mark
    assert BAR_MARK not in behind
    assert b"</main>" in before
    assert b"<footer" in behind


@pytest.mark.parametrize(
    ("one", "fall"),
    [
        (ListeningTime(60, 6), 0.9),
        (ListeningTime(60, None), 0),
        (ListeningTime(0, 0), 0),
        (ListeningTime(6, 60), 0),
    ],
)
def test_what_is_gone_or_slower_is_no_fall(one: ListeningTime, fall: float) -> None:
    assert one.fall == pytest.approx(fall)


def test_the_command_prints_medians_and_fails_below_the_least(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "package.json").write_text(json.dumps({"name": "floods"}))
    (tmp_path / "flood.html").write_text(PAGE)
    (tmp_path / "flood.txt").write_text(TEXT)
    (tmp_path / "flood.json").write_text("{}")
    wanted = [str(tmp_path), "--extractor", "bte"]
    assert listening_time.main([*wanted, "--least", "0.8"]) == 0
    assert "60.7 as they came" in capsys.readouterr().out
    assert listening_time.main([*wanted, "--least", "0.999"]) == 1
