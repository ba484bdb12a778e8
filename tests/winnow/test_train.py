"""``winnow train``: from packages to a model that an extractor can use."""

import json
from pathlib import Path

import pytest

from tests.extractors.mss.pages import news, text_of
from winnow.cli import main
from winnow.extractors.registry import make


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "made"
    folder.mkdir()
    (folder / "package.json").write_text(json.dumps({"name": "made", "licence": "CC0"}))
    for seed in range(8):
        site = f"site{seed % 2}"
        write(folder, f"page{seed}", news(seed, site), {"site": site})
    write(folder, "product", "<p>Buy this</p>", {"site": "shop", "page_type": "product"})
    write(folder, "strange", "<p>Other words</p>", {"site": "site0"})
    return folder


def write(folder: Path, name: str, html: str, notes: dict[str, str]) -> None:
    start = html.find("Story", html.find("Headline"))
    gold = html[start : html.find("ended.") + 6].replace("<p>", "\n").replace("</p>", "")
    (folder / f"{name}.html").write_text(html)
    (folder / f"{name}.txt").write_text(gold if "ended." in html else "nothing of this is there")
    (folder / f"{name}.json").write_text(json.dumps(notes))


def test_a_model_is_learned_from_articles(
    package: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "mss", str(package), "--out", str(tmp_path / "m")]) == 0
    assert "Learned from 8 pages, dropped 1" in capsys.readouterr().out
    manifest = json.loads((tmp_path / "m" / "model.json").read_text())
    assert [(p["name"], p["pages"], p["licence"]) for p in manifest["packages"]] == [
        ("made", 8, "CC0")
    ]
    assert "Story 50 begins" in text_of(make(f"mss:model={tmp_path / 'm'}"), news(50, "other"))


def test_training_twice_gives_the_same_model(package: Path, tmp_path: Path) -> None:
    for name in "ab":
        assert main(["train", "mss", str(package), "--out", str(tmp_path / name)]) == 0
    first, second = ((tmp_path / name / "model.json").read_bytes() for name in "ab")
    assert first == second


def test_an_update_adds_to_what_was_learned(package: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "m")
    assert main(["train", "mss", str(package), "--out", out]) == 0
    assert main(["train", "mss", str(package), "--out", out, "--update"]) == 0
    manifest = json.loads((tmp_path / "m" / "model.json").read_text())
    assert (manifest["pages"], len(manifest["packages"])) == (16, 2)


def test_an_update_without_counts_is_told(
    package: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "mss", str(package), "--out", str(tmp_path / "no"), "--update"]) != 0
    assert "without --update" in capsys.readouterr().err


def test_an_unknown_extractor_or_package_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["train", "nothing", str(tmp_path), "--out", str(tmp_path)])
    assert refused.value.code == 2
    assert main(["train", "mss", str(tmp_path / "none"), "--out", str(tmp_path)]) == 2
