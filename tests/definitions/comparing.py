"""How Winnow's answers are compared with those of the definitions."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tests.definitions import baselines, instances, webstemmer
from tests.definitions.token_stream import Token, token_stream
from tests.extractors.memory.made import elements, few
from tests.extractors.memory.test_timbl import answers, number, rank_of
from winnow.document.document import BareDocument
from winnow.document.parsing.decoding import decode
from winnow.document.tokens import TAG, WORD
from winnow.extractors.layout.pattern_files import page_lines
from winnow.extractors.layout.pattern_learning import learn, learned_pages, links_of
from winnow.extractors.layout.pattern_matching import ALL, MatchingLimits
from winnow.extractors.memory.feature_weights import WEIGHTS, FeatureWeights
from winnow.extractors.memory.igtree import Igtree
from winnow.extractors.memory.nearest import InstanceBase, predict
from winnow.extractors.registry import make

TAG_SCORE, WINDOW, K = -3.25, 30, 3
TRAIN, TEST = 300, 100
Stream = Sequence[Token]


class Compared(NamedTuple):
    """What was compared, on how many cases, and how many answers are equal."""

    what: str
    cases: int
    equal: int


def compared(what: str, found: Sequence[bool]) -> Compared:
    return Compared(what, len(found), sum(found))


def token_methods(documents: Sequence[BareDocument]) -> Iterator[Compared]:
    """The token stream, BTE, the simple maximum subsequence and DSC."""
    pairs = [(document, token_stream(source(document))) for document in documents]
    yield compared("the token stream", [own_stream(one) == other for one, other in pairs])
    yield compared("bte: T_ij, every i and j tried", [is_best_bte(*pair) for pair in pairs])
    yield compared(
        "simple-mss: figure 1", [kept("simple-mss", one) == figure_1(other) for one, other in pairs]
    )
    yield compared("dsc: areas", [kept("dsc", one) == areas(other) for one, other in pairs])


def source(document: BareDocument) -> str | bytes:
    """The page as it came: the markup of a document is its tree written out."""
    decoded = decode(document.page)
    return document.page.body if decoded.is_body else decoded.text


def own_stream(document: BareDocument) -> list[Token]:
    """Winnow's tokens."""
    tokens, kinds = document.tokens, ("tag", "word", "symbol")
    rows = zip(tokens.kind, tokens.start, tokens.end, tokens.element, tokens.closing, strict=True)
    return [
        Token("tag", "/" * bool(closing) + document.name_of(int(element)))
        if kind == TAG
        else Token(kinds[kind], document.text[start:end])
        for kind, start, end, element, closing in rows
    ]


def kept(method: str, document: BareDocument) -> list[str]:
    """The words under the spans of Winnow's method."""
    spans, tokens = make(method).extract(document).spans, document.tokens
    inside = np.zeros(len(tokens), dtype=bool)
    for span in spans:
        inside |= (tokens.start >= span.start) & (tokens.end <= span.end)
    rows = np.flatnonzero(inside & (tokens.kind == WORD))
    return [document.text[tokens.start[row] : tokens.end[row]] for row in rows]


def is_best_bte(document: BareDocument, stream: Stream) -> bool:
    """Whether no i and j have a higher T_ij than those of Winnow's run."""
    bits = [int(token.kind == "tag") for token in stream if token.kind != "symbol"]
    spans = make("bte").extract(document).spans
    if not spans:
        return baselines.best_bte(bits) <= sum(bits)
    tokens = document.tokens
    words = tokens.kind == WORD
    inside = (tokens.start >= spans[0].start) & (tokens.end <= spans[-1].end)
    counted = np.flatnonzero(words | (tokens.kind == TAG))
    run = np.flatnonzero((words & inside)[counted])
    return baselines.bte_value(bits, int(run[0]), int(run[-1])) == baselines.best_bte(bits)


def figure_1(stream: Stream) -> list[str]:
    """The words of the maximum subsequence."""
    start, end = baselines.figure_1([TAG_SCORE if t.kind == "tag" else 1 for t in stream])
    return [token.text for token in stream[start:end] if token.kind == "word"]


def areas(stream: Stream) -> list[str]:
    """The words of all low-slope areas."""
    counted = [token for token in stream if token.kind != "symbol"]
    bits = [int(token.kind == "tag") for token in counted]
    found = (counted[index] for index in baselines.slope_areas(bits, WINDOW))
    return [token.text for token in found if token.kind == "word"]


def memory(folder: Path) -> Iterator[Compared]:
    """IB1 and IGTREE with each weighting, and TiMBL's program where it is installed."""
    for made, weighting in product((few, elements), WEIGHTS):
        train, test = made(TRAIN, 1), made(TEST, 2)
        rows, classes = train.values.tolist(), train.classes.tolist()
        rank, numeric = rank_of(train).tolist(), train.numeric.tolist()
        worth = instances.weights(rows, classes, numeric, weighting)
        order = instances.summed(rows, classes, numeric)
        stored = instances.Ib1(rows, classes, numeric, worth, order)
        plain = [stored.predict(query, K, rank) for query in test.values.tolist()]
        base = InstanceBase.of(train, weighting)
        found = predict(base, test.values, K, rank_of(train)).tolist()
        what = f"{made.__name__}, {weighting}"
        yield compared(f"IB1, k={K}: {what}", _same(found, plain))
        tree = [
            instances.igtree(rows, classes, worth, query, rank) for query in test.values.tolist()
        ]
        own = FeatureWeights.of(train.values, train.classes, train.numeric).weights[weighting]
        grown = Igtree.of(train, own, rank_of(train)).predict(test.values).tolist()
        yield compared(f"IGTREE: {what}", _same(grown, tree))
        if shutil.which("timbl"):
            lines = answers(folder, train, test, "-w", weighting, f"-k{K}", "+vdi")
            theirs = [number(line[-2]) for line in lines]
            yield compared(f"IB1 by timbl: {what}", _same(found, theirs))
            lines = answers(folder, train, test, "-a1", "-w", weighting)
            theirs = [number(line[-1]) for line in lines]
            yield compared(f"IGTREE by timbl: {what}", _same(grown, theirs))


def layouts(name: str, sites: Sequence[Sequence[BareDocument]]) -> Iterator[Compared]:
    """Webstemmer's lines of each page of some sites."""
    equal, is_equal = list[bool](), list[bool]()
    for documents in sites:
        same = [ours == plain for ours, plain in _lines(documents)]
        equal += same
        is_equal.append(all(same))
    if sites:
        yield compared(f"layout:mode=webstemmer, pages: {name}", equal)
        yield compared(f"layout:mode=webstemmer, sites: {name}", is_equal)


def _lines(documents: Sequence[BareDocument]) -> Iterator[tuple[list[str], list[str]]]:
    """What is printed of each page of a site by the patterns of all of them: ours, and plain.

    White space is left out: the description says nothing of what stands between two elements.
    """
    links = links_of(documents)
    patterns = learn(learned_pages(documents, links))
    plain = [
        webstemmer.Site(
            document.page.url or "",
            webstemmer.blocks_of(source(document), document.title),
            links.get((document.page.url or "").partition("#")[0], ()),
        )
        for document in documents
    ]
    others = webstemmer.learn(plain)
    for document, page in zip(documents, plain, strict=True):
        own_lines = page_lines(document, patterns, MatchingLimits(sub=ALL))
        yield _letters(own_lines), _letters(webstemmer.lines(page, others))


def _letters(lines: Iterable[str]) -> list[str]:
    return ["".join(line.split()) for line in lines]


def _same(one: Sequence[int], other: Sequence[int]) -> list[bool]:
    return [left == right for left, right in zip(one, other, strict=True)]
