"""benchmarks/article_edges.py: what the steps at an article's edges bring on a page."""

from __future__ import annotations

from benchmarks.article_edges import changes, row, scores
from winnow.evaluation.packages import PackageEntry

STORY = [
    f"{at}. The ferry left the quay at dawn with ten cars aboard, and nobody." for at in "abcdef"
]
PAGE = (
    "<main><h1>The ferry</h1>{}<h3>About the author</h3><p>She lives by the river, {}.</p></main>"
)


def test_a_page_whose_gold_ends_with_the_story_gains() -> None:
    paragraphs = "".join(f"<p>{text} {text}</p>" for text in STORY)
    html = PAGE.format(paragraphs, "with two dogs and a boat that leaks when it rains")
    before, after = scores(PackageEntry("one", html.encode(), " ".join(STORY * 2), {}))

    assert after > before


def test_a_row_has_both_means_and_what_changed() -> None:
    found = {"a": (0.5, 0.75), "b": (0.75, 0.5), "c": (0.5, 0.5)}

    assert row(found)[:4] == ["3", "0.5833", "0.5833", "+0.0000"]
    assert row(found)[-2:] == ["1", "1"]
    assert changes(found) == ["a\t0.500\t0.750\n", "b\t0.750\t0.500\n"]
