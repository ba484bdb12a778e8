"""The semi-supervised algorithm: learning a site from its own unlabelled pages (section 6.2.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.extractors.mss.mss_extractors import confidence
from winnow.extractors.mss.stems import Hashes
from winnow.extractors.subsequence import Run, Scores, best_run

Ids = npt.NDArray[np.int64]

SMOOTHING: Final = 0.03


@dataclass(frozen=True, slots=True)
class BootstrapSettings:
    """The paper's constants (section 7.5).

    ``window``: tokens beside each border that confidence looks at (w). ``reach``: tokens from a
    border within which a trigram is important (d). ``boost``: how much more it then counts (c).
    ``share``: the part of the pages, most confident first, that are learned from. ``rounds``: at
    most so many; it stops when no prediction changes. ``agreement``: what the learned runs must
    share with the supervised ones, on average, to be accepted (not in the paper: with few pages of
    a site a menu or a comment box may reinforce itself; .8 is chosen by cross-validation over
    sites). ``paper``: the share of article tokens is part of the model, nothing is smoothed, and
    an unseen trigram is neutral.
    """

    window: int = 10
    reach: int = 64
    boost: float = 24.0
    share: float = 0.6
    rounds: int = 10
    agreement: float = 0.8
    paper: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class UnlabelledPage:
    """A page of the site: its trigrams' hashes and P(in) by the supervised model; shape (n,)."""

    trigrams: Hashes
    p: Scores


@dataclass(frozen=True, slots=True, eq=False)
class TrigramCounts:
    """Counts over pages of a site, k trigrams: all that learning needs of them.

    ``keys``: sorted, shape (k,). ``counts``: how often each stood inside and outside, (2, k).
    ``importance``: m_h, 1 beside a border to 0 far from it, (k,). ``totals``: tokens inside and
    outside of all trigrams, also of those left out, (2,).
    """

    keys: Hashes
    counts: Scores
    importance: Scores
    totals: Scores


@dataclass(frozen=True, slots=True, eq=False)
class SiteModel:
    """A trigram-only Naive Bayes of one site, k trigrams; every array has the shape (k,).

    ``trigram_counts``: the counts behind it. ``p``: P(in | trigram), both sides equally likely
    beforehand: a few pages do not predict the size of the next. ``is_known``: whether the learned
    pages had it. ``rounds``: how many were run. ``neutral``: an unseen trigram is no evidence.
    """

    trigram_counts: TrigramCounts
    p: Scores
    is_known: npt.NDArray[np.bool_]
    boost: float
    rounds: int
    neutral: bool = False

    @classmethod
    def of(
        cls, trigram_counts: TrigramCounts, settings: BootstrapSettings, rounds: int
    ) -> SiteModel:
        """The classifier of these counts."""
        counts = trigram_counts.counts
        is_known = counts.sum(axis=0) > 0
        if settings.paper:
            p = counts[0] / np.maximum(counts.sum(axis=0), 1)
            return cls(trigram_counts, p, is_known, settings.boost, rounds, neutral=True)
        sides = trigram_counts.totals + SMOOTHING
        shares = SMOOTHING * sides / sides.sum()
        likely, unlikely = (counts + shares[:, None]) / sides[:, None]
        return cls(trigram_counts, likely / (likely + unlikely), is_known, settings.boost, rounds)

    def predict(self, page: UnlabelledPage) -> tuple[Scores, Scores]:
        """P(in) and score of each token of a page; see ``_predicted``."""
        keys = self.trigram_counts.keys
        at = np.minimum(np.searchsorted(keys, page.trigrams), len(keys) - 1)
        return self._predicted(at, self.is_known[at] & (keys[at] == page.trigrams), page.p)

    def predict_at(self, ids: Ids, p: Scores) -> tuple[Scores, Scores]:
        """The same for given places of the trigrams among the keys."""
        return self._predicted(ids, self.is_known[ids], p)

    def _predicted(
        self, at: Ids, seen: npt.NDArray[np.bool_], supervised: Scores
    ) -> tuple[Scores, Scores]:
        """(p - 0.5) (m c + 1); an unseen trigram has m = 0 and the supervised model's probability.

        The paper takes an unseen one for neutral. With its 60 pages a site that is as good; with
        10 pages the supervised model is still better.
        """
        p = np.where(seen, self.p[at], 0.5 if self.neutral else supervised)
        importance = np.where(seen, self.trigram_counts.importance[at], 0.0)
        return p, (p - 0.5) * (importance * self.boost + 1)


def bootstrap(pages: Sequence[UnlabelledPage], settings: BootstrapSettings) -> SiteModel | None:
    """Learn a site from its pages; None where it cannot be learned or the runs disagree too
    much."""
    model, agreed = bootstrapped(pages, settings)
    return model if settings.paper or agreed >= settings.agreement else None


def bootstrapped(
    pages: Sequence[UnlabelledPage], settings: BootstrapSettings
) -> tuple[SiteModel | None, float]:
    """The model of a site's pages, and the agreement of its runs with the supervised ones.

    One sort of all trigrams, then O(tokens) a round.
    """
    keys, ids = _dense(pages)
    p = [page.p for page in pages]
    supervised = runs = [best_run(each - 0.5) for each in p]
    model = None
    for rounds in range(1, settings.rounds + 1):
        chosen = most_confident(p, runs, settings)
        if not chosen:
            break
        model = _learned(keys, [(ids[i], runs[i]) for i in chosen], settings, rounds)
        found = [model.predict_at(own, page.p) for own, page in zip(ids, pages, strict=True)]
        p, before = [each for each, _ in found], [run[:2] for run in runs]
        runs = [best_run(scores) for _, scores in found]
        if [run[:2] for run in runs] == before:
            break
    return model, agreement(supervised, runs)


def agreement(left: Sequence[Run], right: Sequence[Run]) -> float:
    """The mean of what runs share: tokens in both, twice, by tokens of each (F1); 1 if no runs."""
    shared = [_shared(one, two) for one, two in zip(left, right, strict=True)]
    return sum(shared) / len(shared) if shared else 1.0


def _shared(left: Run, right: Run) -> float:
    both = max(0, min(left.end, right.end) - max(left.start, right.start))
    size = left.end - left.start + right.end - right.start
    return 2 * both / size if size else 1.0


def most_confident(
    p: Sequence[Scores], runs: Sequence[Run], settings: BootstrapSettings
) -> list[int]:
    """The pages to learn from: the surest share of them, as far as they have a prediction."""
    sure = [confidence(each, run, settings.window) for each, run in zip(p, runs, strict=True)]
    order = sorted(range(len(runs)), key=lambda index: -sure[index])
    return [index for index in order[: ceil(settings.share * len(runs))] if runs[index].end]


def importance_of(size: int, run: Run, reach: int) -> Scores:
    """What each of a page's tokens adds to its trigram's importance; shape (size,).

    max(d - distance to the nearer border, 0) / (d - 0.5): borders stand between tokens, so that the
    tokens beside one are half a token away.
    """
    index = np.arange(size)
    distance = np.minimum(np.abs(index - (run.start - 0.5)), np.abs(index - (run.end - 0.5)))
    weights: Scores = np.maximum(reach - distance, 0) / (reach - 0.5)
    return weights


def _dense(pages: Sequence[UnlabelledPage]) -> tuple[Hashes, list[Ids]]:
    """All trigrams, sorted, and of each page the places of its trigrams among them."""
    keys, ids = np.unique(np.concatenate([page.trigrams for page in pages]), return_inverse=True)
    return keys, np.split(ids, np.cumsum([len(page.p) for page in pages])[:-1])


def _learned(
    keys: Hashes, labelled: Sequence[tuple[Ids, Run]], settings: BootstrapSettings, rounds: int
) -> SiteModel:
    counts, weights = np.zeros((2, len(keys))), np.zeros(len(keys))
    for ids, run in labelled:
        inside = np.zeros(len(ids), dtype=bool)
        inside[run.start : run.end] = True
        for side, chosen in enumerate((inside, ~inside)):
            counts[side] += np.bincount(ids[chosen], minlength=len(keys))
        near = importance_of(len(ids), run, settings.reach)
        weights += np.bincount(ids, near, minlength=len(keys))
    importance = weights / np.maximum(counts.sum(axis=0), 1)
    return SiteModel.of(
        TrigramCounts(keys, counts, importance, counts.sum(axis=1)), settings, rounds
    )
