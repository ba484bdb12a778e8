"""Simple maximum subsequence against the scores of the token stream."""

from hypothesis import given
from hypothesis import strategies as st

from winnow.document.document import Document
from winnow.document.tokens import TAG
from winnow.extractors.baselines.simple_mss import SimpleMss
from winnow.extractors.subsequence import maximum_subsequence

HTML = st.lists(
    st.sampled_from(["<p>", "</p>", "<b>", "</b>", "one ", "two three, ", "a b c d e ", "<img>"]),
    max_size=30,
).map("".join)


@given(HTML, st.sampled_from([-3.25, -1.0, -0.5]))
def test_the_run_has_the_highest_value_of_all(html: str, tag: float) -> None:
    document = Document.from_html(html)
    tokens = document.tokens
    scores = [tag if kind == TAG else 1.0 for kind in tokens.kind]
    spans = SimpleMss(tag).extract(document).spans
    total = maximum_subsequence(scores).total
    if not spans:
        assert total == 0
        return
    inside = [
        index
        for index, kind in enumerate(tokens.kind)
        if kind != TAG
        and tokens.start[index] >= spans[0].start
        and tokens.end[index] <= spans[-1].end
    ]
    assert sum(scores[inside[0] : inside[-1] + 1]) == total
