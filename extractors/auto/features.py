"""What can be said of each block, as numbers: 1 row a feature, 1 column a block.

Knows the document, its blocks and what tokens are worth; refuses to know any model. Everything is
computed for all blocks at once; what concerns ancestors comes from extractors.auto.ancestry.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from document import tags
from document.blocks import Blocks
from document.document import Document
from extractors.auto import machine, tables
from extractors.auto.ancestry import Ancestry, ancestry_of
from extractors.auto.lexis import OF_CLASS, Tokens

Array = npt.NDArray[Any]
Row = npt.NDArray[Any]
Features = Mapping[str, Row]

WORDS, LINKED, GOOD, SENTENCES, COUNT, MEDIA, SHORT = range(7)
"""Columns of the sums: words; those in links; those in long blocks of few links, and in blocks with
sentences; blocks; media; blocks of three words at most."""
LEVELS: Final = 5
CARDS: Final = 3
"""So many siblings of the same tag and class make a row of cards."""
_ODD: Final = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """What all features of one page are computed from.

    ``sums``: prefix sums over blocks, (n + 1, 7); ``inner``: sums inside each element, the whole
    page's in the last row, (elements + 1, 7). ``worth``: of each element's tokens (elements + 1,);
    ``said``: of each block's text (n,). ``owner``: the innermost element of each block's first
    piece, ``outer``: the block elements around each block, LEVELS + 1 rows, (levels, n).
    ``siblings``: equals among an element's siblings, itself included; ``path``: hashes of the tags
    and classes, and of the tags alone, from the root, (elements + 1, 2). ``first``, ``last``: each
    element's half-open range of blocks.
    """

    document: Document
    blocks: Blocks
    ancestry: Ancestry
    tag: Array
    sums: Row
    inner: Row
    worth: Row
    said: Row
    owner: Array
    outer: Array
    siblings: Row
    path: Array
    first: Array
    last: Array
    kinds: Row


def look(document: Document, blocks: Blocks, tokens: Tokens, worth: Row, said: Row) -> Sight:
    """Compute what the features share. ``tokens`` are those of the elements."""
    elements, pieces = document.elements, document.pieces
    nowhere, n = len(elements), len(blocks)
    ancestry = ancestry_of(elements)
    tag = np.append(elements.tag, tables.NO_TAG)
    kinds, sums = _sums(document, blocks)
    of_piece = np.append(np.repeat(np.arange(n), blocks.last_piece - blocks.first_piece), n)
    first = np.append(of_piece.take(elements.first_piece), 0)
    filled = elements.last_piece > elements.first_piece
    inner = of_piece.take(np.maximum(elements.last_piece - 1, 0)) + 1
    last = np.append(np.where(filled, inner, first[:-1]), n)
    block = np.append(np.where(elements.block >= 0, elements.block, nowhere), nowhere).astype(
        np.intp
    )
    around = block.take(ancestry.parents)
    classes = np.where(tokens.token & np.uint32(OF_CLASS), tokens.token, 0)
    look_alike = np.bincount(tokens.owner, classes, nowhere + 1).astype(np.int64)
    look_alike = look_alike * np.int64(1_000_003) + tag
    return Sight(
        document, blocks, ancestry, tag, sums, sums.take(last, axis=0) - sums.take(first, axis=0),
        np.append(worth, np.float32(0)), said,
        pieces.owner.take(blocks.first_piece).astype(np.intp),
        _outwards(np.where(blocks.element >= 0, blocks.element, nowhere), around),
        _equals(look_alike * np.int64(7919) + around * np.int64(2_654_435_761)),
        _paths(ancestry, look_alike, tag), first, last, kinds,
    )  # fmt: skip


def _sums(document: Document, blocks: Blocks) -> tuple[Row, Row]:
    """Characters per block and class, (n, 8), and the prefix sums."""
    n = len(blocks)
    kinds = tables.counts(document.text, blocks.start)
    words, linked = blocks.words, blocks.linked_words
    columns = np.empty((n, 7))
    columns[:, WORDS], columns[:, LINKED], columns[:, COUNT] = words, linked, 1
    columns[:, GOOD] = words * ((words >= 10) & (linked < 0.35 * words))
    columns[:, SENTENCES] = words * (
        (words >= 8) & (kinds[:, tables.STOP] > 0) & (linked < 0.5 * words)
    )
    columns[:, MEDIA] = np.add.reduceat(document.media, blocks.first_piece, dtype=np.int32)
    columns[:, SHORT] = words <= 3
    sums = np.zeros((n + 1, 7))
    np.cumsum(columns, axis=0, out=sums[1:])
    return kinds.astype(np.float32), sums


def _outwards(innermost: Array, around: Array) -> Array:
    rows = [innermost]
    for _ in range(LEVELS):
        rows.append(around.take(rows[-1]))
    return np.stack(rows)


def grouped(keys: Array) -> tuple[Array, Array]:
    """The number of each key's group, and how many are in each group; groups sorted by key."""
    order = np.argsort(keys, kind="stable")
    ordered = keys.take(order)
    starts = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    group = np.empty(len(keys), dtype=np.intp)
    group[order] = np.cumsum(starts) - 1
    return group, np.diff(np.append(np.flatnonzero(starts), len(keys)))


def _equals(keys: Array) -> Row:
    """How many have the same key; nobody equals "no element"."""
    group, counts = grouped(keys)
    found = counts.astype(np.float32).take(group)
    found[-1] = 1
    return found


def _paths(ancestry: Ancestry, look_alike: Array, tag: Array) -> Array:
    hashes = np.stack([look_alike, tag + 1], axis=1).astype(np.uint64)
    hashes = (hashes ^ (hashes >> np.uint64(29))) * _ODD
    hashes[-1] = 0
    depth = np.ones(len(tag), dtype=np.int64)
    depth[-1] = 0
    depth = ancestry.gather(depth, np.add)
    powers = np.full(int(depth.max()) + 1, _ODD)
    powers[0] = 1
    return ancestry.gather(hashes * np.multiply.accumulate(powers).take(depth)[:, None], np.add)


def features(sight: Sight) -> dict[str, Any]:
    """All features of a page with at least one block, by name; each of shape (n,).

    What concerns the whole page comes last and is one number.
    """
    rows: dict[str, Any] = {}
    for group in (_own, _chain, _levels, _cards, _paths_shared, _headings, _order, _window):
        rows.update(group(sight))
    rows.update(_neighbours(rows))
    rows.update((name, np.float32(value)) for name, value in _page(sight, rows))
    return rows


def _share(part: Array, whole: Array) -> Row:
    return part / np.maximum(whole, 1)


def _own(sight: Sight) -> Iterator[tuple[str, Row]]:
    blocks, kinds = sight.blocks, sight.kinds
    words, length = blocks.words, blocks.end - blocks.start
    yield "words", words
    yield "links", blocks.link_density
    yield "word length", _share(length, words)
    letters = np.maximum(kinds.sum(axis=1), 1)
    yield "capitals", kinds[:, tables.CAPITAL] / letters
    yield "marks", kinds[:, tables.MARK] / letters
    yield "unspaced", kinds[:, tables.UNSPACED] / letters
    yield "stops", kinds[:, tables.STOP]
    yield "commas", kinds[:, tables.COMMA]
    yield "stops a word", _share(kinds[:, tables.STOP], words)
    yield "hidden", blocks.hidden
    yield "pieces", blocks.last_piece - blocks.first_piece
    yield "text says", sight.said


def _chain(sight: Sight) -> Iterator[tuple[str, Row]]:
    """What the ancestors say together."""
    worth, good = sight.worth, sight.inner[:, GOOD] / max(sight.inner[-1, GOOD], 1)
    inside = np.where(good < 0.5, worth, 0)
    counted = np.stack(
        [np.ones_like(good), good >= 0.1, good >= 0.2, good >= 0.4, good >= 0.7, worth, inside],
        axis=1, dtype=np.float32,
    )  # fmt: skip
    counted[-1] = 0
    summed = sight.ancestry.gather(counted, np.add).take(sight.owner, axis=0)
    yield "depth", summed[:, 0]
    for column, share in enumerate((10, 20, 40, 70), start=1):
        yield f"depth below {share} %", summed[:, 0] - summed[:, column]
    yield "names say", summed[:, 5]
    yield "inner names say", summed[:, 6]
    extremes = np.stack([worth, -worth, inside, -inside], axis=1, dtype=np.float32)
    extremes[-1] = 0
    most = sight.ancestry.gather(extremes, np.maximum).take(sight.owner, axis=0)
    yield "best name", most[:, 0]
    yield "worst name", -most[:, 1]
    yield "best inner name", most[:, 2]
    yield "worst inner name", -most[:, 3]
    yield "own name", worth.take(sight.owner)
    bits = tables.CONTEXT_BIT.take(sight.tag)
    bits = sight.ancestry.gather(bits, np.bitwise_or).take(sight.owner)
    for bit, names in enumerate(tables.CONTEXTS):
        yield f"in {names}", (bits >> bit) & 1
    yield "element", tables.KIND.take(sight.tag.take(sight.outer[0]))
    yield "inner element", tables.KIND.take(sight.tag.take(sight.owner))


def _levels(sight: Sight) -> Iterator[tuple[str, Row]]:
    """What the block elements around hold, from the inside out."""
    around = sight.outer[:LEVELS]
    inner = np.moveaxis(sight.inner.take(around, axis=0), 2, 0)
    words, blocks = np.maximum(inner[WORDS], 1), np.maximum(inner[COUNT], 1)
    found = (
        ("words", 0, inner[WORDS]),
        ("links", 0, inner[LINKED] / words),
        ("share", 0, inner[GOOD] / max(sight.inner[-1, GOOD], 1)),
        ("short", 0, inner[SHORT] / blocks),
        ("name", 0, sight.worth.take(around)),
        ("siblings", 0, sight.siblings.take(around)),
        ("good", 1, inner[GOOD] / words),
        ("blocks", 1, inner[COUNT]),
        ("media", 1, inner[MEDIA] / blocks),
        ("element", 1, tables.KIND.take(sight.tag.take(around))),
    )
    for name, innermost, rows in found:
        for level in range(innermost, LEVELS):
            yield f"{name} around {level}", rows[level]


def _cards(sight: Sight) -> Iterator[tuple[str, Row]]:
    """The nearest element with equals among its siblings, and what these stand in."""
    rows = sight.siblings.take(sight.outer) >= CARDS
    found = rows.any(axis=0)
    level = rows.argmax(axis=0)
    columns = np.arange(len(level))
    card = sight.outer[level, columns]
    inner = sight.inner.take(card, axis=0).T
    number = sight.siblings[card]
    for name, row in (
        ("cards", number), ("card words", inner[WORDS]),
        ("card links", _share(inner[LINKED], inner[WORDS])),
    ):  # fmt: skip
        yield name, np.where(found, row, -1)
    deck = np.append(sight.document.elements.block, -1)[sight.ancestry.parents[card]]
    inner = sight.inner.take(deck, axis=0).T
    whole = sight.inner[-1]
    for name, row in (
        ("deck words", inner[WORDS] / max(whole[WORDS], 1)),
        ("deck links", _share(inner[LINKED], inner[WORDS])),
        ("deck good", _share(inner[GOOD], inner[WORDS])),
        ("deck share", inner[GOOD] / max(whole[GOOD], 1)), ("deck name", sight.worth[deck]),
    ):  # fmt: skip
        yield name, np.where(found, row, -1)


def _paths_shared(sight: Sight) -> Iterator[tuple[str, Row]]:
    """What the blocks of the same path are like: their classes too, then tags alone."""
    for column, name in ((0, "alike"), (1, "same path")):
        group, number = grouped(sight.path[:, column].take(sight.owner))
        yield from _group(sight, group, number, name)


def _group(sight: Sight, group: Array, number: Array, name: str) -> Iterator[tuple[str, Row]]:
    n = len(group)
    own = np.diff(sight.sums, axis=0)
    words = np.bincount(group, own[:, WORDS])
    yield f"{name}: blocks", number.take(group)
    yield f"{name}: words", (words / number).take(group)
    yield f"{name}: share", (words / max(sight.sums[-1, WORDS], 1)).take(group)
    yield f"{name}: links", _share(np.bincount(group, own[:, LINKED]), words).take(group)
    yield f"{name}: good", _share(np.bincount(group, own[:, GOOD]), words).take(group)
    yield f"{name}: texts say", (np.bincount(group, sight.said) / number).take(group)
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


def _headings(sight: Sight) -> Iterator[tuple[str, Row]]:
    level = tables.HEADING.take(sight.tag.take(sight.outer[0]))
    index, before = np.arange(len(level)), sight.sums[:-1, WORDS]
    yield "heading level", level
    short = (sight.blocks.words > 0) & (sight.blocks.words <= 4)
    title = (level > 0) & (level < 3)
    for name, mask in (("title", title), ("heading", level > 0), ("short", short)):
        latest = _latest(mask)
        there = latest >= 0
        yield f"{name} says", np.where(there, sight.said.take(latest, mode="wrap"), 0)
        if name != "short":
            yield f"blocks since {name}", np.where(there, index - latest, -1)
            yield (
                f"words since {name}",
                np.where(there, before - before.take(latest, mode="wrap"), -1),
            )
            yield f"level of {name}", np.where(there, level.take(latest, mode="wrap"), 0)
            yield f"blocks to next {name}", np.minimum(_next(mask) - index, 50)
    yield "first headings", np.cumsum(level == 1) - (level == 1)


def _order(sight: Sight) -> Iterator[tuple[str, Row]]:
    n, sums = len(sight.blocks), sight.sums
    index, good = np.arange(n), max(sums[-1, GOOD], 1)
    yield "position", index / n
    yield "blocks before", index
    yield "blocks after", n - index
    yield "words before", sums[:-1, WORDS] / max(sums[-1, WORDS], 1)
    yield "good before", sums[:-1, GOOD] / good
    yield "good after", (sums[-1, GOOD] - sums[1:, GOOD]) / good
    yield from _repeats(sight)


def _repeats(sight: Sight) -> Iterator[tuple[str, Row]]:
    """Which texts the page says twice, and which its title says."""
    blocks, text = sight.blocks, sight.document.text
    texts = [text[a:b] for a, b in zip(blocks.start.tolist(), blocks.end.tolist(), strict=True)]
    firsts: dict[str, int] = {}
    first = np.array([firsts.setdefault(said, index) for index, said in enumerate(texts)])
    yield "times said", np.bincount(first, minlength=len(texts))[first]
    yield "said before", first < np.arange(len(texts))
    title = sight.document.title
    named = np.array([len(said) > 3 and said in title for said in texts])
    long = np.flatnonzero(named & (blocks.words >= 3))
    if len(long):
        best = long[np.argmax(tables.HEADING[sight.tag[sight.outer[0, long]]] == 1)]
        yield "blocks since the title", np.clip(np.arange(len(texts)) - best, -100, 100)
    else:
        yield "blocks since the title", np.full(len(texts), -200)


def _window(sight: Sight) -> Iterator[tuple[str, Row]]:
    n = len(sight.blocks)
    index = np.arange(n)
    said = np.concatenate([[0.0], np.cumsum(sight.said)])
    for reach in (3, 8):
        first, last = np.maximum(index - reach, 0), np.minimum(index + reach + 1, n)
        within = (sight.sums.take(last, axis=0) - sight.sums.take(first, axis=0)).T
        yield f"texts within {reach} say", (said.take(last) - said.take(first)) / (last - first)
        yield f"good within {reach}", within[GOOD]
        yield f"links within {reach}", _share(within[LINKED], within[WORDS])
        yield f"words within {reach}", within[WORDS]


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


_COUNTED: Final = "article main table pre code time blockquote button input p li td h2 h3 iframe"


def _page(sight: Sight, rows: Features) -> Iterator[tuple[str, float]]:
    n, total = len(sight.blocks), sight.sums[-1]
    words = max(total[WORDS], 1.0)
    yield "page: blocks", n
    yield "page: words", total[WORDS]
    yield "page: good words", total[GOOD]
    yield "page: good", total[GOOD] / words
    yield "page: links", total[LINKED] / words
    yield "page: sentences", total[SENTENCES] / words
    yield "page: media", total[MEDIA] / n
    yield "page: short", total[SHORT] / n
    yield "page: longest", float(sight.blocks.words.max())
    yield "page: long", float((sight.blocks.words >= 40).sum())
    yield "page: headings", float((rows["heading level"] > 0).sum()) / n
    yield "page: cards", float((rows["cards"] > 0).sum()) / n
    yield "page: best name", float(sight.worth.max())
    yield "page: worst name", float(sight.worth.min())
    yield "page: names say", float(sight.worth.mean())
    yield "page: texts say", float(sight.said.mean())
    counts = np.bincount(sight.tag, minlength=tables.NO_TAG + 1)
    for name in _COUNTED.split():
        yield f"page: <{name}>", float(counts[tags.CODES[name]])
    yield from machine.said_of(sight.document)
