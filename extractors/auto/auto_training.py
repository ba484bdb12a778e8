"""How ``auto`` learns: folds by domain, words' worth, trees of blocks, then of whole pages.

Knows examples and numbers; refuses to know files, packages and how a text is measured. What is said
of a page in training never stems from its own domain: tokens' worth comes from the other folds, and
the models of whole pages learn from block models that never saw the page.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final
from zlib import crc32

import numpy as np
import numpy.typing as npt

from winnow.document.blocks import Blocks, blocks_of
from winnow.document.document import Document
from winnow.extractors.auto import attribute_tokens, decision, feature_matrix
from winnow.extractors.auto.attribute_tokens import AttributeTokens
from winnow.extractors.auto.auto_model import PAGE_TYPES, AutoModel
from winnow.extractors.auto.fitting import FittingRows, TreePlan, fit_trees  # fmt: skip
from winnow.extractors.auto.prediction import log_odds, page_features, page_type
from winnow.extractors.auto.token_scores import BITS, Lexicon, scores_from, slots_of
from winnow.extractors.auto.trees import NODE, Forest

FOLDS: Final = 5
STEP, PATIENCE = 20, 100
"""Trees between two looks at F1, and trees that may bring nothing before growing stops."""
ALL: Final = -1
"""The fold that leaves nothing out: what ships."""

Confidences = npt.NDArray[np.float64]
INDEXES: Final = frozenset({"collection", "listing"})
"""Page types whose content is entries that lead elsewhere."""
INDEX_WEIGHT: Final = 0.1

Floats = npt.NDArray[Any]
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, eq=False)
class AutoExample:
    """A page with known content. ``shares``: of each block, how much is content, (blocks,);
    ``gold_words``: words of its known content; ``domain``: pages of one are in one fold;
    ``bare``: the same page without its main content, as (document, blocks), if there is one."""

    document: Document
    blocks: Blocks
    shares: npt.NDArray[np.float32]
    gold_words: int
    domain: str
    page_type: str | None = None
    bare: tuple[Document, Blocks] | None = None

    @property
    def fold(self) -> int:
        """Which fold its domain is in; the same in every run."""
        return crc32(self.domain.encode()) % FOLDS


@dataclass(frozen=True, slots=True)
class AutoTrainingPlan:
    """All that can be chosen. ``blocks_a_page``: so many are learned from
    at most, drawn at random, and stand for the others."""

    trees: TreePlan = field(default_factory=TreePlan)
    types: TreePlan = field(
        default_factory=lambda: TreePlan(
            trees=40, leaves=8, rate=0.1, rows_in_leaf=15, weight_in_leaf=1, features_tried=0.5
        )
    )
    sure: TreePlan = field(
        default_factory=lambda: TreePlan(
            trees=150, leaves=8, rate=0.05, rows_in_leaf=20, weight_in_leaf=1, features_tried=0.5
        )
    )
    blocks_a_page: int = 250


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """What a fold's model says of one page that it never saw. ``page``: the page's row."""

    example: int
    kept: npt.NDArray[np.bool_]
    page: npt.NDArray[np.float32]
    bare_page: npt.NDArray[np.float32] | None


@dataclass(frozen=True, slots=True, eq=False)
class TrainedAuto:
    """The model that ships, and what the folds' models said of the pages they never saw.

    ``confidences``: that each of these pages has content, and that it has without it; (held, 2),
    not a number where there is no bare form. ``kinds``: the page type each seems to have."""

    model: AutoModel
    held: tuple[Held, ...]
    confidences: Confidences
    kinds: tuple[str | None, ...] = ()


def learn(examples: Sequence[AutoExample], plan: AutoTrainingPlan, say: Say) -> TrainedAuto:
    """Train FOLDS models and one of everything; ``say`` is told what is being done."""
    school = _School(examples, plan, say)
    school.settle()
    held = [answer for fold in range(FOLDS) for answer in school.hold_out(fold)]
    return TrainedAuto(
        school.graduate(held), tuple(held), school.confidences(held), school.kinds(held)
    )


def grown(f1_by_size: Iterable[tuple[int, float]]) -> int:
    """The size with the best F1 among those up to PATIENCE trees behind it."""
    best_size, best = 0, -1.0
    for size, found in f1_by_size:
        if found > best:
            best_size, best = size, found
        elif size - best_size >= PATIENCE:
            break
    return best_size


def f1(example: AutoExample, score: Floats) -> float:
    """The word F1 that log-odds a block come to on a page, about: a block's words are content by
    its share. 1 where nothing is kept and nothing should be."""
    words, chances = example.blocks.words, decision.probability(score)
    kept = chances > decision.threshold(decision.expected_f1(chances, words))
    both = float(words[kept].sum()) + example.gold_words
    return 2 * float((words * example.shares)[kept].sum()) / both if both else 1.0


class _School:
    """What all folds share: tokens and votes of the examples."""

    def __init__(self, examples: Sequence[AutoExample], plan: AutoTrainingPlan, say: Say) -> None:
        self.examples, self.plan, self.say = examples, plan, say
        self.votes = np.zeros((FOLDS, 2, 1 << BITS), dtype=np.float32)
        self.tokens = [_tokens(example.document, example.blocks) for example in examples]
        for example, tokens in zip(examples, self.tokens, strict=True):
            if example.gold_words and len(example.blocks):
                _vote(self.votes[example.fold], example, *tokens)

    def lexicon(self, *without: int) -> Lexicon:
        """What tokens are worth by the votes of all folds but some."""
        kept = [fold for fold in range(FOLDS) if fold not in without]
        content, rest = self.votes[kept].sum(axis=0, dtype=np.float64)
        return Lexicon(scores_from(content, rest))

    def settle(self) -> None:
        """Choose the number of trees, once for all folds: by the F1 that trees of all folds but the
        first two have on the second's pages. Growing stops where PATIENCE trees brought nothing.

        The reported figures of one fold in five know that one number. (The loss would stop at a
        third of the trees, where F1 is still .003 lower.)
        """
        without = (0, 1)
        forest = fit_trees(self._lesson(without, range(2, FOLDS)), self.plan.trees)
        size = grown(self._f1_by_size(forest, without))
        self.plan = replace(self.plan, trees=replace(self.plan.trees, trees=size))
        self.say(f"{size} trees")

    def _f1_by_size(self, forest: Forest, without: tuple[int, int]) -> Iterator[tuple[int, float]]:
        """Mean F1 of the second fold's pages after each STEP of trees."""
        lexicon = self.lexicon(*without)
        pages = [
            (example, *self._rows(example.document, example.blocks, lexicon, tokens))
            for example, tokens in zip(self.examples, self.tokens, strict=True)
            if example.fold == without[1] and len(example.blocks)
        ]
        score = np.zeros(sum(len(rows) for _, rows, _ in pages))
        ends = np.cumsum([len(rows) for _, rows, _ in pages])
        every = np.concatenate([rows for _, rows, _ in pages])
        for start in range(0, len(forest.roots), STEP):
            some = forest.of(forest.roots[start : start + STEP])
            score += some.sum(every)
            found = [
                f1(example, decision.averaged(own, example.blocks.words, alike))
                for own, (example, _, alike) in zip(np.split(score, ends[:-1]), pages, strict=True)
            ]
            yield min(start + STEP, len(forest.roots)), float(np.mean(found))

    def hold_out(self, fold: int) -> Iterator[Held]:
        """Train without one fold and say what that model says of its pages."""
        model = self.block_model(fold)
        for index, example in enumerate(self.examples):
            if example.fold == fold:
                yield self._held(index, example, model)

    def block_model(self, fold: int) -> AutoModel:
        """A model of blocks trained without one fold (ALL: with everything)."""
        self.say("everything" if fold == ALL else f"fold {fold + 1} of {FOLDS}")
        lesson = self._lesson((fold,), [own for own in range(FOLDS) if own != fold])
        none = Forest(np.zeros(0, dtype=NODE), np.zeros(0, dtype=np.int32))
        return AutoModel(
            self.lexicon(fold), fit_trees(lesson, self.plan.trees), (), none,
            np.median(lesson.rows, axis=0), feature_matrix.names(), "",
        )  # fmt: skip

    def graduate(self, held: Sequence[Held]) -> AutoModel:
        """The model of everything, with what the held-out pages teach about whole pages."""
        model = self.block_model(ALL)
        return AutoModel(
            model.lexicon, model.forest, self.types(held), self.sure(held),
            model.typical, model.names, "",
        )  # fmt: skip

    def types(self, held: Sequence[Held], without: int = ALL) -> tuple[Forest, ...]:
        """Trees for each page type, by the pages whose type is told; one fold is left out."""
        told = [
            answer for answer in held
            if self.examples[answer.example].page_type in PAGE_TYPES
            and self.examples[answer.example].fold != without
        ]  # fmt: skip
        if not told:
            return ()
        kinds = [self.examples[answer.example].page_type for answer in told]
        pages = np.stack([answer.page for answer in told])
        return tuple(
            fit_trees(_plain(pages, np.array([kind == one for one in kinds])), self.plan.types)
            for kind in PAGE_TYPES
        )

    def kinds(self, held: Sequence[Held]) -> tuple[str | None, ...]:
        """The page type that each page seems to have to trees that never saw the fold."""
        forests = [self.types(held, fold) for fold in range(FOLDS)]
        folds = [self.examples[answer.example].fold for answer in held]
        return tuple(
            page_type(answer.page[None], forests[fold])
            for fold, answer in zip(folds, held, strict=True)
        )

    def sure(self, held: Sequence[Held], without: int = ALL) -> Forest:
        """Trees that tell pages with main content from such without; one fold is left out.

        Without are pages of empty gold and those whose content was taken away. Collections and
        listings count little for those with: much of what makes them is on front pages too.
        """
        rows, truth, weights = [], [], []
        for answer in held:
            example = self.examples[answer.example]
            if example.fold == without:
                continue
            rows.append(answer.page)
            truth.append(float(example.gold_words > 0))
            index = example.page_type in INDEXES and example.gold_words > 0
            weights.append(INDEX_WEIGHT if index else 1.0)
            if answer.bare_page is not None:
                rows.append(answer.bare_page)
                truth.append(0.0)
                weights.append(1.0)
        lesson = FittingRows(
            np.stack(rows).astype(np.float32),
            np.array(truth, dtype=np.float32),
            np.array(weights, dtype=np.float32),
        )
        return fit_trees(lesson, self.plan.sure)

    def confidences(self, held: Sequence[Held]) -> Confidences:
        """How sure a model is, that never saw the fold, of each page and of its bare form."""
        found = np.full((len(held), 2), np.nan)
        for fold in range(FOLDS):
            sure = self.sure(held, fold)
            for index, answer in enumerate(held):
                if self.examples[answer.example].fold == fold:
                    found[index, 0] = sure.sum(answer.page[None])[0]
                    if answer.bare_page is not None:
                        found[index, 1] = sure.sum(answer.bare_page[None])[0]
        return decision.probability(found)

    def _lesson(self, without: Collection[int], folds: Collection[int]) -> FittingRows:
        """The blocks of some folds' pages; tokens' worth by neither their own nor those without."""
        lexicons = {own: self.lexicon(*without, own) for own in folds}
        rows, shares, weights = [], [], []
        for example, tokens in zip(self.examples, self.tokens, strict=True):
            if example.fold not in folds or not len(example.blocks):
                continue
            found, _ = self._rows(example.document, example.blocks, lexicons[example.fold], tokens)
            some, weight = _sample(example, self.plan.blocks_a_page)
            rows.append(found[some])
            shares.append(example.shares[some])
            weights.append(weight)
        return FittingRows(
            np.concatenate(rows), np.concatenate(shares), np.concatenate(weights).astype(np.float32)
        )

    def _rows(
        self,
        document: Document,
        blocks: Blocks,
        lexicon: Lexicon,
        tokens: tuple[AttributeTokens, AttributeTokens],
    ) -> feature_matrix.Matrix:
        of_elements, of_blocks = tokens
        worth = lexicon.score(of_elements, len(document.elements))
        said = lexicon.score(of_blocks, len(blocks))
        return feature_matrix.matrix_of(document, blocks, of_elements, worth, said)

    def _held(self, index: int, example: AutoExample, model: AutoModel) -> Held:
        kept, page = self._answer(example.document, example.blocks, model, self.tokens[index])
        bare = None
        if example.bare is not None:
            _, bare = self._answer(*example.bare, model, _tokens(*example.bare))
        return Held(index, kept, page, bare)

    def _answer(
        self,
        document: Document,
        blocks: Blocks,
        model: AutoModel,
        tokens: tuple[AttributeTokens, AttributeTokens],
    ) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.float32]]:
        if not len(blocks):
            none = np.zeros(0)
            empty = np.zeros((1, len(feature_matrix.names())), dtype=np.float32)
            return none > 0, page_features(empty, model, np.zeros(1), np.zeros(1), 0.0)[0]
        rows, alike = self._rows(document, blocks, model.lexicon, tokens)
        chances = decision.probability(
            decision.averaged(log_odds(rows, model), blocks.words, alike)
        )
        expected = decision.expected_f1(chances, blocks.words)
        kept = decision.fill_silent(chances > decision.threshold(expected), blocks.words)
        return kept, page_features(rows, model, chances, blocks.words, expected)[0]


def bare_of(document: Document, blocks: Blocks, shares: Floats) -> tuple[Document, Blocks]:
    """The page without the text of its main content: chrome alone, as on a page that has none."""
    pieces, gone = document.pieces, np.repeat(shares >= 0.3, blocks.last_piece - blocks.first_piece)
    kept, position = [], 0
    edges = zip(pieces.source_start[gone].tolist(), pieces.source_end[gone].tolist(), strict=True)
    for start, end in edges:
        kept.append(document.markup[position:start])
        position = max(end, position)
    kept.append(document.markup[position:])
    bare = Document.from_html("".join(kept), document.page.url)
    return bare, blocks_of(bare)


def _tokens(document: Document, blocks: Blocks) -> tuple[AttributeTokens, AttributeTokens]:
    return attribute_tokens.element_tokens(document), attribute_tokens.block_tokens(
        document, blocks
    )


def _vote(votes: npt.NDArray[np.float32], example: AutoExample, *tokens: AttributeTokens) -> None:
    """A page's vote on each of its tokens: the share of content in what bears the token."""
    blocks, elements = example.blocks, example.document.elements
    words = blocks.words.astype(np.float64)
    of_piece = np.append(
        np.repeat(np.arange(len(blocks)), blocks.last_piece - blocks.first_piece), len(blocks)
    )
    first, last = of_piece[elements.first_piece], of_piece[np.maximum(elements.last_piece - 1, 0)]
    last = np.where(elements.last_piece > elements.first_piece, last + 1, first)
    before = [np.append(0, np.cumsum(column)) for column in (words, words * example.shares)]
    inside, content = (column[last] - column[first] for column in before)
    spoken = (words > 0).astype(np.float64)
    of_kind = ((inside, content), (spoken, spoken * example.shares))
    for found, (whole, part) in zip(tokens, of_kind, strict=True):
        slots, owner = np.unique(slots_of(found.token), return_inverse=True)
        weight = np.bincount(owner, whole[found.owner])
        known = weight > 0
        share = np.bincount(owner, part[found.owner])[known] / weight[known]
        votes[0, slots[known]] += share
        votes[1, slots[known]] += 1 - share


def _sample(example: AutoExample, most: int) -> tuple[npt.NDArray[np.intp], Floats]:
    """Which blocks are learned from, and what an error in each costs its page's F1, about: its
    words over those at stake."""
    words = example.blocks.words
    some = np.flatnonzero(words > 0)
    share = max(len(some) / most, 1.0)
    if share > 1:
        draw = np.random.default_rng(crc32(example.domain.encode()))
        some = np.sort(draw.choice(some, most, replace=False))
    stake = 0.5 * example.gold_words + 0.25 * float(words.sum()) + 20
    return some, np.minimum(words[some], 200) / stake * share


def _plain(rows: npt.NDArray[np.floating], truth: npt.NDArray[np.generic]) -> FittingRows:
    return FittingRows(
        rows.astype(np.float32), truth.astype(np.float32), np.ones(len(rows), dtype=np.float32)
    )
