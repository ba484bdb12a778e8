"""The scan of ``winnow.document.scan`` in NumPy, for installations without compiled loops.

It returns None for markup that no serialiser writes: there the definition does the work.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from typing import Final, NamedTuple

import numpy as np

from winnow.document import tags
from winnow.document.arrays import Elements, Pieces, Scan
from winnow.document.masking import has_ambiguous_script, mask_bracketed, mask_raw_text
from winnow.document.start_tags import hides, unescape_text
from winnow.document.tag_arrays import (
    Flags,
    Row,
    Tags,
    TagTree,
    element_of,
    ends,
    odd_tags_of,
    recorded_of,
    table,
    tags_of,
    tree_of,
)
from winnow.document.values import MEDIA

_EDGES: Final = np.array(tags.EDGES, dtype=np.int32)
_HINTS: Final = (' hidden="', "display:", "visibility:")
"""Every start tag that hides its element has one of these (winnow.document.start_tags)."""

_MEDIA: Final = table(tags.MEDIA)
_SILENT: Final = table(tags.SILENT)
_OPAQUE: Final = table(tags.OPAQUE)
_PREFORMATTED: Final = table(tags.PREFORMATTED)
_LISTS: Final = table(tags.codes_of("ul ol"))
_ITEM: Final = table(tags.codes_of("li"))
_RAW: Final = table(tags.codes_of(" ".join(tags.RAW_TEXT)))
_FOREIGN: Final = table(tags.FOREIGN)
_SHOWN_RAW: Final = table(tags.codes_of("xmp"))


class _Texts(NamedTuple):
    """The texts between tags that are shown. ``tag``: the tag before, among the recorded ones;
    ``order``: its place among all; ``words``: as shown; ``before``, ``behind``: blank edges."""

    tag: Row
    order: Row
    start: Row
    end: Row
    words: Sequence[str]
    before: Row
    behind: Row


def scan_with_numpy(markup: str) -> Scan | None:
    """What ``document.scan.scan`` finds; None where markup is not well-formed, or shows raw text.

    O(n log n) in the tags, no recursion.
    """
    if not markup.startswith("<") or markup.rfind("<") > markup.rfind(">"):
        return None
    if "<?" in markup or has_ambiguous_script(markup):
        return None
    masked = mask_bracketed(markup)
    found = tags_of(masked)
    if found is None:
        masked = mask_raw_text(markup)
        found = odd_tags_of(masked)
    recorded = recorded_of(found)
    if recorded is None or _SHOWN_RAW[found.code].any():
        return None
    if _has_text_outside(found, recorded) or _has_ambiguous_raw_text(found, recorded):
        return None
    nodes = found.only(recorded)
    tree = tree_of(nodes)
    if tree is None:
        return None
    result = _scan(masked, found, recorded, nodes, tree)
    return None if (result.pieces.owner < 0).any() else result


def _has_text_outside(found: Tags, recorded: Row) -> bool:
    """Whether text stands before the first element: no serialiser writes that."""
    first = int(recorded[0]) if len(recorded) else 0
    return bool((found.start[1 : first + 1] > found.end[:first]).any())


def _has_ambiguous_raw_text(found: Tags, recorded: Row) -> bool:
    """Whether what is named like a raw-text element stands in or behind SVG or MathML, the tag that
    is recorded last before being the same (winnow.document.scan defines what is ambiguous)."""
    nested = np.ones(len(found.code), dtype=bool)
    nested[recorded] = False
    raw = np.flatnonzero(nested & _RAW[found.code] & (found.step > 0))
    foreign = np.append(-1, np.flatnonzero(_FOREIGN[found.code] & (found.step > 0)))
    last = foreign[np.searchsorted(foreign, raw) - 1]
    around = recorded[np.searchsorted(recorded, raw) - 1]
    return bool((last >= around).any())


def _scan(masked: str, found: Tags, recorded: Row, nodes: Tags, tree: TagTree) -> Scan:
    silent = np.cumsum(nodes.step * _SILENT[nodes.code]) > 0
    texts = _texts(masked, found, recorded, nodes, silent)
    media = np.flatnonzero(_MEDIA[nodes.code] & ends(nodes) & ~silent)
    shown = np.array([text != "" for text in texts.words], dtype=bool)
    order = np.concatenate([recorded[media] * 2, texts.order[shown] * 2 + 1])
    merged = np.argsort(order, kind="stable")
    order = order[merged]
    element = element_of(tree, len(nodes.code))[media]

    def joined(of_media: Row, of_texts: Row) -> Row:
        return np.concatenate([of_media, of_texts[shown]])[merged]

    gap = _gaps(
        _edges(nodes, tree),
        joined(media + (nodes.step[media] == 0), texts.tag + 1),
        _blank(texts, shown, order),
    )
    contents = [*repeat(MEDIA, len(media)), *(text for text in texts.words if text)]
    words = [contents[index] for index in merged.tolist()]
    text, start, end = _joined_text(words, gap)
    pieces = Pieces(
        *map(
            _ints,
            (
                start, end,
                joined(nodes.start[tree.opening[element]], texts.start),
                joined(nodes.end[media], texts.end),
                joined(element, tree.around[texts.tag]),
                gap,
            ),
        )
    )  # fmt: skip
    return Scan(text, _elements(masked, recorded, nodes, tree, order), pieces)


def _elements(masked: str, recorded: Row, nodes: Tags, tree: TagTree, order: Row) -> Elements:
    opening, closing = tree.opening, tree.closing
    void = opening == closing
    opened = np.cumsum(nodes.step >= 0)
    rows = (
        nodes.code[opening], tree.parent, tree.block, nodes.start[opening], nodes.end[opening],
        np.searchsorted(order, recorded[opening] * 2),
        np.where(void, nodes.end[closing], nodes.start[closing]),
        nodes.end[closing],
        np.searchsorted(order, recorded[closing] * 2, side="right"),
        opened[closing],
        _hidden(masked, nodes.start[opening], nodes.end[opening]),
    )  # fmt: skip
    return Elements(*map(_ints, rows))


def _hidden(masked: str, start: Row, end: Row) -> Row:
    """Which start tags hide their element: only those are read that have a hint of it."""
    found = np.zeros(len(start), dtype=bool)
    hints = np.array(sorted(chain.from_iterable(_places(masked, hint) for hint in _HINTS)), int)
    at = np.searchsorted(start, hints) - 1
    for index in np.unique(at[(at >= 0) & (hints < end[at])]).tolist():
        found[index] = hides(masked[start[index] + 1 : end[index] - 1])
    return found


def _places(text: str, what: str) -> Iterator[int]:
    at = text.find(what)
    while at >= 0:
        yield at
        at = text.find(what, at + 1)


def _texts(masked: str, found: Tags, recorded: Row, nodes: Tags, silent: Flags) -> _Texts:
    """The texts that are shown, blank ones too."""
    ends = np.append(found.start[1:], len(masked))
    tag = np.searchsorted(recorded, np.arange(len(ends)), side="right") - 1
    opaque = _OPAQUE[nodes.code] & (nodes.step > 0)
    order = np.flatnonzero((found.end < ends) & (tag >= 0) & ~(silent | opaque)[tag])
    tag, start, end = tag[order], found.end[order], ends[order]
    raw = [*map(masked.__getitem__, map(slice, start.tolist(), end.tolist()))]
    if "&" in masked:
        raw = [unescape_text(text) if "&" in text else text for text in raw]
    words = [*map(" ".join, map(str.split, raw))]
    before, behind = _blank_edges(raw, words)
    exact = (np.cumsum(nodes.step * _PREFORMATTED[nodes.code]) > 0)[tag]
    for index in np.flatnonzero(exact).tolist():
        words[index] = raw[index]
    return _Texts(tag, order, start, end, words, before & ~exact, behind & ~exact)


def _blank_edges(raw: Sequence[str], words: Sequence[str]) -> tuple[Flags, Flags]:
    """Which texts begin and which end in white space: none that folding did not shorten."""
    lengths, folded = (np.fromiter(map(len, each), int, len(each)) for each in (raw, words))
    before = folded == 0
    behind = before.copy()
    for index in np.flatnonzero((folded < lengths) & ~before).tolist():
        text = raw[index]
        before[index], behind[index] = text[0].isspace(), text[-1].isspace()
    return before, behind


def _edges(nodes: Tags, tree: TagTree) -> Row:
    """How strongly each tag parts; shape (tags,)."""
    edges = _EDGES[nodes.code]
    lists = np.flatnonzero(_LISTS[nodes.code])
    parents = np.append(tree.parent, -1)[element_of(tree, len(edges))[lists]]
    inside = _ITEM[nodes.code[tree.opening[parents]]] & (parents >= 0)
    edges[lists[inside]] = tags.BLOCK
    return edges


def _blank(texts: _Texts, shown: Flags, order: Row) -> Flags:
    """Before which pieces there is white space: at their start, or that of a text between, or at
    the end of the text before; shape (pieces,)."""
    blank = np.zeros(len(order) + 1, dtype=bool)
    key = texts.order * 2 + 1
    blank[np.searchsorted(order, key[texts.before])] = True
    blank[np.searchsorted(order, key[texts.behind & shown]) + 1] = True
    return blank[:-1]


def _gaps(edges: Row, before: Row, blank: Flags) -> Row:
    """The edge before each piece: the strongest of the tags since the last, of which there are
    ``before`` up to it; shape (pieces,)."""
    if not len(before):
        return before
    since = np.append(0, before[:-1])
    strongest = np.maximum.reduceat(np.append(edges[: before[-1]], 0), since)
    strongest = np.where(before > since, strongest, 0)
    lines = np.append(0, np.cumsum(edges == tags.LINE))
    twice = (strongest == tags.LINE) & (lines[before] - lines[since] > 1)
    return np.where(twice, tags.BLOCK, np.maximum(strongest, blank))


def _joined_text(words: Sequence[str], gap: Row) -> tuple[str, Row, Row]:
    """The text, and where each piece starts and ends in it."""
    parts = [tags.SEPARATORS[edge] for edge in gap.tolist()]
    parts[:1] = [""] * bool(parts)
    text = "".join(chain.from_iterable(zip(parts, words, strict=True)))
    lengths = np.array([*map(len, words)], dtype=np.int64)
    end = np.cumsum(lengths + np.array([*map(len, parts)], dtype=np.int64))
    return text, end - lengths, end


def _ints(row: Row) -> Row:
    return row.astype(np.int32)
