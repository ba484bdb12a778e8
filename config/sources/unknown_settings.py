"""The error for a setting that does not exist, with the one that was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def is_of_no_section(path: str, sections: Iterable[str]) -> bool:
    """Whether ``path`` is in none of these sections, nor in one of them misspelt.

    Its section may be that of a feature that is not loaded any more.
    """
    return not difflib.get_close_matches(path.partition(".")[0], sections, 1)


def unknown_setting(path: str, listed: Iterable[str]) -> str:
    """What is wrong with ``path`` (``server.prot``), as the rest of a sentence."""
    nearest = _nearest(path, [*listed])
    return f"is unknown; did you mean {nearest}?" if nearest else "is unknown"


def _nearest(path: str, listed: list[str]) -> str | None:
    """Return the most similar path, or one with the same last word."""
    last = path.rpartition(".")[2]
    same = [each for each in listed if each.rpartition(".")[2] == last]
    return next(iter(difflib.get_close_matches(path, listed, 1) or same), None)
