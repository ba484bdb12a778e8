"""When the sanitiser looks at each attribute: the compiled search is that of the definition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.programs import require_module
from winnow.document.sanitise import may_offend, may_offend_in_python

COMPILED = ("winnow.document._start_tags", "a C compiler (gcc) and Python's headers")
PARTS = [
    "url(", "URL", "(", "dAtA:", "data", ":", "&", "amp;", "&lt;", "&#39;", "&#x27;", "&#x",
    "&nbsp", ";", "\u212a", "\u017f", "é", "中", "🙂", "a",
]  # fmt: skip


@pytest.mark.parametrize(
    "markup",
    ['<p style="a:uRl(x)">', '<img src="DATA:x">', "<a title='&colon;'>", "&", "&am", "中&#58;"],
)
def test_what_may_offend_is_looked_at(markup: str) -> None:
    assert may_offend(markup)


@pytest.mark.parametrize(
    "markup", ["", "<p>(a): b &amp; c&lt;&gt;&quot;&nbsp;&#x27;&#39;</p>", "ur l(", "date:"]
)
def test_most_markup_is_not(markup: str) -> None:
    assert not may_offend(markup)


@given(st.lists(st.sampled_from(PARTS), max_size=12).map("".join))
def test_the_compiled_search_is_that_of_the_definition(markup: str) -> None:
    require_module(*COMPILED)
    assert may_offend(markup) == may_offend_in_python(markup)
