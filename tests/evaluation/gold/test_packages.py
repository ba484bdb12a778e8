"""Reading test packages from disk, and what is said when they are wrong."""

from pathlib import Path

import pytest

from winnow.evaluation.errors import PackageError
from winnow.evaluation.gold.packages import find, found, found_with_gold, load


def test_a_package_has_its_entries_in_order(package_folder: Path) -> None:
    package = load(package_folder)
    assert (package.name, len(package)) == ("small", 3)
    assert [entry.id for entry in package] == ["blank", "shop", "story"]


def test_an_entry_has_bytes_gold_and_notes(package_folder: Path) -> None:
    entry = load(package_folder).entry("story")
    assert entry.body.startswith(b"<html>")
    assert entry.gold == "The dog barked at the moon."
    assert entry.page_type == "article"
    assert entry.url is None
    assert entry.snippets("with") == ("barked",)
    assert entry.snippets("without") == ()


def test_notes_may_be_missing(package_folder: Path) -> None:
    (package_folder / "story.json").unlink()
    assert load(package_folder).entry("story").meta == {}


def test_a_name_is_looked_up_below_the_packages_folder(package_folder: Path) -> None:
    environment = {"WINNOW_PACKAGES": str(package_folder.parent)}
    assert find("small", environment) == package_folder
    assert find(str(package_folder), {}) == package_folder


def test_all_leaves_out_packages_without_gold(package_folder: Path) -> None:
    environment = {"WINNOW_PACKAGES": str(package_folder.parent)}
    tasks = package_folder.parent / "tasks"
    tasks.mkdir()
    for name in ("package.json", "story.html"):
        (tasks / name).write_bytes((package_folder / name).read_bytes())
    assert found_with_gold(["all"], environment) == [package_folder]
    assert found(["all"], environment) == [package_folder, tasks]
    assert found_with_gold(["tasks"], environment) == [tasks]


def test_an_unknown_name_is_answered_with_the_known_ones(package_folder: Path) -> None:
    with pytest.raises(PackageError, match="it has small"):
        find("smal", {"WINNOW_PACKAGES": str(package_folder.parent)})


def test_without_a_packages_folder_the_variable_is_named() -> None:
    with pytest.raises(PackageError, match="set WINNOW_PACKAGES"):
        find("nowhere", {})


def test_a_folder_needs_a_description(package_folder: Path) -> None:
    (package_folder / "package.json").unlink()
    with pytest.raises(PackageError, match=r"package\.json is missing"):
        load(package_folder)


def test_a_folder_needs_pages(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text("{}")
    with pytest.raises(PackageError, match=r"holds no NAME\.html"):
        load(tmp_path)


def test_a_page_needs_gold(package_folder: Path) -> None:
    (package_folder / "story.txt").unlink()
    with pytest.raises(PackageError, match=r"story\.txt is missing"):
        load(package_folder).entry("story")


def test_gold_must_be_utf8(package_folder: Path) -> None:
    (package_folder / "story.txt").write_bytes(b"caf\xe9")
    with pytest.raises(PackageError, match="not UTF-8"):
        load(package_folder).entry("story")


@pytest.mark.parametrize(("notes", "said"), [("{", "is not JSON"), ("[]", "a JSON object")])
def test_notes_must_be_an_object(package_folder: Path, notes: str, said: str) -> None:
    (package_folder / "story.json").write_text(notes)
    with pytest.raises(PackageError, match=said):
        load(package_folder).entry("story")
