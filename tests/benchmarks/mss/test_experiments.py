"""The paper's experiments, each on a package made for this test."""

import json
from pathlib import Path

import pytest
from lxml import etree

from benchmarks.mss.__main__ import main
from benchmarks.mss.cleaneval_choice import cross_validated
from benchmarks.mss.site_agreement import GuardTrial, best_guard, chosen_guards, site_of
from tests.extractors.mss.pages import news
from winnow.evaluation.mss.folds import fold_of
from winnow.evaluation.packages import load
from winnow.extractors.mss.mss_extractors import MssCleanEval

SITES, PAGES = ("north", "south", "beta", "gamma"), 6
"""Two of them fall into each of two folds."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made")
    (path / "package.json").write_text(json.dumps({"name": "made"}))
    for seed in range(len(SITES) * PAGES):
        site = SITES[seed % len(SITES)]
        html = news(seed, site)
        start, end = html.index("Story", html.index("Headline")), html.index("ended.") + 6
        (path / f"{seed}.html").write_text(html)
        (path / f"{seed}.txt").write_text(html[start:end].replace("<p>", "\n").replace("</p>", ""))
        (path / f"{seed}.json").write_text(json.dumps({"site": site, "language": "en"}))
    return path


def lines_of(capsys: pytest.CaptureFixture[str], *arguments: object) -> list[list[str]]:
    assert main([str(argument) for argument in arguments]) == 0
    return [line.split() for line in capsys.readouterr().out.splitlines()]


def test_pages_of_a_site_are_in_one_fold(folder: Path) -> None:
    package = load(folder)
    folds = {(entry.meta["site"], fold_of(entry, 2)) for entry in package}
    assert len(folds) == len(SITES)
    assert {fold for _, fold in folds} == {0, 1}


def test_smaller_tables_are_held_against_the_full_one(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.mss.training_sizes.FULL", 18)
    monkeypatch.setattr("benchmarks.mss.training_sizes.SIZES", (18, 8))
    _, full, small = lines_of(capsys, "sizes", folder, "--folds", 2)
    assert full[0] == "2^18"
    assert full[3] == "0.00"
    assert float(small[1]) < float(full[1])


def test_the_curve_has_a_line_for_each_number_of_sources(
    folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    drawn = tmp_path / "curve.svg"
    options = ("--language", "en", "--subsets", 1, "--svg", drawn)
    heading, *lines = lines_of(capsys, "curve", folder, *options)
    assert len(etree.parse(drawn).findall(".//{*}polyline")) == 3
    assert heading[0] == "sources"
    assert [line[0] for line in lines] == ["1", "2", "3"]


def test_tag_scores_are_swept(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = lines_of(capsys, "tag-scores", folder)
    assert {"simple-mss:-4.99", "simple-mss:-2.14"} <= {line[1] for line in lines[1:]}


def test_sites_are_measured_with_and_without_their_other_pages(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = lines_of(capsys, "sites", folder)
    assert sum("mss-site" in line for line in lines) == 3 * (len(SITES) + 1)


def test_an_unknown_package_is_wrong_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sizes", str(tmp_path / "none")]) == 2
    assert "package" in capsys.readouterr().err


def test_a_guard_is_chosen_without_the_site_that_it_is_used_on() -> None:
    wary, bold = GuardTrial("made", "a", 0.5, 1.0, 0.0), GuardTrial("made", "b", 0.5, 0.0, 1.0)
    chosen = chosen_guards([wary, bold])
    assert wary.under(chosen["a"]) == 0.0  # b alone was heard, for which all is to be believed
    assert bold.under(chosen["b"]) == 0.0
    assert best_guard([]) == 0.0
    assert best_guard([wary]) > 0.5 >= best_guard([bold])


@pytest.mark.parametrize(("group", "site"), [("bbc-2009", "bbc"), ("en x.org", "en x.org")])
def test_the_years_of_a_site_are_one_site(group: str, site: str) -> None:
    assert site_of(group) == site


def test_the_agreement_experiment_prints_a_line_for_each_package(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    heading, made, every, _, chosen = lines_of(capsys, "agreement", folder)
    assert heading[:3] == ["group", "pages", "mss"]
    assert made[:2] == ["made", str(len(SITES) * PAGES)]
    assert made[1:] == every[1:]
    assert chosen[0] == "chosen:"


def test_the_number_of_unlabelled_pages_is_varied(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.mss.site_sizes.SIZES", (3, 5, 0))
    found = lines_of(capsys, "pages", folder, "--scored", 2)
    sizes = [line[1:3] for line in found if line[0] == "all"]
    assert [*map(" ".join, sizes[2:])] == [
        *("ours 3", "paper 3", "ours 5", "paper 5", "ours all", "paper all")
    ]


def test_cleanevals_variant_is_chosen_without_the_document(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = lines_of(capsys, "cleaneval", folder, "--folds", 2)
    assert found[0] == ["text-only", "24", "pages"]
    assert [line[1] for line in found[1:3]] == ["published", "shipped"]
    assert all(0 < float(line[-1]) <= 100 for line in found[1:])


def test_each_fold_is_scored_by_what_is_best_on_the_others() -> None:
    even, odd = MssCleanEval(bias=0.1), MssCleanEval(bias=0.2)
    found = {even: [1.0, 0.0, 1.0, 0.0], odd: [0.0, 1.0, 0.0, 1.0]}
    assert cross_validated(found, 2) == [0.0, 0.0, 0.0, 0.0]
    assert cross_validated({even: [0.5] * 4, odd: [0.9] * 4}, 2) == [0.9] * 4
