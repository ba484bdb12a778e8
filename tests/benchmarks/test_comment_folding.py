"""benchmarks/comment_folding.py: the difference that folding comments makes."""

from benchmarks.comment_folding import row, scores
from winnow.evaluation.packages import PackageEntry

TEXT = "The ferry left the quay at dawn with ten cars aboard, and nobody waved. " * 6
SAID = "".join(
    f"<li id=comment-{at} class=comment><b class=author>{who}</b> <time>3 May 2024</time><p>{words}"
    for at, (who, words) in enumerate((("Ann", "I was there too."), ("Bo", "It was cold.")))
)


def test_comments_cost_a_page_whose_gold_has_none() -> None:
    html = f"<main><h1>The ferry</h1><p>{TEXT}</p><ol class=commentlist>{SAID}</ol></main>"
    kept, folded = scores(PackageEntry("one", html.encode(), TEXT, {}))

    assert folded >= kept


def test_a_row_counts_what_is_much_better_or_worse() -> None:
    assert row([(0.5, 1.0), (0.9, 0.8), (0.7, 0.7)]) == (
        3, "0.7000", "0.8333", "+0.1333", 1, 1
    )  # fmt: skip
