"""``mss``, ``mss-hr``, ``mss-cleaneval``: the best runs of learned scores (6.2, 7.4, 7.7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from heapq import nlargest
from types import MappingProxyType
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import range_sums
from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.document.parsing import tags
from winnow.document.tokens import TAG
from winnow.document.values import Extraction
from winnow.extractors.base import spans_between
from winnow.extractors.explanation import (
    BlockReason,
    MethodCurve,
    block_reasons,
    sampled,
    token_range,
)
from winnow.extractors.mss.cleaning import cleaned
from winnow.extractors.mss.mss_model import MssModel, TokenEvidence, load_model
from winnow.extractors.mss.mss_training import plain_model
from winnow.extractors.mss.token_features import Features
from winnow.extractors.parameters import Range, parameter
from winnow.extractors.subsequence import Run, Scores, best_run, maximal_runs
from winnow.extractors.trained_method import TrainedMethod

_RULE: Final = tags.CODES["hr"]
_WHY: Final = (
    "Its tokens’ learned scores sum to {score:+.1f}; the run with the highest sum is kept."
)


PUBLISHED_BIAS: Final = 0.14
"""Section 7.7: tuned on CleanEval's development set."""


@dataclass(frozen=True)
class Mss(TrainedMethod):
    """Maximum subsequence of Naive Bayes scores: trigram and most recent unclosed tag.

    ``k``: how many of the best runs are content. ``hr``: cut each before its first <hr>. ``bias``:
    is added to every score. ``unigram``, ``mrut``, ``shapes``: see TokenEvidence. ``clean``: take
    tables and <div> with links out (section 4.2). ``paper``: plain counts, neither shrunk nor
    quantised, as published; for a ``model`` that has its counts beside it.
    """

    k: int = parameter(1, Range(1, 1000))
    hr: bool = False
    bias: float = parameter(0.0, Range(-100, 100))
    unigram: bool = False
    mrut: bool = True
    shapes: bool = False
    clean: bool = False
    paper: bool = False
    method: ClassVar[str] = "mss"
    main_parameter: ClassVar[str] = "k"
    needs: ClassVar[Mapping[str, tuple[str, str]]] = MappingProxyType(
        {
            "paper=true": (
                "model",
                "`winnow train mss PACKAGE... --out DIR` makes one with its counts",
            )
        }
    )

    def extract(self, document: Document) -> Extraction:
        """Label the highest-valued runs of tokens; the confidence is the highest of theirs."""
        return self.extraction(document, *self.scored(document))

    def explain(self, document: Document) -> tuple[BlockReason, ...]:
        """The sum of the scores of each block's tokens."""
        return self.reasons(document, *self.scored(document))

    def curve(self, document: Document) -> MethodCurve:
        """Learned scores of tokens summed along the page."""
        p, scores = self.scored(document)
        return MethodCurve(
            "Learned token scores, summed",
            "Each token adds its learned chance of being in the article, less a half: mss takes "
            "the run (shaded) that climbs highest.",
            sampled(np.cumsum(scores)),
            token_range(document, self.extraction(document, p, scores).spans),
        )

    def scored(self, document: Document) -> tuple[Scores, Scores]:
        """P(in) and the score of each token; both (n,)."""
        p = self.probabilities(self.features(document))
        return p, p - 0.5 + self.bias

    def features(self, document: Document) -> Features:
        """The document's tokens as the model sees them."""
        return self.trained().features(document)

    def probabilities(self, token_features: Features) -> Scores:
        """P(in) of each token; shape (n,)."""
        odds = self.trained().log_odds(token_features, self._evidence)
        return sigmoid(odds.astype(np.float64))

    @property
    def _evidence(self) -> TokenEvidence:
        return TokenEvidence(self.unigram, self.mrut, self.shapes)

    def trained(self) -> MssModel:
        """The model in use."""
        return plain_model(self.model) if self.paper else load_model(self.model)

    def extraction(self, document: Document, p: Scores, scores: Scores) -> Extraction:
        """The extraction by scores; ``p`` gives its confidence."""
        runs = best_runs(scores, self.k)
        if self.hr:
            runs = [cut_before_rule(document, run) for run in runs]
        ranges = [piece for run in runs for piece in self._ranges(document, run)]
        return Extraction(
            extractor=self.name,
            spans=spans_between(document, ranges),
            confidence=max((confidence(p, run) for run in runs), default=0.0),
        )

    def reasons(self, document: Document, p: Scores, scores: Scores) -> tuple[BlockReason, ...]:
        """The reasons that follow from the scores of tokens."""
        blocks, starts = blocks_of(document), document.tokens.start
        first, last = np.searchsorted(starts, blocks.start), np.searchsorted(starts, blocks.end)
        spans = self.extraction(document, p, scores).spans
        return block_reasons(document, spans, _WHY, range_sums(scores, first, last))

    def _ranges(self, document: Document, run: Run) -> list[tuple[int, int]]:
        tokens = document.tokens
        shown = run.start + np.flatnonzero(tokens.kind[run.start : run.end] != TAG)
        if not len(shown):
            return []
        start, end = int(tokens.start[shown[0]]), int(tokens.end[shown[-1]])
        return cleaned(document, start, end) if self.clean else [(start, end)]


@dataclass(frozen=True)
class MssRule(Mss):
    """As mss; an article ends before its first <hr> (section 7.4)."""

    hr: bool = True
    method: ClassVar[str] = "mss-hr"


@dataclass(frozen=True)
class MssCleanEval(Mss):
    """As mss, for every kind of page: unigrams smoothed by neighbours (section 7.7).

    Ours: ``backoff``, a trigram that was seen counts in place of its unigram, no unclosed tag, no
    bias. Where less than the share ``known`` of a page's words were seen in training, its form is
    the published one: unigram, unclosed tag and a bias of 0.14.
    """

    unigram: bool = True
    mrut: bool = False
    backoff: bool = True
    known: float = parameter(0.85, Range(0, 1))
    method: ClassVar[str] = "mss-cleaneval"
    version: ClassVar[int] = 2

    def scored(self, document: Document) -> tuple[Scores, Scores]:
        """P(in) and the score of each token, in the form that fits the page; both (n,)."""
        is_published = self.paper or self._known(document) < self.known
        form = replace(self, backoff=False, mrut=True, bias=PUBLISHED_BIAS, known=0.0)
        return super(MssCleanEval, form if is_published else self).scored(document)

    def _known(self, document: Document) -> float:
        """The share of a page's words that were seen in training; 1 for one without words."""
        found = self.features(document)
        seen = self.trained().unigrams.look_up(found.unigrams[found.words])[1]
        return float(seen.mean()) if len(seen) else 1.0

    @property
    def _evidence(self) -> TokenEvidence:
        return replace(super()._evidence, backoff=self.backoff)


def sigmoid(odds: npt.NDArray[np.float64]) -> Scores:
    """The probability that log-odds amount to."""
    with np.errstate(over="ignore"):  # certain: 0
        return 1 / (1 + np.exp(-odds))


def best_runs(scores: Scores, k: int = 1) -> list[Run]:
    """The k maximal runs of the highest value (section 6.2), in document order."""
    if k > 1:
        return sorted(nlargest(k, maximal_runs(scores), key=lambda run: run.total))
    run = best_run(scores)
    return [run] if run.end else []


def cut_before_rule(document: Document, run: Run) -> Run:
    """The run up to its first <hr>."""
    tokens = document.tokens
    stretch = slice(run.start, run.end)
    rules = document.elements.tag[tokens.element[stretch]] == _RULE
    found = np.flatnonzero(rules & (tokens.kind[stretch] == TAG))
    return run._replace(end=run.start + int(found[0])) if len(found) else run


WINDOW: Final = 10
_MARGIN: Final = 1e-6


def confidence(p: Scores, run: Run, window: int = WINDOW) -> float:
    """The geometric mean of the probabilities that tokens near the run's borders are labelled so.

    Within ``window`` tokens of each border, on both sides. At a page's edge the factors that exist
    count. 0 for an empty run.
    """
    first, behind = run.start, run.end
    if behind <= first:
        return 0.0
    clipped = np.clip(p, _MARGIN, 1 - _MARGIN)
    inside = (clipped[first : first + window], clipped[max(behind - window, 0) : behind])
    outside = (clipped[max(first - window, 0) : first], clipped[behind : behind + window])
    logs = [*(np.log(part) for part in inside), *(np.log1p(-part) for part in outside)]
    return float(np.exp(np.concatenate(logs).mean()))
