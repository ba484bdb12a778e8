"""Whether a page's labels make a well-formed article (the thesis, section 6.8, figure 6.9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from winnow.extractors.memory.labelled_instances import BODY, GARBAGE, HEADING, TITLE


class Fault(StrEnum):
    """What is ill-formed, by the thesis's names."""

    NO_TITLE = "E1"
    TITLES = "E2"
    HEADINGS = "E3"


DESCRIPTIONS: Final[Mapping[Fault, str]] = MappingProxyType(
    {
        Fault.NO_TITLE: "no title",
        Fault.TITLES: "several titles",
        Fault.HEADINGS: "two headings together",
    }
)


class LabelState(StrEnum):
    """The automaton's state: the last label that is not garbage."""

    START = "start"
    TITLE = "title"
    HEADING = "heading"
    BODY = "body"


_NEXT: Final[Mapping[int, LabelState]] = MappingProxyType(
    {TITLE: LabelState.TITLE, HEADING: LabelState.HEADING, BODY: LabelState.BODY}
)


def faults(labels: Iterable[int]) -> tuple[Fault, ...]:
    """What is ill-formed in labels in the order of the page; garbage is skipped.

    The thesis's machine stops at the first fault; here each is reported once.
    """
    state, titles, found = LabelState.START, 0, set()
    for label in labels:
        if label == GARBAGE:
            continue
        titles += label == TITLE
        if titles > 1:
            found.add(Fault.TITLES)
        if label == HEADING and state is LabelState.HEADING:
            found.add(Fault.HEADINGS)
        state = _NEXT[label]
    if not titles:
        found.add(Fault.NO_TITLE)
    return tuple(sorted(found))


def described(found: Sequence[Fault]) -> tuple[str, ...]:
    """The faults in words, for the reasons of an extraction."""
    return tuple(f"{fault}: {DESCRIPTIONS[fault]}" for fault in found)
