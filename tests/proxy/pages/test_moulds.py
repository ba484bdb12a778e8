"""A bar from a mould is the bar that was made for its page, byte for byte."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.access.tokens import LIFE, Tokens
from proxy.pages.bar import BarView, make_bar
from proxy.pages.choosing import Links
from proxy.pages.languages import Language
from proxy.pages.moulds import Moulds

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
TOKENS, MOULDS = Tokens(), Moulds()
PATHS = st.text(st.sampled_from("aé/?&=+%20 '\"<>#中{}1"), max_size=12)
PAGES = st.builds(
    lambda scheme, host, path: f"{scheme}://{host}/{path}",
    st.sampled_from(["http", "https"]),
    st.sampled_from(
        ["example.com", "www.example.co.uk", "127.0.0.1:8000", "[::1]", "xn--bcher-kva.example"]
    ),
    PATHS,
)
VIEWS = st.builds(
    BarView,
    PAGES,
    st.integers(0, 10**7),
    st.integers(0, 10**7),
    st.sampled_from(["auto", "crunch:level=3", "lqf:0.25", "own<&>"]),
    st.sampled_from([(), ("bte", "mss")]),
)
BASES = st.sampled_from(["", "http://winnow.internal", "https://winnow.internal", "http://h:80"])


@given(VIEWS, st.sampled_from(list(Language)), BASES)
def test_it_is_the_same_bar(shown: BarView, language: Language, base: str) -> None:
    links = Links(TOKENS, NOW, base)
    for _ in range(2):  # the mould is made, and used again
        assert MOULDS.bar(shown, language, links) == make_bar(shown, language, links).markup


@pytest.mark.parametrize("tokens", [TOKENS, Tokens()])
def test_proofs_are_those_of_now_and_of_this_run(tokens: Tokens) -> None:
    moulds, shown = Moulds(), BarView("http://example.com/", 1, 2, "auto")
    moulds.bar(shown, Language.ENGLISH, Links(TOKENS, NOW))
    for later in (timedelta(), LIFE):
        links = Links(tokens, NOW + later)
        expected = make_bar(shown, Language.ENGLISH, links).markup
        assert moulds.bar(shown, Language.ENGLISH, links) == expected


def test_what_is_no_page_has_no_bar() -> None:
    with pytest.raises(ValueError, match="no address"):
        MOULDS.bar(BarView("about:blank", 1, 2, "auto"), Language.ENGLISH, Links(TOKENS, NOW))
