"""What a filter of Crunch is: the interface of its own and of third parties'.

A third party's filter comes by the entry-point group ``winnow.filters``: each entry point is a
callable without parameters that returns a PageFilter, and ``crunch:filters=NAME+NAME`` names those
that work behind Crunch's own, in that order. A filter is a pure function of what it is given, may
be called from any process, and never writes to an array of a state. Like Crunch's own it is
reverted where the result check finds its change too small or too great.
"""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Final, Protocol

from winnow.document.document import Document
from winnow.extractors.crunch.filter_state import Filtered

ENTRY_POINTS: Final = "winnow.filters"


class PageFilter(Protocol):
    """One filter: the page as it came, before the last filter, and now, to the page after it.

    ``Filtered.without`` and ``Filtered.edited`` make the answer from ``current``; ``previous`` is
    there to compare with and to fall back on (Gupta et al. 2005, section 4).
    """

    @property
    def name(self) -> str:
        """How reasons and settings call it."""
        ...

    @property
    def fingerprint(self) -> str:
        """Name and version: part of a rendering's cache key."""
        ...

    def process(self, original: Document, previous: Filtered, current: Filtered) -> Filtered:
        """The page after this filter; ``current`` itself where there is nothing to do."""
        ...


def installed(name: str) -> PageFilter:
    """A third party's filter by its name. Raises ValueError if none of that name is installed."""
    for point in entry_points(group=ENTRY_POINTS, name=name):
        page_filter: PageFilter = point.load()()
        return page_filter
    available = (
        ", ".join(sorted(point.name for point in entry_points(group=ENTRY_POINTS))) or "none"
    )
    raise ValueError(f"no filter {name!r} is installed; there are: {available}")
