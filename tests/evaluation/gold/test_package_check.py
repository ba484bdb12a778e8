"""Checking a package before it is trusted."""

from pathlib import Path

from winnow.evaluation.gold.package_check import Finding, check, covered
from winnow.evaluation.gold.packages import load


def found(folder: Path) -> list[Finding]:
    return [each for each in check(load(folder)) if each.where != "package.json"]


def test_the_description_should_say_where_pages_come_from(package_folder: Path) -> None:
    said = [each.what for each in check(load(package_folder)) if each.where == "package.json"]
    assert said == ["says no language", "says no licence", "says no source"]


def test_empty_pages_and_gold_are_reported(package_folder: Path) -> None:
    assert [(each.where, each.what.partition(":")[0]) for each in found(package_folder)] == [
        ("blank", "is empty"),
        ("blank", "has empty gold"),
    ]


def test_a_page_that_cannot_be_measured_is_grave(package_folder: Path) -> None:
    (package_folder / "shop.txt").write_bytes(b"\xff")
    (package_folder / "lost.txt").write_text("no page")
    grave = [each.where for each in found(package_folder) if each.grave]
    assert grave == ["lost.txt", "shop"]


def test_gold_that_its_page_does_not_hold_is_doubted(package_folder: Path) -> None:
    (package_folder / "shop.txt").write_text("Blue shoes for sale in every size")
    (package_folder / "shop.json").unlink()
    assert [each.what for each in found(package_folder) if each.where == "shop"] == [
        "has no notes: url, language and page type are unknown",
        "holds only 29% of its gold's words",
    ]


def test_words_are_covered_as_often_as_they_occur() -> None:
    assert covered(b"<p>one two", "one one two two") == 0.5
    assert covered(b"", "") == 1
