"""What a filter of Crunch is: the interface of its own and of third parties'.

A third party's filter comes by the entry-point group ``winnow.filters``: each entry point is a
callable that takes parameters by name and returns a PageFilter; those that a dataclass declares as
extractors do (``parameter``) are offered in forms. ``METHOD:filters=NAME+NAME:KEY:VALUE``, or
``METHOD:NAME=true,NAME.KEY=VALUE`` as forms write it, names those that work behind a method, or
behind Crunch's own, in that order. A filter is a pure function of what it is given, may be called
from any process, and never writes to an array of a state. Like Crunch's own it is reverted where
the result check finds its change too small or too great.

One whose attribute ``request_fields`` names ``referer`` or ``user-agent`` finds these of the
reader's request in ``original.page.beside``; its renderings are for equal ones alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.metadata import entry_points
from typing import Final, Protocol

from winnow.document.document import Document
from winnow.extractors.crunch.filter_state import Filtered, PageSize, Sizes
from winnow.extractors.crunch.result_check import Check
from winnow.extractors.parameters import given

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


def names() -> list[str]:
    """Those that are installed."""
    return sorted(point.name for point in entry_points(group=ENTRY_POINTS))


def factory(name: str) -> Callable[..., PageFilter]:
    """Raises ValueError if none of that name is installed."""
    for point in entry_points(group=ENTRY_POINTS, name=name):
        made: Callable[..., PageFilter] = point.load()
        return made
    raise ValueError(f"no filter {name!r} is installed; there are: {', '.join(names()) or 'none'}")


def installed(text: str) -> PageFilter:
    """A third party's filter as ``NAME:KEY:VALUE``. Raises ValueError."""
    name, *words = text.split(":")
    maker, pairs = factory(name), zip(words[::2], words[1::2], strict=True)
    return maker(**given(name, maker, ",".join(map("=".join, pairs))) if words else {})


def filtered(
    document: Document, filters: Iterable[PageFilter], check: Check | None
) -> tuple[Filtered, list[str]]:
    """The page after all filters, and which were reverted by the check."""
    previous = current = Filtered.nothing(document)
    sizes, reverted = Sizes(document), list[str]()
    size = sizes.of(current) if check else PageSize()
    for each in filters:
        found = each.process(document, previous, current)
        if check and found is not current:
            after = sizes.of(found)
            if fault := check.fault(size, after):
                reverted.append(f"the filter {each.name} was undone: {fault}")
                continue
            size = after
        previous, current = current, found
    return current, reverted
