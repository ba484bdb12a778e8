"""The base class of the built-in extractors, and how spans are made of pieces or ranges.

Parameters are dataclass fields; name and fingerprint follow from them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import range_sums
from winnow.document.blocks import blocks_of
from winnow.document.document import Document, Mask
from winnow.document.parsing import piece_masks
from winnow.document.values import Extraction, Label, Span
from winnow.extractors.article_test import testing
from winnow.extractors.parameters import check

if TYPE_CHECKING:
    from winnow.extractors.crunch.filter_protocol import PageFilter


@dataclass(frozen=True)
class Method:
    """Base of the built-in extractors: a frozen dataclass whose fields are its parameters.

    ``method`` is the name in the registry, ``main_parameter`` the field that ``NAME:VALUE`` sets,
    ``version`` goes up whenever the same parameters give another output. ``article``, of every
    method: what has less than two paragraphs and eight sentences is no article, and nothing is
    extracted (winnow.extractors.article_test). ``filters``, likewise: those of third parties, as
    ``one+two`` (winnow.extractors.crunch.filter_protocol). ``needs``: see
    winnow.extractors.parameters.
    """

    article: bool = field(default=False, kw_only=True)
    filters: str = field(default="", kw_only=True)

    method: ClassVar[str]
    main_parameter: ClassVar[str] = ""
    version: ClassVar[int] = 1
    needs: ClassVar[Mapping[str, tuple[str, str]]] = MappingProxyType({})

    def __init_subclass__(cls) -> None:
        """The article test stands around the ``extract`` of each class."""
        super().__init_subclass__()
        if "extract" in vars(cls):
            cls.extract = testing(cls.extract)  # type: ignore[attr-defined]  # Method has none

    def __post_init__(self) -> None:
        """Raises ValueError for a value that a parameter does not permit."""
        check(self)
        if self.filters:
            self.third_party_filters  # noqa: B018  # an unknown filter is an error now

    @cached_property
    def third_party_filters(self) -> tuple[PageFilter, ...]:
        """The filters of third parties, in their order. Raises ValueError for one unknown."""
        from winnow.extractors.crunch.filter_protocol import installed  # noqa: PLC0415 - rarely used

        return tuple(map(installed, filter(None, self.filters.split("+"))))

    @cached_property
    def name(self) -> str:
        """The specification that makes this extractor: only parameters that differ are named."""
        changed = {
            each.name: getattr(self, each.name)
            for each in fields(self)
            if getattr(self, each.name) != each.default
        }
        if set(changed) == {self.main_parameter}:
            return f"{self.method}:{changed[self.main_parameter]}"
        listed = ",".join(f"{key}={value}" for key, value in changed.items())
        return f"{self.method}:{listed}" if listed else self.method

    @property
    def fingerprint(self) -> str:
        """Method, version and every parameter: half of a rendering's cache key."""
        of_all = {"article": self.article, "filters": self.filters}
        names = [each.name for each in fields(self) if of_all.get(each.name, True)]
        values = ",".join(f"{name}={getattr(self, name)}" for name in names)
        others = [each.fingerprint for each in self.third_party_filters] if self.filters else []
        return "+".join((f"{self.method}/{self.version}({values})", *others))

    @property
    def training_packages(self) -> Mapping[str, float | None]:
        """The test packages that its model was trained on, each with the cross-validated word F1
        (by site), None where there is none."""
        return {}

    def extraction_of(self, document: Document, pieces: Mask, *reasons: str) -> Extraction:
        """The extraction of whole pieces; ``pieces`` has the shape (pieces,)."""
        return Extraction(
            extractor=self.name,
            spans=spans_of_pieces(document, pieces),
            reasons=reasons,
        )


def spans_of_pieces(document: Document, pieces: Mask, offset: int = 0) -> tuple[Span, ...]:
    """Spans over pieces, a mask that begins at piece ``offset``; runs of neighbours with the same
    label make one span."""
    here, all_pieces = slice(offset, offset + pieces.size), document.pieces
    heading = document.inside_tags("h1 h2 h3 h4 h5 h6")[here]
    found = piece_masks.runs(pieces, heading, all_pieces.start[here], all_pieces.end[here])
    return tuple([Span(start, end, _LABELS[is_heading]) for start, end, is_heading in found])


_LABELS: Final = (Label.BODY, Label.HEADING)
"""By whether a piece is a heading's."""


def spans_between(document: Document, ranges: Sequence[tuple[int, int]]) -> tuple[Span, ...]:
    """Spans over what is shown in half-open ranges of the text; the ranges may overlap."""
    apart = _apart(ranges)
    pieces, inside = document.pieces, np.zeros(len(document.pieces), dtype=bool)
    for start, end in apart:
        first = np.searchsorted(pieces.end, start, side="right")
        inside[first : np.searchsorted(pieces.start, end)] = True
    starts, ends = [start for start, _ in apart], [end for _, end in apart]
    return tuple(
        clipped
        for span in spans_of_pieces(document, inside & ~document.hidden)
        for clipped in _clip(span, starts, ends)
    )


def block_sums(document: Document, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The sum of a value of pieces, (pieces,), over each block of the document; (blocks,)."""
    blocks = blocks_of(document)
    return range_sums(values, blocks.first_piece, blocks.last_piece)


def _apart(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same ranges in order, those that overlap as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def _clip(span: Span, starts: Sequence[int], ends: Sequence[int]) -> Iterator[Span]:
    """The parts of a span inside ranges that are in order and apart; O(log n) and what it gives."""
    first, last = bisect_right(ends, span.start), bisect_left(starts, span.end)
    for start, end in zip(starts[first:last], ends[first:last], strict=True):
        yield Span(max(start, span.start), min(end, span.end), span.label)


def pieces_between(document: Document, first: int, last: int) -> Mask:
    """The visible pieces with an index from ``first`` up to, not including, ``last``."""
    found: Mask = ~document.hidden
    found[:first] = False
    found[last:] = False
    return found
