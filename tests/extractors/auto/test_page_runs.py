"""The stretches of a page: both programs find the same, bit by bit; what they hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extractors.auto.test_decision import blocks_with
from tests.programs import require_module
from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.extractors.auto import page_runs
from winnow.extractors.auto.page_runs import NAMES, STRETCHES, PageRuns

BLOCK = st.tuples(
    st.floats(0, 1) | st.sampled_from([0.5, 0.7]), st.integers(0, 60), st.integers(0, 60),
    st.booleans(), st.booleans(),
)  # fmt: skip


def columns(rows: list[tuple[Any, ...]], heads: list[int]) -> tuple[Any, ...]:
    chances, words, linked, hidden, kept = map(np.array, zip(*rows, strict=True))
    headlines = np.array([head for head in heads if head < len(rows)], dtype=np.int32)
    return blocks_with(words, linked, hidden), chances.astype(float), kept, headlines


@given(st.lists(BLOCK, min_size=1, max_size=70), st.lists(st.integers(-1, 69)).map(sorted))
def test_both_programs_find_the_same_stretches(
    rows: list[tuple[Any, ...]], heads: list[int]
) -> None:
    require_module("winnow.extractors.auto._decision", "a C compiler (gcc) and Python's headers")
    arguments = columns(rows, heads)

    found = page_runs._page_runs_compiled(*arguments)
    defined = page_runs.page_runs_in_python(*arguments)

    assert found.masks.tolist() == defined.masks.tolist()
    differing = [n for n, one, two in zip(NAMES, found.row, defined.row, strict=True) if one != two]
    assert not differing


def test_columns_that_do_not_fit_are_refused() -> None:
    require_module("winnow.extractors.auto._decision", "a C compiler (gcc) and Python's headers")
    blocks, chances, kept, heads = columns([(0.9, 5, 0, False, True)] * 2, [1])

    for wrong in (
        (blocks, chances[:1], kept, heads),
        (blocks, chances, kept[:1], heads),
        (blocks, chances, kept, heads + 1),
        (blocks_with(-blocks.words, blocks.words, blocks.hidden), chances, kept, heads),
    ):
        with pytest.raises(ValueError, match="of each block"):
            page_runs._page_runs_compiled(*wrong)


def of_page(html: str, *chances: float) -> tuple[dict[str, list[str]], PageRuns]:
    """The texts in each stretch of a page whose blocks have these chances, kept above .4."""
    document = Document.from_html(html)
    blocks = blocks_of(document)
    chance = np.array(chances)
    headlines = page_runs.headlines_of(document, blocks)
    found = page_runs.page_runs(blocks, chance, chance > 0.4, headlines)
    defined = page_runs.page_runs_in_python(blocks, chance, chance > 0.4, headlines)
    assert found.masks.tolist() == defined.masks.tolist()
    texts = [
        document.text[start:end]
        for start, end in zip(blocks.start.tolist(), blocks.end.tolist(), strict=True)
    ]
    shown = {
        name: [text for text, is_in in zip(texts, mask, strict=True) if is_in]
        for name, mask in zip(STRETCHES, found.masks, strict=True)
    }
    return shown, found


def test_a_run_is_one_stretch_behind_the_headline() -> None:
    html = "<p>One of the news<h1>The story</h1><p>Text of it<p>an aside<p>more of it<p>a foot"

    shown, found = of_page(html, 0.9, 0.9, 0.95, 0.45, 0.95, 0.45)

    assert shown["headline"] == ["The story", "Text of it", "an aside", "more of it", "a foot"]
    assert shown["run 0.5"] == shown["run 0.7"] == shown["headline"][:-1]
    row = dict(zip(NAMES, found.row.tolist(), strict=True))
    assert row["run 0.7: before"] == pytest.approx(4 / 10)
    assert row["run 0.7: behind"] == pytest.approx(2 / 10)
    assert (row["run: behind headline"], row["run: headlines"]) == (0, 1)


def test_the_only_headline_counts_within_the_surest_run_too() -> None:
    text = "Text of it " * 20
    menus = f"<p>One of the news<p>More of it<h1>The story</h1><p>{text}"

    shown, _ = of_page(menus, *[0.9] * 4)
    other, _ = of_page(f"{menus}<h1>Another</h1>", *[0.9] * 4, 0.1)

    assert shown["run 0.7"] == ["The story", text.strip()]
    assert other["run 0.7"][:2] == ["One of the news", "More of it"]


def test_a_list_of_records_is_left_out_of_the_first_run_alone() -> None:
    text, said = "Text of the story " * 10, "Watchers came from three counties."
    record = f"<p>9 March <a href=/a>An owl was seen</a><br>{said}"
    page = f"<p>{text}{record * 3}<p>A foot"

    shown, _ = of_page(page, *[0.9] * 5)

    assert shown["run 0.5"] == [text.strip()]
    assert len(shown["run 0.7"]) == len(shown["headline"]) == 5


@pytest.mark.parametrize(
    ("number", "record"),
    [
        (2, "<p><a href=/a>An owl was seen</a><br>Watchers came from three counties."),
        (3, "<p><a href=/a>An owl was seen</a>"),
        (3, f"{'<p><a href=/a>An owl was seen</a>' * 3} Watchers came from three counties."),
        (3, f"<p><a href=/a>An owl was seen</a><br>{'Watchers came. ' * 30}"),
        (3, "<p><a href=/a>An owl</a><br>Watchers came from three counties."),
    ],
)
def test_no_list_is_a_pair_a_menu_long_or_linked_by_a_word_or_two(number: int, record: str) -> None:
    blocks = 1 + number * record.count("<p>")

    shown, _ = of_page(f"<p>Text of the story{record * number}", *[0.9] * blocks)

    assert len(shown["run 0.5"]) == blocks


def test_what_follows_a_linked_headline_is_led_by_it() -> None:
    html = "<p><a href=/a>The other story is</a><p>about a ferry<p>Text of it"

    _, found = of_page(html, 0.1, 0.5, 0.9)

    row = dict(zip(NAMES, found.row.tolist(), strict=True))
    assert row["run 0.7: led outside"] == 1
    assert row["run 0.7: led"] == 0
