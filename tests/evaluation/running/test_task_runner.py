"""Tasks carried out by processes, and gone on with after an interruption."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from winnow.evaluation.errors import SubjectError
from winnow.evaluation.gold.packages import load
from winnow.evaluation.running import task_runner
from winnow.evaluation.running.answer_journal import AnswerFiles, digest_of
from winnow.evaluation.running.task_runner import Done, lost_row, perform, run_tasks, sample, tasks
from winnow.evaluation.subjects.subject_specs import Spec, SubjectKind

PLAIN, BTE = Spec(SubjectKind.EXTRACTOR, "plain"), Spec(SubjectKind.EXTRACTOR, "bte")


def test_there_is_a_task_for_each_page_and_subject(package_folder: Path) -> None:
    found = tasks([load(package_folder)], [PLAIN, BTE], ())
    assert [(task.spec.name, task.page) for task in found[:4]] == [
        ("plain", "blank"),
        ("plain", "shop"),
        ("plain", "story"),
        ("bte", "blank"),
    ]
    assert len({task.key for task in found}) == 6


def test_a_wrong_name_is_reported_before_any_page(package_folder: Path) -> None:
    with pytest.raises(SubjectError, match="There is no peer"):
        tasks([load(package_folder)], [Spec(SubjectKind.PEER, "nobody")], ())


def test_rows_come_in_the_order_of_tasks(package_folder: Path) -> None:
    wanted = tasks([load(package_folder)], [PLAIN], ("set",), every=2)
    rows = run_tasks(wanted, workers=2)
    assert [row.page for row in rows] == ["blank", "story"]
    assert rows[1].values["set.recall"] == 1
    assert "moon" in rows[1].text


def test_an_interrupted_run_is_gone_on_with(package_folder: Path, tmp_path: Path) -> None:
    wanted = tasks([load(package_folder)], [PLAIN], ())
    journal = tmp_path / "journal"

    def interrupted(done: Iterator[Done], _total: int) -> Iterable[Done]:
        yield next(done)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_tasks(wanted, 1, AnswerFiles(journal), interrupted)
    with journal.open("a") as out:
        out.write('["cut sho')
    left: list[int] = []

    def counted(done: Iterator[Done], total: int) -> Iterable[Done]:
        left.append(total)
        return done

    rows = run_tasks(wanted, 1, AnswerFiles(journal), counted)
    assert left == [2]
    assert [row.page for row in rows] == ["blank", "shop", "story"]
    assert not journal.exists()


def test_a_sample_is_evenly_spaced() -> None:
    pages = [str(number) for number in range(10)]
    assert sample(pages, 1, 4) == ["0", "2", "5", "7"]
    assert sample(pages, 5, 4) == ["0", "5"]
    assert sample(pages, 1, 10) == pages


def test_stored_answers_are_not_requested_again_but_scored_again(
    package_folder: Path, tmp_path: Path
) -> None:
    cache, packages = tmp_path / "kept", [load(package_folder)]
    notes = AnswerFiles(tmp_path / "journal", cache)
    (row, *_) = run_tasks(tasks(packages, [BTE], (), limit=1), 1, notes)
    later = tasks(packages, [BTE], ("set",), limit=1)
    cache.write_text(cache.read_text().replace('"seconds": ', '"seconds": 100'))
    (scored,) = run_tasks(later, 1, notes)
    assert scored.seconds >= 100 > row.seconds
    assert {"set.f1", "word.f1"} <= scored.values.keys()
    assert run_tasks(later, 1, notes) == [scored]
    (package_folder / f"{row.page}.html").write_text("<p>Another page altogether.")
    (anew,) = run_tasks(tasks(packages, [BTE], (), limit=1), 1, notes)
    assert anew.seconds < 100


def test_failed_pages_are_measured_again(package_folder: Path, tmp_path: Path) -> None:
    cache = tmp_path / "kept"
    notes = AnswerFiles(None, cache)
    wanted = tasks([load(package_folder)], [BTE], (), limit=1)
    run_tasks(wanted, 1, notes)
    cache.write_text(cache.read_text().replace('"error": ""', '"error": "was late"'))
    assert [row.error for row in run_tasks(wanted, 1, notes)] == [""]


def test_answers_from_outside_are_noted_until_the_run_is_done(
    package_folder: Path, tmp_path: Path
) -> None:
    notes = AnswerFiles(tmp_path / "journal", tmp_path / "kept")
    spec = Spec(SubjectKind.COMMAND, "cat")
    run_tasks(tasks([load(package_folder)], [spec], ()), 1, notes)
    assert list(tmp_path.glob("kept")) == list(tmp_path.glob("journal")) == []


def test_a_lost_page_is_a_row(package_folder: Path) -> None:
    (_, _, story) = tasks([load(package_folder)], [PLAIN], ())
    key, row = lost_row(story, "the process died over this page")
    assert (key, row.error) == (story.key, "the process died over this page")
    assert row.values["word.f1"] == 0
    assert perform(story)[1].values["word.recall"] == 1


@pytest.mark.parametrize("kind", [SubjectKind.EXTRACTOR, SubjectKind.ARTICLE])
def test_an_answer_of_ours_is_of_the_code_that_made_it(
    kind: SubjectKind, package_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = Spec(kind, "plain" if kind is SubjectKind.EXTRACTOR else "winnow")
    before = {task.key for task in tasks([load(package_folder)], [spec], ())}
    monkeypatch.setattr(task_runner, "digest_of", lambda *names: f"changed {names}")
    after = {task.key for task in tasks([load(package_folder)], [spec], ())}
    assert not before & after


def test_code_is_known_by_what_it_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "counted_code").mkdir()
    for name in ("__init__.py", "step.py"):
        (tmp_path / "counted_code" / name).write_text(f"NAME = {name!r}")
    before = digest_of("counted_code")
    digest_of.cache_clear()
    assert digest_of("counted_code") == before
    (tmp_path / "counted_code" / "step.py").write_text("STEP = 2")
    digest_of.cache_clear()
    assert digest_of("counted_code") != before
    assert digest_of("counted_code.step") != digest_of("counted_code")
    with pytest.raises(ImportError, match="no module"):
        digest_of("counted_code.missing")
