"""Gold and output side by side: what was missed, what was added, as ranges of characters."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import LCSseq

from winnow.evaluation.measuring.words import places

_TOO_LONG = 400_000_000
"""Cells of the table of common subsequences above which no difference is worked out (50 MB)."""

Ranges = list[tuple[int, int]]
Place = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Difference:
    """Half-open ranges of the gold text that were missed, and of the output that were added.

    ``whole`` is false where the texts were too long to be compared.
    """

    missed: Ranges
    added: Ranges
    whole: bool = True


def difference(extracted: str, gold: str) -> Difference:
    """Compare word by word along the longest common subsequence."""
    mine, wanted = places(extracted), places(gold)
    if len(mine) * len(wanted) > _TOO_LONG:
        return Difference([], [], whole=False)
    missed: Ranges = []
    added: Ranges = []
    words = [[word for word, _, _ in found] for found in (wanted, mine)]
    for step in LCSseq.opcodes(*words):
        if step.tag != "equal":
            missed.append((step.src_start, step.src_end))
            added.append((step.dest_start, step.dest_end))
    return Difference(_characters(missed, wanted), _characters(added, mine))


def packed_view(gold: str, outputs: Mapping[str, str]) -> str:
    """A view as the report's script unpacks it: base64 of deflated JSON."""
    found = {name: difference(text, gold) for name, text in outputs.items()}
    view = {
        "gold": gold,
        "outputs": [
            {
                "subject": name,
                "text": text,
                "missed": _flat(found[name].missed),
                "added": _flat(found[name].added),
                "whole": found[name].whole,
            }
            for name, text in outputs.items()
        ],
    }
    raw = json.dumps(view, ensure_ascii=False).encode("utf-8", "replace")
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64.b64encode(squeezer.compress(raw) + squeezer.flush()).decode()


def _characters(ranges: Iterable[tuple[int, int]], found: Sequence[Place]) -> Ranges:
    """Ranges of characters from ranges of words; what touches is joined, what is empty dropped."""
    joined: Ranges = []
    for first, last in ranges:
        if joined and first == joined[-1][1]:
            joined[-1] = (joined[-1][0], last)
        elif first < last:
            joined.append((first, last))
    return [(found[first][1], found[last - 1][2]) for first, last in joined]


def _flat(ranges: Ranges) -> list[int]:
    return [edge for bounds in ranges for edge in bounds]
