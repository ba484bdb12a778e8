"""Tables, lists and code are kept whole or not at all."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.programs import require_module
from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.extractors.auto import completion
from winnow.extractors.auto.completion import LIKELY, completed

STORY = "<p>kept one two</p>{}<p>kept three</p><p>away</p>"
TABLE = "<table><tr><td>{}<td>kept b<tr><td>c<td>kept d</table>"
LIST = "<ul><li>kept a</li><li>kept b</li><li>{}</li></ul>"
CODE = "<pre>x = {}</pre>"


def rest(page: str, chance: float = LIKELY) -> str:
    """The words that complete a page of which the texts that begin with "kept" are kept."""
    document = Document.from_html(page)
    spans = list(zip(document.pieces.start, document.pieces.end, strict=True))
    is_content = np.array(
        [document.text[start:end].startswith("kept") for start, end in spans], dtype=bool
    )
    chances = np.where(is_content, 1.0, chance)
    found = completed(document, is_content, chances)
    assert not (is_content & ~found).any()
    return " ".join(
        document.text[start:end]
        for (start, end), new in zip(spans, found & ~is_content, strict=True)
        if new
    )


@pytest.mark.parametrize(
    ("thing", "added"),
    [(TABLE.format("a"), "a c"), (LIST.format("c"), "c"), (CODE.format(1), "x = 1")],
)
def test_what_may_be_content_is_kept_whole_inside_the_text(thing: str, added: str) -> None:
    assert rest(STORY.format(thing)) == added


@pytest.mark.parametrize("thing", [TABLE.format("a"), LIST.format("c"), CODE.format(1)])
def test_what_the_model_is_sure_of_stays_away(thing: str) -> None:
    assert rest(STORY.format(thing), chance=LIKELY / 2) == ""


def test_code_behind_the_text_is_the_models_affair() -> None:
    assert rest("<p>kept</p><p>away</p>" + CODE.format(1)) == ""


def test_a_thing_kept_for_the_most_part_needs_no_neighbours() -> None:
    assert rest("<p>away</p>" + TABLE.format("a") + "<p>away</p>") == "a c"
    assert rest("<p>away</p>" + LIST.format("c") + "<p>away</p>") == "c"


@pytest.mark.parametrize(
    "thing",
    [
        "<ul><li>menu one<li>menu two</ul>",
        "<ul><li>kept a<li>" + "b " * 200 + "</ul>",
        "<ul><li><a href=x>kept a b c</a><li>away</ul>",
        "<ul><li>kept a<li hidden>b</ul>",
        "<pre><a href=x>all of it</a></pre>",
        "<table><tr><td>a<tr><td>b</table>",
        "<table><tr><td>a<td>b</table>",
        "<table><tr><td>a<td>b<tr><td>c<td><table><tr><td>d</table></table>",
        "<table><tr><td>a<td>b<tr><td>c<td>" + "long " * 80 + "</table>",
    ],
    ids=[
        "a list between", "a long list", "links", "hidden", "linked code", "one column", "one row",
        "a table inside", "long cells",
    ],
)  # fmt: skip
def test_what_is_no_part_of_the_text(thing: str) -> None:
    assert rest(STORY.format(thing)) == ""


def test_a_page_without_things_is_left_as_it_is() -> None:
    assert rest("<p>kept</p><p>away</p>") == ""
    assert rest("") == ""


PARTS = (
    TABLE.format("a"), LIST.format("c"), CODE.format(1), "<p>kept one two", "<p>three",
    "<p hidden>h", "<img src=a>", "<p><a href=b><img src=a>four</a>", "<h1>five</h1>",
    "<figure><img src=a><figcaption>seven</figcaption></figure>", "<table><tr><td>", "</table>",
    "<figure><a href=d><img src=a>eight</a></figure>", "<div>", "</div>", "<p><a href=c>six</a>",
    "<li>" + "word " * 70,
)  # fmt: skip


@given(st.lists(st.sampled_from(PARTS), max_size=20), st.data())
def test_both_programs_keep_the_same_pieces(parts: list[str], data: st.DataObject) -> None:
    require_module("winnow.extractors.auto._decision", "a C compiler (gcc) and Python's headers")
    document = Document.from_html("".join(parts))
    blocks = blocks_of(document)
    chances = np.array([data.draw(st.sampled_from([0.0, 0.3, 0.5, 0.9])) for _ in blocks.words])
    arguments = (document, blocks, chances > data.draw(st.sampled_from([0.2, 0.4, 0.6])), chances)

    found = completion._kept_pieces_compiled(*arguments)

    assert found.tolist() == completion.kept_pieces_in_python(*arguments).tolist()
