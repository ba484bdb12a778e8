"""What a trial of a rule shows: all blocks, in order, and what the rule added or removed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from winnow.features.site.rule_trial import RuleTried, trial_part

BLOCKS = st.lists(
    st.tuples(st.sampled_from(["one", "two & three", "<b>"]), st.booleans(), st.booleans()),
    max_size=12,
)


def shown(before: list[str], after: list[str]) -> list[tuple[str, str]]:
    """Tag and text of each block, in order."""
    tried = RuleTried("http://a.example/", "\n\n".join(before), "\n\n".join(after))
    section = LexborHTMLParser(trial_part(tried)).css_first("#tried")
    assert section is not None
    found = [(str(node.tag), node.text()) for node in section.css("ins, del, details > p")]
    assert ("The rule changes nothing here." in section.text()) == (before == after)
    return found


@given(BLOCKS)
def test_every_block_is_shown_once_and_in_order(page: list[tuple[str, bool, bool]]) -> None:
    """Blocks of a page, no two of them equal, in the text before, after, or both."""
    named = [(f"{text} {place}", was, is_) for place, (text, was, is_) in enumerate(page)]
    found = shown([text for text, was, _ in named if was], [text for text, _, is_ in named if is_])
    wanted = {
        text: "p" if was and is_ else "del" if was else "ins"
        for text, was, is_ in named
        if was or is_
    }
    assert {text: tag for tag, text in found} == wanted
    assert [text for tag, text in found if tag != "ins"] == [text for text, was, _ in named if was]
    assert [text for tag, text in found if tag != "del"] == [text for text, _, is_ in named if is_]


def test_a_block_that_stands_twice_is_removed_once() -> None:
    assert shown(["a", "a", "b"], ["a", "b"]) == [("del", "a"), ("p", "a"), ("p", "b")]


def test_a_rule_for_another_site_or_treatment_says_so() -> None:
    tried = RuleTried("http://a.example/", "x", "x", (".gone",), "never", fits=False)
    text = LexborHTMLParser(trial_part(tried)).text()
    assert "The page is not of this site" in text
    assert "Pages of this site are not changed" in text
    assert ".gone finds no text on this page." in text
