"""Crunch's experiments: every setting over the same pages, blanks counted, charts drawn."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
from lxml import etree

from benchmarks.crunch import levels, thresholds, windows
from benchmarks.crunch.advertisements import made_up
from benchmarks.crunch.genres import Site, classified, save, trained
from benchmarks.crunch.setting_scores import Means, measured
from winnow.evaluation.packages import Package, load
from winnow.evaluation.words import words
from winnow.extractors.crunch.ad_list_parser import parse
from winnow.extractors.crunch.relax_levels import LEVELS
from winnow.extractors.crunch.site_genre import words_of

STORY = "The ferry leaves at nine and comes back before the tide turns. " * 5


def package(folder: Path) -> Package:
    """A story beside its menu, and a page that is nothing but links."""
    pages = {
        "story": (f"<nav><a href=/1>News</a> <a href=/2>Sport</a></nav><p>{STORY}", STORY),
        "links": ("<a href=/1>one link</a> <a href=/2>two links</a>", "one link two links"),
    }
    (folder / "package.json").write_text('{"name": "made-up"}', "utf-8")
    for name, (html, gold) in pages.items():
        (folder / f"{name}.html").write_text(html, "utf-8")
        (folder / f"{name}.txt").write_text(gold, "utf-8")
        (folder / f"{name}.json").write_text('{"url": "http://a.example/"}', "utf-8")
    return load(folder)


def test_a_blank_page_counts_where_there_is_text(tmp_path: Path) -> None:
    found = measured([package(tmp_path)], ["crunch:level=2,check=false", "crunch:2"])
    plain, checked = found.values()
    assert (plain.blank, checked.blank) == (1, 0)
    assert checked.f1 == 1.0
    assert plain.f1 == 0.5
    assert plain.words == len(words(STORY)) / 2


def test_levels_are_tabled_and_drawn(tmp_path: Path) -> None:
    by_level, peers = levels.found([package(tmp_path)])
    table = levels.table(by_level, peers)
    assert table.count("\n12 ") == 3
    assert levels.falls(by_level) == []
    assert len(etree.fromstring(levels.chart(by_level).encode()).findall("{*}polyline")) == 4


def test_a_fall_of_words_is_reported() -> None:
    counts = [5.0, 5, 5, 6, 5, 7, 7, 7, 7, 7, 7, 7]
    means = [Means(1, 1.0, count, 0) for count in counts]
    assert len(means) == len(LEVELS)
    assert levels.falls({"exact": means}) == [5]


def test_thresholds_and_windows_are_tabled(tmp_path: Path) -> None:
    packages = [package(tmp_path)]
    assert "1 of 2 pages blank" in thresholds.report(packages, 2)
    curves, others = windows.found(packages)
    assert "dsc:window=30" in windows.table(curves, others)
    assert etree.fromstring(windows.chart(curves).encode()).findall("{*}polyline")


def test_a_made_up_list_is_a_good_list_and_always_the_same() -> None:
    assert made_up(300) == made_up(300)
    rules = parse(made_up(300))
    assert rules.bad == ()
    assert rules.used == 300


def test_key_words_tell_a_genre_from_the_others(tmp_path: Path) -> None:
    shops = [site("shopping", "cart cart cart cart cart cart the") for _ in range(3)]
    papers = [site("news", "said said said said said said the") for _ in range(3)]
    cacheable_pages, tested = classified([*shops, *papers])
    assert [each.genre for each in tested] == ["shopping", "news"]
    sites = trained(cacheable_pages)
    assert sites.words == ("cart", "said")
    assert sites.genre("she said the cart said") == "news"
    save(sites, tmp_path)
    assert set(np.load(tmp_path / "sites.npz")) == {"words", "genres", "counts"}


def site(genre: str, text: str) -> Site:
    return Site(genre, Counter(words_of(text)))
