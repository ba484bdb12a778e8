"""A change of a text is taken back, also after others elsewhere in it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from winnow.config.editing.text_changes import change_between, without_change

TEXTS = st.lists(st.sampled_from(["a\n", "b\n", "[[rule]]\n", "\n", "end"]), max_size=12).map(
    "".join
)


@given(TEXTS, TEXTS)
def test_a_change_taken_back_leaves_what_was_there(old: str, new: str) -> None:
    assert without_change(new, change_between(old, new)) == old


def numbered(*names: str) -> str:
    return "".join(f"[[rule]]\nsite = '{name}'\ndrop = ['.{name}']\n\n" for name in names)


def test_later_changes_elsewhere_stay() -> None:
    change = change_between(numbered("a", "b"), numbered("a", "b", "c"))
    assert without_change(numbered("x", "a", "b", "c", "d"), change) == numbered("x", "a", "b", "d")
    removed = change_between(numbered("a", "b", "c"), numbered("a", "c"))
    assert without_change(numbered("a", "c", "d"), removed) == numbered("a", "b", "c", "d")


def test_what_was_changed_again_is_not_taken_back() -> None:
    change = change_between(numbered("a"), numbered("b"))
    assert without_change(numbered("c"), change) is None
    assert without_change("anything", change_between("x\n", "")) is None
