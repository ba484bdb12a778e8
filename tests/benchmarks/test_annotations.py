"""Labels without text: they come back on the page's text; other pages are refused."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.annotations.offsets import (
    ANNOTATORS,
    DATA,
    AnnotatedPage,
    letters_before,
    marked,
    read,
    text_of,
)
from winnow.evaluation.errors import PackageError
from winnow.evaluation.gold.labels import LABELS, Mark
from winnow.evaluation.gold.packages import PackageEntry

PAGE = b"""<!doctype html><html lang=en><title>Ferry</title><nav><a href=/>Home</a></nav>
<h1>Ferry</h1>
<p>The ferry crossed the strait.<p>It was  Monday. <table><tr><td>One<td>two</table><footer>End"""
ENTRY = PackageEntry("0001", PAGE, "", {"url": "https://ferry.example/"})
TEXT = text_of(ENTRY)
LETTERS = len("".join(TEXT.split()))


def page(
    *marks: Mark, digest: str = sha256(PAGE).hexdigest(), letters: int = LETTERS
) -> AnnotatedPage:
    return AnnotatedPage("0001", digest, "article", letters, marks)


@given(st.lists(st.integers(0, len(TEXT)), min_size=2, max_size=2, unique=True))
def test_what_was_labelled_comes_back(ends: list[int]) -> None:
    (start, end), before = sorted(ends), letters_before(TEXT)
    found = marked(page((int(before[start]), int(before[end]), "body")), ENTRY)
    assert "".join(found.gold.split()) == "".join(TEXT[start:end].split())
    assert found.page_type == "article"


def test_another_page_is_refused() -> None:
    for other in (page(digest="0"), page(letters=1)):
        with pytest.raises(PackageError, match="0001"):
            marked(other, ENTRY)


def test_the_committed_files_hold_no_text() -> None:
    files = [read(DATA / f"{annotator}.json") for annotator in ANNOTATORS]
    assert [len(pages) for pages in files] == [198, 198]
    names = [[page.name for page in pages] for pages in files]
    assert names[0] == names[1]
    for page in files[0] + files[1]:
        assert {label for _, _, label in page.marks} <= set(LABELS)
        assert all(0 <= a < b <= page.letters for a, b, _ in page.marks)
