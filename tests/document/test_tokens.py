"""The token stream: tags, words and symbols in document order."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz import mutated
from tests.programs import require_module
from winnow.document import tokens
from winnow.document.document import Document
from winnow.document.tokens import (
    SYMBOL,
    TAG,
    WORD,
    tag_gaps,
    tag_gaps_in_python,
    tags_before,
    tokenise,
    tokenise_in_python,
)


def listed(html: str) -> list[str]:
    document = Document.from_html(html)
    found = document.tokens
    return [
        ("</" if closing else "<") + document.name_of(element) + ">"
        if kind == TAG
        else document.text[start:end]
        for kind, start, end, element, closing in zip(
            found.kind, found.start, found.end, found.element, found.closing, strict=True
        )
    ]


def body_of(names: list[str]) -> list[str]:
    return names[names.index("<body>") + 1 : names.index("</body>")]


def test_tags_words_and_symbols_in_order() -> None:
    html = "<p>Well, 2 <b>more</b> words.</p><br>end"
    assert body_of(listed(html)) == [
        "<p>", "Well", ",", "2", "<b>", "more", "</b>", "words", ".", "</p>", "<br>", "end",
    ]  # fmt: skip


def test_scripts_comments_and_hidden_text_are_no_tokens() -> None:
    html = "x<script>no</script>a<!-- no --><i hidden>no</i>b<img>"
    expected = ["x", "<script>", "</script>", "a", "<i>", "</i>", "b", "<img>"]
    assert body_of(listed(html)) == expected


def test_unspaced_scripts_are_words_by_character() -> None:
    assert body_of(listed("<p>日本語</p>")) == ["<p>", "日", "本", "語", "</p>"]


HTML = st.lists(
    st.sampled_from(
        ["<p>", "<b>", "</b>", "a b", "c, d!", " ", "<br>", "<img>", "中", "<i hidden>"]
    ),
    max_size=30,
).map("".join)


@given(HTML)
def test_tokens_agree_with_pieces(html: str) -> None:
    document = Document.from_html(html)
    kind, shown = document.tokens.kind, ~document.hidden
    assert (kind == WORD).sum() == document.piece_words[shown].sum()
    assert (kind == SYMBOL).sum() == document.piece_symbols[shown].sum()
    before, every = tags_before(document.elements, document.pieces)
    assert (kind == TAG).sum() == every
    assert (before[:-1] <= before[1:]).all()


PARTS = """<p> </p> <b> </b> <br> <img> <div/hidden> </div> <pre> </pre> <ul><li> <svg><g></svg>
two の中 e\u0301a ,\u0301b ที่ 🙂🙂a""".split()
MARKUP = st.lists(st.sampled_from([*PARTS, " ", "\n"]), max_size=40).map("".join)


@given(MARKUP)
def test_the_compiled_program_finds_the_same(html: str) -> None:
    require_module("winnow.document._words", "a C compiler (gcc) and Python's headers")
    document = Document.from_html(html)
    seen = (document.text, document.elements, document.pieces, document.hidden)

    mine, defined = tokenise(*seen), tokenise_in_python(*seen)

    for name in ("kind", "start", "end", "element", "closing", "piece"):
        np.testing.assert_array_equal(getattr(mine, name), getattr(defined, name))


PAGES = st.integers(0, 1 << 20).map(lambda seed: mutated.page(seed).decode("utf-8", "replace"))


@given(MARKUP | PAGES)
def test_the_compiled_program_counts_the_same_tags(html: str) -> None:
    require_module("winnow.document._words", "a C compiler (gcc) and Python's headers")
    document = Document.from_html(html)
    arrays = document.elements, document.pieces

    assert tag_gaps(*arrays).tolist() == tag_gaps_in_python(*arrays).tolist()
    assert document.tags_before.tolist() == tags_before(*arrays)[0].tolist()


@pytest.mark.parametrize("column", ["first_piece", "last_piece", "tag"])
@pytest.mark.parametrize("value", [-1, 1 << 20])
def test_tags_of_no_pieces_are_refused(column: str, value: int) -> None:
    require_module("winnow.document._words", "a C compiler (gcc) and Python's headers")
    document = Document.from_html("<p>One.</p><p>Two.</p>")
    wrong = np.full(len(document.elements), value, dtype=np.int32)

    with pytest.raises(ValueError, match="hold pieces"):
        tokens._tag_gaps_compiled(replace(document.elements, **{column: wrong}), document.pieces)
