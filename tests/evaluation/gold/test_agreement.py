"""How far two annotators agree, against definitions written out by hand."""

from pathlib import Path

import numpy as np
import pytest

from winnow.document.document import Document
from winnow.document.values import Page
from winnow.evaluation.errors import PackageError
from winnow.evaluation.gold.agreement import agreement, agreement_table, kappa
from winnow.evaluation.gold.annotations import AnnotationFolders
from winnow.evaluation.gold.packages import Package, load

URL = "http://dog.example/"
PAGE = Page(b"<h1>The dog</h1><p>It barked at night.</p><p>All rights.</p>", URL)
BLOCKS = ("The dog", "It barked at night.", "All rights.")


def kept(folder: Path, name: str, labels: tuple[str, ...], page: Page = PAGE) -> Package:
    """A package of one page whose three blocks have these labels, "" for none."""
    text = Document.parse(page).text
    starts = [text.index(block) for block in BLOCKS]
    marked = [
        (start, start + len(block), label)
        for start, block, label in zip(starts, BLOCKS, labels, strict=True)
        if label
    ]
    gold = "\n".join(text[start:end] for start, end, _ in marked)
    path = AnnotationFolders(folder).keep(name, page, gold, {"page_spans": marked})
    return load(path.parent)


def test_annotators_who_say_the_same_agree_wholly(tmp_path: Path) -> None:
    labels = ("title", "body", "")
    found = agreement(kept(tmp_path, "anna", labels), kept(tmp_path, "ben", labels))
    assert (found.pages, found.others, found.words, found.blocks) == (1, 0, 8, 3)
    assert found.word_kappa == found.block_kappa == 1
    assert {label: told[2].f1 for label, told in found.labels.items()} == {
        "title": 1,
        "heading": 1,
        "body": 1,
    }


def test_each_label_has_an_f1_of_its_own(tmp_path: Path) -> None:
    anna = kept(tmp_path, "anna", ("title", "body", ""))
    ben = kept(tmp_path, "ben", ("heading", "body", "body"))
    found = agreement(anna, ben)
    mine, theirs, both, _ = found.labels["body"]
    assert (mine, theirs) == (4, 6)
    assert both.f1 == pytest.approx(2 * 4 / 10)
    assert found.labels["title"][2].f1 == found.labels["heading"][2].f1 == 0
    same, chance = 4 / 8, (4 / 8) * (6 / 8)
    assert found.word_kappa == pytest.approx((same - chance) / (1 - chance))
    assert found.block_kappa == pytest.approx((1 / 3 - 2 / 9) / (1 - 2 / 9))
    assert "body           4        6  0.800" in agreement_table(found)


def test_kappa_is_cohens() -> None:
    """His table: 20 and 15 of 50 alike, 5 and 10 apart, so that chance is .5 and kappa .4."""
    left = np.array([1] * 25 + [0] * 25, dtype=np.int32)
    right = np.array([1] * 20 + [0] * 5 + [1] * 10 + [0] * 15, dtype=np.int32)
    assert kappa(left, right) == pytest.approx(0.4)
    assert kappa(left, left) == 1
    assert kappa(left[:25], left[:25]) == 1, "one class alone leaves nothing to disagree on"
    assert kappa(left, 1 - left) == pytest.approx(-1)


def test_gold_without_labels_is_compared_by_its_words(tmp_path: Path) -> None:
    anna = kept(tmp_path, "anna", ("title", "body", ""))
    ben = kept(tmp_path, "ben", ("", "body", ""))
    (notes,) = ben.path.glob("dog*.json")
    notes.write_text("{}")
    found = agreement(anna, ben)
    assert not found.has_labels
    assert found.labels.keys() == {"body"}
    assert found.labels["body"][2].f1 == pytest.approx(2 * 4 / 10)


def test_pages_with_other_bytes_are_left_out(tmp_path: Path) -> None:
    anna = kept(tmp_path, "anna", ("title", "body", ""))
    other = Page(PAGE.body + b"<p>More.", URL)
    ben = kept(tmp_path, "ben", ("title", "body", ""), other)
    with pytest.raises(PackageError, match="no page in common"):
        agreement(anna, ben)


def test_the_first_bytes_of_an_address_are_found_again(tmp_path: Path) -> None:
    annotations = AnnotationFolders(tmp_path)
    assert annotations.page(URL) is None
    kept(tmp_path, "anna", ("title", "", ""))
    found = annotations.page(URL)
    assert found is not None
    assert found.body == PAGE.body
    assert annotations.spans("anna", URL) == [(0, 7, "title")]
    assert annotations.spans("ben", URL) is None
    with pytest.raises(ValueError, match="names no annotator"):
        annotations.spans("../anna", URL)
