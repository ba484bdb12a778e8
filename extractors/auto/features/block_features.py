"""The features of each block: one row a feature, one column a block.

This is the definition; ``_features.c``, where it could be built, writes the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from winnow.extractors.auto.features import lookup_tables
from winnow.extractors.auto.features.block_context import (
    CARDS,
    COUNT,
    GOOD,
    LEVELS,
    LINKED,
    MEDIA,
    SHORT,
    TEASER,
    WORDS,
    Array,
    BlockContext,
    Row,
    grouped,
)
from winnow.extractors.auto.features.page_features import page_features

Features = Mapping[str, Row]


def features(context: BlockContext) -> dict[str, Any]:
    """All features of a page with at least one block, by name; each of shape (n,).

    What concerns the whole page comes last and is one number.
    """
    rows: dict[str, Any] = {}
    for group in (_own, _chain, _levels, _cards, _paths_shared, _headings, _order, _window):
        rows.update(group(context))
    rows.update(_neighbours(rows))
    rows.update((name, np.float32(value)) for name, value in page_features(context, rows))
    return rows


def _share(part: Array, whole: Array) -> Row:
    return part / np.maximum(whole, 1)


def _own(context: BlockContext) -> Iterator[tuple[str, Row]]:
    blocks, kinds = context.blocks, context.kinds
    words, length = blocks.words, blocks.end - blocks.start
    yield "words", words
    yield "links", blocks.link_density
    yield "word length", _share(length, words)
    letters = np.maximum(kinds.sum(axis=1), 1)
    yield "capitals", kinds[:, lookup_tables.CAPITAL] / letters
    yield "marks", kinds[:, lookup_tables.MARK] / letters
    yield "unspaced", kinds[:, lookup_tables.UNSPACED] / letters
    yield "stops", kinds[:, lookup_tables.STOP]
    yield "commas", kinds[:, lookup_tables.COMMA]
    yield "stops a word", _share(kinds[:, lookup_tables.STOP], words)
    yield "hidden", blocks.hidden
    yield "pieces", blocks.last_piece - blocks.first_piece
    yield "opens with a link", np.diff(context.sums[:, TEASER])
    yield "text says", context.block_scores


def _chain(context: BlockContext) -> Iterator[tuple[str, Row]]:
    """What the ancestors say together."""
    score, good = context.element_scores, context.inner[:, GOOD] / max(context.inner[-1, GOOD], 1)
    inside = np.where(good < 0.5, score, 0)
    counted = np.stack(
        [np.ones_like(good), good >= 0.1, good >= 0.2, good >= 0.4, good >= 0.7, score, inside],
        axis=1, dtype=np.float64,
    )  # fmt: skip
    counted[-1] = 0
    summed = context.ancestry.gather(counted, np.add).take(context.owner, axis=0)
    yield "depth", summed[:, 0]
    for column, share in enumerate((10, 20, 40, 70), start=1):
        yield f"depth below {share} %", summed[:, 0] - summed[:, column]
    yield "names say", summed[:, 5]
    yield "inner names say", summed[:, 6]
    extremes = np.stack([score, -score, inside, -inside], axis=1, dtype=np.float32)
    extremes[-1] = 0
    most = context.ancestry.gather(extremes, np.maximum).take(context.owner, axis=0)
    yield "best name", most[:, 0]
    yield "worst name", -most[:, 1]
    yield "best inner name", most[:, 2]
    yield "worst inner name", -most[:, 3]
    yield "own name", score.take(context.owner)
    bits = lookup_tables.CONTEXT_BIT.take(context.tag)
    bits = context.ancestry.gather(bits, np.bitwise_or).take(context.owner)
    for bit, names in enumerate(lookup_tables.CONTEXTS):
        yield f"in {names}", (bits >> bit) & 1
    yield "element", lookup_tables.KIND.take(context.tag.take(context.outer[0]))
    yield "inner element", lookup_tables.KIND.take(context.tag.take(context.owner))


def _levels(context: BlockContext) -> Iterator[tuple[str, Row]]:
    """What the block elements around hold, from the inside out."""
    around = context.outer[:LEVELS]
    inner = np.moveaxis(context.inner.take(around, axis=0), 2, 0)
    words, blocks = np.maximum(inner[WORDS], 1), np.maximum(inner[COUNT], 1)
    found = (
        ("words", 0, inner[WORDS]),
        ("links", 0, inner[LINKED] / words),
        ("share", 0, inner[GOOD] / max(context.inner[-1, GOOD], 1)),
        ("short", 0, inner[SHORT] / blocks),
        ("name", 0, context.element_scores.take(around)),
        ("siblings", 0, context.siblings.take(around)),
        ("good", 1, inner[GOOD] / words),
        ("blocks", 1, inner[COUNT]),
        ("media", 1, inner[MEDIA] / blocks),
        ("element", 1, lookup_tables.KIND.take(context.tag.take(around))),
    )
    for name, innermost, rows in found:
        for level in range(innermost, LEVELS):
            yield f"{name} around {level}", rows[level]


def _cards(context: BlockContext) -> Iterator[tuple[str, Row]]:
    """The nearest element with equals among its siblings, and what these stand in."""
    rows = context.siblings.take(context.outer) >= CARDS
    found = rows.any(axis=0)
    level = rows.argmax(axis=0)
    columns = np.arange(len(level))
    card = context.outer[level, columns]
    inner = context.inner.take(card, axis=0).T
    number = context.siblings[card]
    for name, row in (
        ("cards", number), ("card words", inner[WORDS]),
        ("card links", _share(inner[LINKED], inner[WORDS])),
    ):  # fmt: skip
        yield name, np.where(found, row, -1)
    deck = np.append(context.document.elements.block, -1)[context.ancestry.parents[card]]
    inner = context.inner.take(deck, axis=0).T
    whole = context.inner[-1]
    for name, row in (
        ("deck words", inner[WORDS] / max(whole[WORDS], 1)),
        ("deck links", _share(inner[LINKED], inner[WORDS])),
        ("deck good", _share(inner[GOOD], inner[WORDS])),
        ("deck share", inner[GOOD] / max(whole[GOOD], 1)),
        ("deck name", context.element_scores[deck]),
    ):  # fmt: skip
        yield name, np.where(found, row, -1)


def _paths_shared(context: BlockContext) -> Iterator[tuple[str, Row]]:
    """What the blocks of the same path are like: their classes too, then tags alone."""
    for column, name in ((0, "alike"), (1, "same path")):
        group, number = grouped(context.path[:, column].take(context.owner))
        yield from _group(context, group, number, name)


def _group(
    context: BlockContext, group: Array, number: Array, name: str
) -> Iterator[tuple[str, Row]]:
    n = len(group)
    own = np.diff(context.sums, axis=0)
    words = np.bincount(group, own[:, WORDS])
    yield f"{name}: blocks", number.take(group)
    yield f"{name}: words", (words / number).take(group)
    yield f"{name}: share", (words / max(context.sums[-1, WORDS], 1)).take(group)
    yield f"{name}: links", _share(np.bincount(group, own[:, LINKED]), words).take(group)
    yield f"{name}: good", _share(np.bincount(group, own[:, GOOD]), words).take(group)
    yield f"{name}: texts say", (np.bincount(group, context.block_scores) / number).take(group)
    order = np.argsort(group, kind="stable")
    ends = np.cumsum(number)
    first, last = order[ends - number], order[ends - 1]
    yield f"{name}: span", ((last - first) / n).take(group)
    yield f"{name}: since first", (np.arange(n) - first.take(group)) / n


def _latest(mask: Array) -> Array:
    """The index of the latest block of which the mask is true, itself included; -1 if none."""
    return np.maximum.accumulate(np.where(mask, np.arange(len(mask)), -1))


def _next(mask: Array) -> Array:
    """The index of the next block of which the mask is true, itself included; n if none."""
    n = len(mask)
    return np.minimum.accumulate(np.where(mask, np.arange(n), n)[::-1])[::-1]


def _headings(context: BlockContext) -> Iterator[tuple[str, Row]]:
    level = lookup_tables.HEADING.take(context.tag.take(context.outer[0]))
    index, before = np.arange(len(level)), context.sums[:-1, WORDS]
    yield "heading level", level
    short = (context.blocks.words > 0) & (context.blocks.words <= 4)
    title = (level > 0) & (level < 3)
    for name, mask in (("title", title), ("heading", level > 0), ("short", short)):
        latest = _latest(mask)
        there = latest >= 0
        yield f"{name} says", np.where(there, context.block_scores.take(latest, mode="wrap"), 0)
        if name != "short":
            yield f"blocks since {name}", np.where(there, index - latest, -1)
            yield (
                f"words since {name}",
                np.where(there, before - before.take(latest, mode="wrap"), -1),
            )
            yield f"level of {name}", np.where(there, level.take(latest, mode="wrap"), 0)
            yield f"blocks to next {name}", np.minimum(_next(mask) - index, 50)
    yield "first headings", np.cumsum(level == 1) - (level == 1)


def _order(context: BlockContext) -> Iterator[tuple[str, Row]]:
    n, sums = len(context.blocks), context.sums
    index, good = np.arange(n), max(sums[-1, GOOD], 1)
    yield "position", index / n
    yield "blocks before", index
    yield "blocks after", n - index
    yield "words before", sums[:-1, WORDS] / max(sums[-1, WORDS], 1)
    yield "good before", sums[:-1, GOOD] / good
    yield "good after", (sums[-1, GOOD] - sums[1:, GOOD]) / good
    yield from _repeats(context)


def _repeats(context: BlockContext) -> Iterator[tuple[str, Row]]:
    """Which texts the page says twice, and which its title says."""
    blocks, text = context.blocks, context.document.text
    texts = [text[a:b] for a, b in zip(blocks.start.tolist(), blocks.end.tolist(), strict=True)]
    firsts: dict[str, int] = {}
    first = np.array([firsts.setdefault(each, index) for index, each in enumerate(texts)])
    yield "times said", np.bincount(first, minlength=len(texts))[first]
    yield "said before", first < np.arange(len(texts))
    title = context.document.title
    named = np.array([len(each) > 3 and each in title for each in texts])
    long = np.flatnonzero(named & (blocks.words >= 3))
    if len(long):
        best = long[np.argmax(lookup_tables.HEADING[context.tag[context.outer[0, long]]] == 1)]
        yield "blocks since the title", np.clip(np.arange(len(texts)) - best, -100, 100)
    else:
        yield "blocks since the title", np.full(len(texts), -200)


def _window(context: BlockContext) -> Iterator[tuple[str, Row]]:
    n, index = len(context.blocks), np.arange(len(context.blocks))
    sums = np.concatenate([[0.0], np.cumsum(context.block_scores, dtype=np.float64)])
    for reach in (3, 8):
        first, last = np.maximum(index - reach, 0), np.minimum(index + reach + 1, n)
        within = (context.sums.take(last, axis=0) - context.sums.take(first, axis=0)).T
        yield f"texts within {reach} say", (sums.take(last) - sums.take(first)) / (last - first)
        yield f"good within {reach}", within[GOOD]
        yield f"links within {reach}", _share(within[LINKED], within[WORDS])
        yield f"words within {reach}", within[WORDS]
        yield f"teasers within {reach}", _share(within[TEASER], within[WORDS])


def shift(row: Row, by: int, empty: float = 0.0) -> Row:
    """What stands ``by`` blocks before (after, if negative); ``empty`` beyond the page's edge."""
    moved = np.full(len(row), empty, dtype=np.float32)
    if abs(by) < len(row):
        if by > 0:
            moved[by:] = row[:-by]
        else:
            moved[:by] = row[-by:]
    return moved


def _neighbours(rows: Features) -> dict[str, Row]:
    found: dict[str, Row] = {}
    for by in (-2, -1, 1, 2):
        place = f"{abs(by)} {'before' if by > 0 else 'after'}"
        for name in ("words", "text says", "names say"):
            found[f"{name}, {place}"] = shift(rows[name], by)
    return found
