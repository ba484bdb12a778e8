"""A site's own parts: elements that its rule always keeps or drops, whatever the method decided."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from winnow.document.arrays import Mask
from winnow.document.document import Document
from winnow.document.errors import SelectorError
from winnow.document.selectors import select
from winnow.document.values import Extraction, Span
from winnow.extractors.base import spans_of_pieces
from winnow.jobs.job_types import PipelineError


def with_parts(
    document: Document, extraction: Extraction, keep: Sequence[str], drop: Sequence[str]
) -> Extraction:
    """The extraction with what ``keep`` selects and without what ``drop`` selects.

    A selector that is none selects nothing: a rule that went wrong must not cost the page.
    """
    inside, dropped = inside_all(document, keep), inside_all(document, drop)
    added = inside & ~dropped & ~document.hidden
    if not inside.any() and not dropped.any():
        return extraction
    outside = without(document, extraction.spans, inside | dropped)
    spans = sorted([*outside, *spans_of_pieces(document, added)])
    reason = (f"a rule for this site keeps {', '.join(keep)}",) if added.any() else ()
    gone = (f"a rule for this site drops {', '.join(drop)}",) if dropped.any() else ()
    return replace(extraction, spans=tuple(spans), reasons=(*extraction.reasons, *reason, *gone))


def only_part(document: Document, extraction: Extraction, selector: str) -> Extraction:
    """The extraction with what a selector finds, and nothing else. Raises PipelineError."""
    try:
        inside = document.inside(np.array(select(document, selector), dtype=np.int64))
    except SelectorError as error:
        raise PipelineError("bad-selector", str(error)) from error
    spans = tuple(spans_of_pieces(document, inside & ~document.hidden))
    reason = f"the request asks for {selector} alone"
    return replace(extraction, spans=spans, records=(), reasons=(*extraction.reasons, reason))


def inside_all(document: Document, selectors: Sequence[str]) -> Mask:
    """Which pieces stand in an element that one of the selectors finds; shape (pieces,)."""
    return document.inside(np.array(selected(document, selectors), dtype=np.int64))


def selected(document: Document, selectors: Sequence[str]) -> list[int]:
    """The elements that one of the selectors finds."""
    found: list[int] = []
    for selector in selectors:
        try:
            found += select(document, selector)
        except SelectorError:
            continue
    return found


def without(document: Document, spans: Sequence[Span], gone: Mask) -> list[Span]:
    """What is left of the spans outside of the pieces of a mask."""
    edges = (np.diff(gone.astype(np.int8), prepend=0, append=0)).nonzero()[0]
    ranges = [
        (int(document.pieces.start[first]), int(document.pieces.end[last - 1]))
        for first, last in zip(edges[::2], edges[1::2], strict=True)
    ]
    starts, ends = [start for start, _ in ranges], [end for _, end in ranges]
    return [rest for span in spans for rest in _outside(span, starts, ends)]


def _outside(span: Span, starts: Sequence[int], ends: Sequence[int]) -> Iterator[Span]:
    """What of a span is in none of some ranges, which are in order; O(log n) and those it meets."""
    at, low = bisect_right(ends, span.start), span.start
    while at < len(starts) and starts[at] < span.end:
        if low < starts[at]:
            yield Span(low, starts[at], span.label)
        at, low = at + 1, ends[at]
    if low < span.end:
        yield Span(low, span.end, span.label)
