"""Body text extraction: the linear form against the paper's O(n^2) definition."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from winnow.document.document import Document
from winnow.document.tokens import SYMBOL, TAG
from winnow.extractors.baselines.bte import BodyTextExtraction

HTML = st.lists(
    st.sampled_from(["<p>", "</p>", "<b>", "</b>", "<br>", "one ", "two three ", "!", "<img>"]),
    max_size=25,
).map("".join)


def best_by_definition(document: Document) -> int:
    """The highest T_ij over all i <= j (Gottron 2007, section 5.2); symbols are no tokens."""
    tokens = document.tokens
    bits = (tokens.kind[tokens.kind != SYMBOL] == TAG).astype(int).tolist()
    size = len(bits)
    return max(
        (
            sum(bits[:i]) + sum(1 - bit for bit in bits[i : j + 1]) + sum(bits[j + 1 :])
            for i in range(size)
            for j in range(i, size)
        ),
        default=0,
    )


def objective(document: Document, start: int, end: int) -> int:
    """T_ij of the tokens between two offsets of the text."""
    tokens = document.tokens
    counted = tokens.kind != SYMBOL
    words = np.flatnonzero(
        counted & (tokens.kind != TAG) & (tokens.start >= start) & (tokens.end <= end)
    )
    i, j = words[0], words[-1]
    tags = tokens.kind == TAG
    return int(tags[:i].sum() + (~tags & counted)[i : j + 1].sum() + tags[j + 1 :].sum())


@given(HTML)
def test_the_run_is_optimal_by_the_papers_definition(html: str) -> None:
    document = Document.from_html(html)
    spans = BodyTextExtraction().extract(document).spans
    if document.piece_words.any():
        found = objective(document, spans[0].start, spans[-1].end)
        assert found == best_by_definition(document)


def test_one_block_is_kept_with_what_interrupts_it() -> None:
    html = (
        "<ul><li>a<li>b</ul><div>"
        + "<p>one two three four <b>five</b> six seven eight</p>" * 3
        + "</div><i>z</i>"
    )
    document = Document.from_html(html)
    spans = BodyTextExtraction().extract(document).spans
    assert (
        document.text[spans[0].start : spans[-1].end].split()
        == "one two three four five six seven eight".split() * 3
    )
