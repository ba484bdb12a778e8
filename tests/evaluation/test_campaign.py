"""Tasks carried out by processes, and gone on with after an interruption."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from evaluation.campaign import Done, carried_out, lose, perform, tasks
from evaluation.errors import SubjectError
from evaluation.packages import load
from evaluation.specs import Kind, Spec

PLAIN, BTE = Spec(Kind.EXTRACTOR, "plain"), Spec(Kind.EXTRACTOR, "bte")


def test_there_is_a_task_for_each_page_and_subject(package_folder: Path) -> None:
    found = tasks([load(package_folder)], [PLAIN, BTE], ())
    assert [(task.spec.name, task.page) for task in found[:4]] == [
        ("plain", "blank"),
        ("plain", "shop"),
        ("plain", "story"),
        ("bte", "blank"),
    ]
    assert len({task.key for task in found}) == 6


def test_a_wrong_name_is_told_before_any_page(package_folder: Path) -> None:
    with pytest.raises(SubjectError, match="There is no peer"):
        tasks([load(package_folder)], [Spec(Kind.PEER, "nobody")], ())


def test_rows_come_in_the_order_of_tasks(package_folder: Path) -> None:
    wanted = tasks([load(package_folder)], [PLAIN], ("set",), every=2)
    rows = carried_out(wanted, workers=2)
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
        carried_out(wanted, 1, journal, interrupted)
    with journal.open("a") as out:
        out.write('["cut sho')
    left: list[int] = []

    def counted(done: Iterator[Done], total: int) -> Iterable[Done]:
        left.append(total)
        return done

    rows = carried_out(wanted, 1, journal, counted)
    assert left == [2]
    assert [row.page for row in rows] == ["blank", "shop", "story"]
    assert not journal.exists()


def test_a_lost_page_is_a_row(package_folder: Path) -> None:
    (_, _, story) = tasks([load(package_folder)], [PLAIN], ())
    key, row = lose(story, "the process died over this page")
    assert (key, row.error) == (story.key, "the process died over this page")
    assert row.values["word.f1"] == 0
    assert perform(story)[1].values["word.recall"] == 1
