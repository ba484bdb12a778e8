"""``winnow evaluate --family mss``: every method, every package, the paper beside them."""

import json
from pathlib import Path

import pytest

from tests.extractors.mss.pages import news
from winnow.cli import main
from winnow.evaluation.gold.packages import load
from winnow.evaluation.mss import family
from winnow.evaluation.mss.family import JOURNAL, FamilyPlan, scored
from winnow.evaluation.mss.page_scores import METHODS, SITE, Sat, Sitting, lose, sit

SITES, PAGES = ("north", "beta"), 6
"""As many pages of a site as it takes for mss-site to learn from them; each site a fold."""
LEARNED = "wcxb-dev"
"""A package that the shipped model was trained on: other models score it."""


def made(path: Path, name: str, pages: int) -> Path:
    path.mkdir()
    (path / "package.json").write_text(json.dumps({"name": name}))
    for seed in range(pages):
        site = SITES[seed % len(SITES)]
        html = news(seed, site)
        start, end = html.index("Story", html.index("Headline")), html.index("ended.") + 6
        (path / f"{seed:02}.html").write_text(html)
        (path / f"{seed:02}.txt").write_text(
            html[start:end].replace("<p>", "\n").replace("</p>", "")
        )
        (path / f"{seed:02}.json").write_text(json.dumps({"site": site}))
    return path


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    root = tmp_path_factory.mktemp("packages")
    return [made(root / LEARNED, LEARNED, len(SITES) * PAGES), made(root / "few", "few", 2)]


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> list[Sitting]:
    """The pages are scored in this process; what was asked for is noted."""
    asked: list[Sitting] = []

    def spread(wanted: list[Sitting], *_: object) -> list[Sat]:
        asked.extend(wanted)
        return [sit(sitting) for sitting in wanted]

    monkeypatch.setattr(family, "spread", spread)
    return asked


def test_the_table_of_all_methods_and_packages_beside_the_paper(
    folders: list[Path], alone: list[Sitting], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["evaluate", "--family", "mss", *map(str, folders), "--out", str(tmp_path)]
    assert main(arguments) == 0
    told = capsys.readouterr().out
    table, notes = told.split("\n\n")
    lines = table.splitlines()
    for method in METHODS:
        of = [line[len(method) :].split() for line in lines if line.startswith(f"{method}  ")]
        assert [line[0] for line in of[:2]] == [LEARNED, "few"]
    assert "mss-site" in table
    assert any(line.split()[:5] == ["mss", "the", "paper,", "overall", "450"] for line in lines)
    assert "few: best is short" in notes
    assert "mss-site does not apply" in notes
    assert (tmp_path / "family.txt").read_text() == told


def test_pages_that_the_shipped_model_learned_are_scored_by_others(
    folders: list[Path], alone: list[Sitting]
) -> None:
    scored(FamilyPlan([load(folder) for folder in folders]))
    models = {(sitting.folder.name, bool(sitting.model)) for sitting in alone}
    assert models == {(LEARNED, True), ("few", False)}
    assert {sitting.site for sitting in alone} == {" north", " beta", ""}


def test_an_interrupted_run_goes_on(
    folders: list[Path], alone: list[Sitting], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = FamilyPlan([load(folders[1])], folder=tmp_path)

    def interrupted(wanted: list[Sitting], *_: object) -> list[Sat]:
        raise KeyboardInterrupt

    whole = scored(plan)
    with monkeypatch.context() as patch:
        patch.setattr(family, "spread", interrupted)
        with pytest.raises(KeyboardInterrupt):
            scored(plan)
    first = json.dumps({"key": whole[0].sat.key, "values": whole[0].sat.values, "error": ""})
    (tmp_path / JOURNAL).write_text(f'{first}\n{{"key": "cut sh')
    alone.clear()
    assert scored(plan) == whole
    assert [sitting.page for sitting in alone] == ["01"]
    assert not (tmp_path / JOURNAL).exists()


def test_a_sample_says_so(
    folders: list[Path], alone: list[Sitting], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", "--family", "mss", str(folders[1]), "--every", "2"]) == 0
    assert "one article in 2" in capsys.readouterr().out
    assert len(alone) == 1


def test_a_page_over_which_a_process_is_lost_is_reported(
    folders: list[Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def lost(wanted: list[Sitting], *_: object) -> list[Sat]:
        return [lose(sitting, "it died") for sitting in wanted]

    monkeypatch.setattr(family, "spread", lost)
    assert main(["evaluate", "--family", "mss", str(folders[1])]) == 0
    assert "2 pages could not be scored (it died)" in capsys.readouterr().out


def test_packages_that_are_not_here_are_named(
    folders: list[Path],
    alone: list[Sitting],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("WINNOW_PACKAGES", str(folders[0].parent))
    assert main(["evaluate", "--family", "mss", "--every", "6"]) == 0
    assert "canola: not measured, the package is not installed." in capsys.readouterr().out


def test_no_package_at_all_is_wrong_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WINNOW_PACKAGES", str(tmp_path))
    assert main(["evaluate", "--family", "mss"]) == 2
    assert main(["evaluate"]) == 2
    assert "PACKAGE" in capsys.readouterr().err


def test_mss_site_learns_from_the_other_pages_of_the_site(folders: list[Path]) -> None:
    values = sit(Sitting(folders[0], "00", "", " north", "key")).values
    assert set(values) == set(METHODS)
    assert SITE not in sit(Sitting(folders[0], "00", "", "", "key")).values
