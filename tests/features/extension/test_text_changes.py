"""Blocks that came and went are named; what only moved is not."""

from __future__ import annotations

from winnow.features.extension.text_changes import changes


def test_blocks_are_compared_as_often_as_they_are_there() -> None:
    before = "The river rose.\n\nTwice.\n\nTwice.\n\nGone."
    now = "Twice.\n\n\n\nNew.\n\nThe   river\nrose."
    found = changes(before, now, "2026-03-02")
    assert (found.added, found.removed) == (["New."], ["Twice.", "Gone."])
