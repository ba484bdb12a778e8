"""What changed in a text since an earlier one, block by block. Pure."""

from __future__ import annotations

from collections import Counter

from winnow.document.article_fields import TextChanges


def changes(before: str, now: str, since: str) -> TextChanges:
    """Blocks that only one of the texts has, each as often as it has it more; a move is none."""
    old, new = (Counter(_blocks(text)) for text in (before, now))
    return TextChanges(since, [*(new - old).elements()], [*(old - new).elements()])


def _blocks(text: str) -> list[str]:
    return [" ".join(block.split()) for block in text.split("\n\n") if block.strip()]
