"""The error for a setting that does not exist, with the one that was probably meant."""

from __future__ import annotations

import difflib

from winnow.config.setting_list import entries


def unknown_setting(path: str) -> str:
    """What is wrong with ``path`` (``server.prot``), as the rest of a sentence."""
    nearest = _nearest(path)
    return f"is unknown; did you mean {nearest}?" if nearest else "is unknown"


def _nearest(path: str) -> str | None:
    """Return the most similar path, or one with the same last word."""
    last = path.rpartition(".")[2]
    same = [each for each in entries() if each.rpartition(".")[2] == last]
    return next(iter(difflib.get_close_matches(path, [*entries()], 1) or same), None)
