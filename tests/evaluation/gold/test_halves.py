"""Each site of a package is in one of two halves, always the same."""

from __future__ import annotations

import json
from pathlib import Path

from winnow.evaluation.gold.halves import Half, half_of, halved
from winnow.evaluation.gold.packages import PackageEntry, load


def page(name: str, **notes: object) -> PackageEntry:
    return PackageEntry(name, b"", "", notes)


def test_all_pages_of_a_site_are_in_one_half() -> None:
    hosts = ["www.example.org", "blog.example.org", "example.org"]
    halves = {half_of(page(str(at), url=f"https://{host}/")) for at, host in enumerate(hosts)}

    assert len(halves) == 1


def test_the_site_that_the_notes_name_counts_before_the_host() -> None:
    named = page("a", site="paper-3.example", url="https://archive.example/")

    assert half_of(named) is half_of(page("b", site="paper-3.example"))


def test_the_halves_are_apart_and_are_all(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text("{}")
    for at in range(40):
        (tmp_path / f"{at}.html").write_text("<p>A")
        (tmp_path / f"{at}.json").write_text(json.dumps({"url": f"https://site{at}.example/"}))
    package = load(tmp_path)

    read, scored = (halved(package, half).ids for half in (Half.READ, Half.SCORED))

    assert sorted((*read, *scored)) == sorted(package.ids)
    assert 10 < len(read) < 30
