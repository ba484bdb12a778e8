"""Gold texts aligned with pages: the run of tokens that is the main content."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.document.document import Document
from winnow.document.tokens import TAG
from winnow.evaluation.gold.alignment import align, aligned

PAGE = (
    "<nav><a href=/>Home</a> <a href=/n>News</a></nav><h1>Flood</h1>"
    "<p>The river rose in the night.</p><p>By <b>morning</b> the road was gone.</p>"
    "<aside>Subscribe to the news</aside><footer>The night desk</footer>"
)


def run_of(html: str, gold: str) -> tuple[str, float]:
    document = Document.from_html(html)
    found = align(document, gold)
    tokens = document.tokens
    words = [
        document.text[tokens.start[index] : tokens.end[index]]
        for index in range(found.run.start, found.run.end)
        if tokens.kind[index] != TAG
    ]
    return " ".join(words), found.share


def test_the_run_goes_from_the_gold_s_first_word_to_its_last() -> None:
    gold = "The river rose in the night.\n\nBy morning the road was gone."
    text, share = run_of(PAGE, gold)
    assert text == "The river rose in the night . By morning the road was gone ."
    assert share == 1


def test_a_word_of_the_gold_that_stands_far_off_does_not_stretch_the_run() -> None:
    text, share = run_of(PAGE, "The river rose in the night. Home desk")
    assert text == "The river rose in the night ."
    assert share == pytest.approx(6 / 8)


def test_symbols_that_touch_the_outer_words_belong_to_them() -> None:
    html = "<p>* “No,” he said (again).</p><p>! Next</p>"
    assert run_of(html, "No, he said again")[0] == "“ No , ” he said ( again ) ."


@pytest.mark.parametrize("gold", ["", "nothing of this stands there"])
def test_gold_that_is_not_on_the_page_aligns_with_nothing(gold: str) -> None:
    assert run_of("<p>Other words</p>", gold) == ("", 0)


WORDS = st.lists(st.sampled_from("abcd"), max_size=12)


@given(WORDS, WORDS)
def test_as_many_words_align_as_the_longest_common_subsequence_has(
    mine: list[str], wanted: list[str]
) -> None:
    matched = aligned(mine, wanted)
    lengths = [[0] * (len(wanted) + 1) for _ in range(len(mine) + 1)]
    for i, a in enumerate(mine):
        for j, b in enumerate(wanted):
            lengths[i + 1][j + 1] = (
                lengths[i][j] + 1 if a == b else max(lengths[i][j + 1], lengths[i + 1][j])
            )
    assert matched.sum() == lengths[-1][-1]
    left = iter(wanted)
    assert all(word in left for word, hit in zip(mine, matched, strict=True) if hit)
