"""Several methods on one page, side by side: what each keeps, how they agree, their curves."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import Ints, Mask, range_sums
from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.document.tokens import TAG
from winnow.document.values import Extraction, Label, Page, Recipe, Span
from winnow.engine import site_memory
from winnow.engine.base.overlap import (
    covered,
    digit,
    f1_between,
    in_cells,
    mean_with_others,
    word_offsets,
)
from winnow.engine.method_parameters import parameters_of
from winnow.engine.named_extractor import extractor_of
from winnow.engine.script_shell import read
from winnow.extractors import registry
from winnow.extractors.explanation import BlockReason, CurveExtractor
from winnow.features.compare.jobs import (
    CELLS,
    ChartBar,
    Compared,
    Curve,
    MethodRow,
    MethodTrial,
    PageOutline,
    TriedMethod,
)
from winnow.jobs.job_types import PipelineError

PLAIN: Final = Recipe()
MOST_METHODS = 20
MOST_ROWS = 300
EXCERPT = 280
"""Characters of a row's text."""


def compare(page: Page, methods: Sequence[str], recipe: Recipe = PLAIN) -> Compared:
    """Every method on the page, one after the other. Raises PipelineError."""
    tried = [try_method(page, method, recipe) for method in methods[:MOST_METHODS]]
    return side_by_side(page, tried, recipe)


def outline(page: Page, recipe: Recipe) -> PageOutline:
    """What there is to compare on a page. Raises PipelineError for one that cannot be read."""
    document, offsets = _opened(page, recipe)
    return PageOutline(document.title, len(offsets))


def try_method(page: Page, method: str, recipe: Recipe) -> TriedMethod:
    """A method in place of the recipe's, as the proxy would have it there: with what it learned of
    the site, and with the lists of advertisements. One that fails says so in its trial. Raises
    PipelineError for a page that cannot be read."""
    document, offsets = _opened(page, recipe)
    trial, extraction, reasons = _tried(document.page, method, recipe)
    mask = covered(offsets, extraction.spans)
    trial = replace(trial, words=int(mask.sum()), strip=in_cells(mask, CELLS))
    spans = tuple((span.start, span.end) for span in extraction.spans)
    return TriedMethod(trial, spans, tuple(reason.rule for reason in reasons))


def side_by_side(page: Page, tried: Sequence[TriedMethod], recipe: Recipe) -> Compared:
    """What methods that were tried on a page say of it. Raises PipelineError."""
    document, offsets = _opened(page, recipe)
    masks = np.array(
        [covered(offsets, [Span(*span, Label.BODY) for span in each.spans]) for each in tried],
        dtype=bool,
    ).reshape(len(tried), len(offsets))
    rows = _rows(document, offsets, masks, [each.rules for each in tried])
    lead = masks[0] if len(masks) else np.zeros(len(offsets), dtype=bool)
    return Compared(
        title=document.title,
        words=len(offsets),
        trials=_judged([each.trial for each in tried], masks),
        rows=tuple(rows[:MOST_ROWS]),
        more=max(len(rows) - MOST_ROWS, 0),
        curves=curves_of(document),
        bars=bars_of(document, offsets, lead),
        parameters=parameters_of([each.trial.method for each in tried]),
    )


def _opened(page: Page, recipe: Recipe) -> tuple[Document, Ints]:
    """The page as methods get it, and where its words start."""
    document, _ = read(page, recipe.blocked, scripts_run=True)
    return document, word_offsets(document)


def _tried(
    page: Page, method: str, recipe: Recipe
) -> tuple[MethodTrial, Extraction, Sequence[BlockReason]]:
    """One method on a document of its own, so that none finds another's arrays made already."""
    try:
        extractor = extractor_of(replace(recipe, extractor=method))
    except PipelineError as error:
        return MethodTrial(method, failure=str(error)), Extraction(method), ()
    best, extraction, reasons = float("inf"), Extraction(method), tuple[BlockReason, ...]()
    try:
        for _ in range(2):
            document = Document.parse(page)
            begun = time.perf_counter()
            extraction = site_memory.extract(document, extractor, recipe.knowledge)
            best = min(best, time.perf_counter() - begun)
        reasons = site_memory.explain(document, extractor, recipe.knowledge)
    except Exception as error:  # noqa: BLE001  # a third party's extractor may raise anything
        failure = f"The method failed: {error!r}."
        return MethodTrial(method, failure=failure), Extraction(method), ()
    trial = MethodTrial(method, milliseconds=best * 1000, reasons=extraction.reasons)
    return trial, extraction, reasons


def _judged(trials: Sequence[MethodTrial], masks: Mask) -> tuple[MethodTrial, ...]:
    """The trials with how they agree: those that failed agree with none."""
    worked = np.array([not trial.failure for trial in trials], dtype=bool)
    overlaps = f1_between(masks) * worked[:, None] * worked[None, :]
    means = np.zeros(len(trials))
    means[worked] = mean_with_others(overlaps[np.ix_(worked, worked)])
    return tuple(
        replace(trial, agreement=float(mean), overlaps=tuple(map(float, row)))
        for trial, mean, row in zip(trials, means, overlaps, strict=True)
    )


def _rows(
    document: Document,
    offsets: Ints,
    masks: Mask,
    reasons: Sequence[Sequence[str]],
) -> list[MethodRow]:
    """The blocks with words, neighbours of the same verdicts as one row."""
    blocks = blocks_of(document)
    first = np.searchsorted(offsets, blocks.start)
    last = np.searchsorted(offsets, blocks.end)
    rows: list[MethodRow] = []
    for index in ((last > first) & ~blocks.hidden).nonzero()[0].tolist():
        begin, end = int(first[index]), int(last[index])
        verdicts = "".join(digit(float(mask[begin:end].mean())) for mask in masks)
        text = document.plain(int(blocks.start[index]), int(blocks.end[index]))
        if rows and rows[-1].verdicts == verdicts:
            text = f"{rows[-1].text} ¶ {text}"
            rows[-1] = replace(
                rows[-1],
                text=_cut(text),
                blocks=rows[-1].blocks + 1,
                words=rows[-1].words + end - begin,
            )
        else:
            differ = len(set(verdicts)) > 1
            rules = (each[index] if index < len(each) else "" for each in reasons)
            row = MethodRow(_cut(text), 1, end - begin, verdicts, tuple(rules) if differ else ())
            rows.append(row)
    return rows


def _cut(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= EXCERPT else flat[: EXCERPT - 1].rstrip() + "…"


DRAWN: Final = ("dsc", "simple-mss", "mss", "auto")
"""The methods whose curves are shown."""
MOST_BARS: Final = 160


def curves_of(document: Document) -> tuple[Curve, ...]:
    """The curves that there are for a page; none for one without words."""
    if not (document.tokens.kind != TAG).any():
        return ()
    methods = (registry.make(name) for name in DRAWN)
    found = (each.curve(document) for each in methods if isinstance(each, CurveExtractor))
    return tuple(Curve(*curve) for curve in found)


def bars_of(
    document: Document, offsets: npt.NDArray[np.int32], is_kept: Mask
) -> tuple[ChartBar, ...]:
    """The shown blocks with words; neighbours are joined until no more than MOST_BARS are left."""
    blocks = blocks_of(document)
    first = np.searchsorted(offsets, blocks.start)
    last = np.searchsorted(offsets, blocks.end)
    shown = (last > first) & ~blocks.hidden
    words = np.where(shown, last - first, 0)[shown]
    held = range_sums(is_kept, first, last)[shown]
    linked = blocks.linked_words[shown]
    groups = np.array_split(np.arange(len(words)), min(len(words), MOST_BARS) or 1)
    return tuple(
        ChartBar(
            int(words[group].sum()),
            round(min(float(linked[group].sum() / words[group].sum()), 1.0), 3),
            round(float(held[group].sum() / words[group].sum()), 3),
        )
        for group in groups
        if len(group)
    )
