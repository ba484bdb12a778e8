"""``winnow evaluate`` as a person uses it."""

import asyncio
import json
import re
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from tests.evaluation.subjects.test_proxy_subject import Made, fetched, proxy
from tests.unhurried import UNHURRIED
from winnow.cli import main
from winnow.compose.running import running
from winnow.config.settings import Settings
from winnow.evaluation.commands.evaluate import versions
from winnow.evaluation.reporting.atlas import IMAGES
from winnow.extractors.registry import names


def evaluated(*words: str) -> int:
    return main(["evaluate", *words])


@pytest.fixture
def package(tmp_path: Path) -> str:
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "package.json").write_text('{"name": "small"}')
    (folder / "story.html").write_text("<nav>Home</nav><p>The dog barked.</p>")
    (folder / "story.txt").write_text("The dog barked.")
    (folder / "story.json").write_text('{"page_type": "article"}')
    return str(folder)


def test_a_line_for_each_extractor(package: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluated(package, "--extractor", "plain", "--extractor", "bte") == 0
    heading, plain, bte = capsys.readouterr().out.splitlines()
    assert heading.split()[:3] == ["package", "type", "subject"]
    assert plain.split()[:5] == ["small", "all", "plain", "1", "0.857"]
    assert bte.split()[2] == "bte"


def test_a_line_for_each_page_type(package: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluated(package, "--extractor", "plain", "--types") == 0
    assert [line.split()[1] for line in capsys.readouterr().out.splitlines()[1:]] == [
        "all",
        "article",
    ]


def test_rows_and_summary_are_written(package: str, tmp_path: Path) -> None:
    assert evaluated(package, "--extractor", "plain", "--out", str(tmp_path / "out")) == 0
    rows = (tmp_path / "out" / "rows.tsv").read_text().splitlines()
    assert rows[1].split("\t")[:4] == ["small", "story", "article", "plain"]
    (summary,) = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert (summary["subject"], summary["errors"]) == ("plain", 0)


def test_hidden_text_counts_on_the_bare_stream(
    package: str, capsys: pytest.CaptureFixture[str]
) -> None:
    story = Path(package) / "story.html"
    story.write_text("<p>The dog barked.</p><p hidden>All night and all the day.</p>")
    found = []
    for words in ([], ["--bare"]):
        assert evaluated(package, "--extractor", "bte", *words) == 0
        found.append(capsys.readouterr().out.splitlines()[1].split()[4])
    assert found == ["1.000", "0.500"]


def test_a_proxy_is_measured_with_each_of_its_parameters_and_drawn(
    package: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def cut(request: BaseHTTPRequestHandler) -> Made:
        body = fetched(request.path)
        body = body.replace(b"Home", b"") if request.headers["X-Cut"] == "yes" else body
        return 200, "text/html", body

    grid = ["--vary", "X-Cut: yes | no", "--vary", "X-Level: 1 | 2"]
    with proxy(cut) as address:
        out = tmp_path / "out"
        flags = ["--through", address, *grid, "--measure", "all", "--figures", str(out)]
        assert evaluated(package, *flags) == 0
    lines = capsys.readouterr().out.splitlines()[1:]
    subjects = [f"{address} {cut} {level}" for cut in ("yes", "no") for level in "12"]
    assert [name in line for name, line in zip(subjects, lines, strict=True)] == [True] * 4
    assert ["0.857" in line for line in lines] == [False, False, True, True]
    assert all(subjects[-1] in (out / name).read_text() for name in IMAGES)


async def test_our_own_proxy_is_measured_without_a_question_about_private_addresses(
    package: str, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = Settings()
    settings = replace(plain, server=replace(plain.server, port=0), extraction=UNHURRIED)
    async with running(settings) as ours:
        address = f"http://127.0.0.1:{ours.port}"
        flags = ["--through", address, "--vary", "Winnow-Extractor: plain"]
        assert await asyncio.to_thread(evaluated, package, *flags) == 0
    out, said = capsys.readouterr()
    assert "failed" not in said
    assert f"{address} plain" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere"], "There is no package"),
        (["{package}", "--extractor", "nonsense"], "There is no extractor 'nonsense'"),
        (["{package}", "--peer", "nonsense"], "There is no peer nonsense: the peers are traf"),
        (["{package}", "--through", "localhost:80"], "no address of a proxy: write http://host"),
        (["{package}", "--through", "http://h:port"], "no address of a proxy: write http://host"),
        (["{package}", "--screens", "1", "--through", "h:80"], "no address of a proxy"),
        (["{package}", "--command", "no-such-program"], "There is no program 'no-such-program'"),
        (["{package}", "--command", "'unclosed"], "cannot be read: No closing quotation"),
        (["{package}", "--bare", "--peer", "justext"], "--bare measures extractors"),
        (["{package}", "--bare", "--extractor", "winnow"], "--bare measures extractors"),
        (["{package}", "--bare", "--measure", "steps"], "--bare measures extractors"),
        (["{package}", "--command", ""], "There is no program ''"),
    ],
)
def test_wrong_use_is_told_in_one_sentence(
    package: str, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluated(*(word.format(package=package) for word in words)) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_a_broken_package_is_told_in_one_sentence(
    package: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (Path(package) / "story.txt").unlink()
    assert evaluated(package, "--extractor", "plain") == 1
    assert "story.txt is missing" in capsys.readouterr().err


def test_a_sound_package_is_checked(package: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluated(package, "--check") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "small: 1 pages, 3 findings"


def test_a_package_that_cannot_be_measured_fails_its_check(
    package: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (Path(package) / "story.txt").unlink()
    assert evaluated(package, "--check") == 1
    assert "story.txt is missing" in capsys.readouterr().out


def test_published_gold_is_converted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in (("orig/1.html", "<p>The dog"), ("clean/1.txt", "<p>The dog")):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    out = str(tmp_path / "made")
    assert evaluated(str(tmp_path), "--convert", "cleaneval", "--out", out) == 0
    assert evaluated(out, "--extractor", "plain") == 0
    assert capsys.readouterr().out.splitlines()[-1].split()[4] == "1.000"


def test_conversion_needs_somewhere_to_go(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluated(str(tmp_path), "--convert", "wcxb") == 2
    assert "--out" in capsys.readouterr().err


def test_all_packages_and_extractors_become_figures(
    package: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("WINNOW_PACKAGES", str(Path(package).parent))
    drawn, kept = tmp_path / "figures", tmp_path / "cache" / "answers.jsonl"
    told = ["--extractor", "all", "--limit", "1", "--figures", str(drawn), "--keep", str(kept)]
    assert evaluated("all", *told) == 0
    subjects = [line.split()[2] for line in capsys.readouterr().out.splitlines()[1:]]
    assert subjects == names()
    assert {path.name for path in drawn.iterdir()} == {*IMAGES, "README.md"}
    assert len(kept.read_text().splitlines()) == len(subjects)


def test_annotators_are_compared(package: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluated("--agreement", package, package) == 0
    assert "Cohen's kappa 1.000 by words, 1.000 by blocks" in capsys.readouterr().out
    assert evaluated("--agreement", package) == 2
    assert "two packages" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--limit", "--every", "--workers", "--views", "--screens"])
@pytest.mark.parametrize("given", ["0", "-1", "many"])
def test_a_number_is_one_from_1_on(
    package: str, option: str, given: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        evaluated(package, option, given)
    assert left.value.code == 2
    assert f"argument {option}: '{given}' is no whole number above 0" in capsys.readouterr().err


def test_why_a_subject_failed_is_told(package: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluated(package, "--command", "false", "--workers", "1") == 0
    said = capsys.readouterr().err
    assert "winnow: false failed on 1 of 1 pages, first on small story: " in said
    assert "exit code 1" in said


@pytest.mark.parametrize("option", ["--out", "--figures", "--keep"])
def test_where_nothing_can_be_written_one_sentence_says_so(
    package: str, option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    place = tmp_path / "file" if option != "--keep" else tmp_path / "file" / "notes.jsonl"
    assert evaluated(package, "--extractor", "plain", option, str(place)) == 1
    assert "name another folder or file to write to" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("truth", "said"),
    [
        (None, "No such file or directory. Name the folder of article-extraction-benchmark"),
        ("{bad", "source: Expecting property name"),
        ('{"a": 1}', "html/a.html"),
    ],
)
def test_gold_that_is_not_as_published_is_told_and_leaves_nothing(
    tmp_path: Path, truth: str | None, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source, made = tmp_path / "source", tmp_path / "made"
    source.mkdir()
    if truth is not None:
        (source / "ground-truth.json").write_text(truth)
    kind = "article-extraction-benchmark"
    assert evaluated("--convert", kind, str(source), "--out", str(made)) == 1
    assert said in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


def test_who_learned_from_the_package_is_told_beside_the_figures(
    package: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (Path(package) / "package.json").write_text('{"name": "wcxb-dev"}')
    out = tmp_path / "out"
    assert evaluated(package, "--extractor", "auto", "--out", str(out)) == 0
    said = "auto learned from wcxb-dev: its figures there flatter it"
    assert said in capsys.readouterr().err
    assert said in (out / "report.html").read_text()


def test_fidelity_is_a_table_for_each_package(
    package: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(package)
    dog = "The dog barked at the moon all night long, and nobody in the village slept."
    cat = "A cat ran off into the woods, but it came back for its milk in the morning."
    page = f"<title>The dog</title><p>{dog}</p><h2>Cats</h2><p>{cat}</p>"
    (folder / "story.html").write_text(page)
    (folder / "story.txt").write_text(f"{dog} Cats {cat}")
    assert evaluated(package, "--measure", "fidelity", "--types") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["package", "what", "auto", "gold"]
    assert lines[1].split()[:5] == ["small", "heading", "1", "of", "1"]
    assert any(line.startswith("small article  heading") for line in lines)


def test_fidelity_counts_the_facts_that_notes_hold(
    package: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(package)
    (folder / "story.json").write_text('{"title": "Cats", "author": "Jane Doe"}')
    (folder / "story.html").write_text("<h1>Cats</h1><p>By Jane Roe</p><p>A cat ran off.</p>")
    assert evaluated(package, "--measure", "fidelity", "--extractor", "plain") == 0
    lines = [line.split()[1:] for line in capsys.readouterr().out.splitlines()]
    assert ["title", "exact", "1.000"] in lines
    assert ["byline", "wrong", "1.000"] in lines


def test_fidelity_needs_no_gold(package: str, capsys: pytest.CaptureFixture[str]) -> None:
    (Path(package) / "story.txt").unlink()
    assert evaluated(package, "--measure", "fidelity", "--extractor", "plain") == 0
    assert capsys.readouterr().out.split() == ["package", "what", "plain"]


def test_the_versions_of_measured_peers_are_printed() -> None:
    assert versions([]) == ""
    assert re.fullmatch(r"trafilatura: trafilatura==[0-9.]+, .+\n", versions(["trafilatura"]))
