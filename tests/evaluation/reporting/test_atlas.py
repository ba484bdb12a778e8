"""All packages and subjects as images and tables."""

from pathlib import Path
from xml.etree import ElementTree

from winnow.evaluation.reporting.atlas import IMAGES, write_atlas
from winnow.evaluation.running.runs import ResultRow

GROUPS = {"good": "ours", "bad": "theirs"}


def rows() -> list[ResultRow]:
    return [
        ResultRow(package, str(page), "", subject, values(f1 - page / 100), 10.0, 0.001, 0.0005)
        for package in ("news", "wiki")
        for subject, f1 in (("good", 0.9), ("bad", 0.5))
        for page in range(4)
    ]


def values(f1: float) -> dict[str, float]:
    return {"word.f1": f1, "word.precision": f1, "word.recall": f1 + 0.05}


def test_images_are_well_formed_and_name_every_subject(tmp_path: Path) -> None:
    write_atlas(tmp_path, rows(), GROUPS)
    for name in IMAGES:
        drawn = "".join(ElementTree.parse(tmp_path / name).getroot().itertext())
        assert all(said in drawn for said in ("good", "bad", "ours", "theirs"))


def test_tables_mark_the_best_of_each_package(tmp_path: Path) -> None:
    write_atlas(tmp_path, rows(), GROUPS)
    page = (tmp_path / "README.md").read_text()
    assert "| `good` | **0.885** | **0.885** | 0.885 |" in page
    assert "| `bad` | 0.485 | 0.485 | 0.485 |" in page
    assert "| `good` | 0.013 | 0.100 | 2.0 | 0 |" in page
    assert "news 4, wiki 4" in page
