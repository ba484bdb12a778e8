"""Why one method keeps or drops each block of a page, with rule and features."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from winnow.document.arrays import Ints
from winnow.document.document import Document
from winnow.document.errors import SelectorError
from winnow.document.parsing.tags import codes_of
from winnow.document.selectors import select, selector_of
from winnow.document.tokens import tags_before
from winnow.document.values import Page, Recipe
from winnow.engine import site_memory
from winnow.engine.net.completion import kept_pieces
from winnow.engine.net.parts import chaff_by_piece
from winnow.engine.purpose.tidying import Tidying
from winnow.engine.script_shell import read
from winnow.extractors.explanation import BlockReason
from winnow.features.why.jobs import Explained, ExplainedPart, PartChoice, TextPassage
from winnow.features.why.page_parts import JudgedBlocks, PagePart
from winnow.features.why.part_selectors import ExactSelectors
from winnow.features.why.smaller_parts import smaller_parts
from winnow.jobs.job_types import PipelineError

MOST_PASSAGES = 1200
MOST_TEXT: Final = 600
"""Characters of one part that are shown."""
SAMPLE: Final = 8
"""Words of a part in a rule's test."""
MOST_CHOICES: Final = 4
_MOST_OF_PAGE: Final = 0.6
"""What holds a larger share of the page's words is not offered."""
_HEADINGS = codes_of("h1 h2 h3 h4 h5 h6")


def explain(page: Page, recipe: Recipe) -> Explained:
    """What became of every block that is shown and holds words. Raises PipelineError."""
    document, why = read(page, recipe.blocked, scripts_run=True)
    judged = JudgedBlocks.of(document, recipe)
    extraction = judged.extraction
    reasons = site_memory.explain(document, judged.extractor, recipe.knowledge)
    chosen = judged.shown.nonzero()[0].tolist()
    tags = tags_before(document.elements, document.pieces)[0]
    chaff = chaff_by_piece(document, kept_pieces(document, extraction))
    explained = _ExplainedPage(judged, reasons, tags, ExactSelectors(document), chaff)
    words_kept, words_total = judged.words
    return Explained(
        title=extraction.title or document.title,
        language=document.language,
        extractor=extraction.extractor,
        confidence=extraction.confidence,
        reasons=(*why, *extraction.reasons),
        words_kept=words_kept,
        words_total=words_total,
        passages=tuple(explained.passage(block) for block in chosen[:MOST_PASSAGES]),
        more=max(len(chosen) - MOST_PASSAGES, 0),
        tidied=isinstance(judged.extractor, Tidying),
        left_out=extraction.left_out,
        withheld=document.hidden_words,
    )


@dataclass(frozen=True, slots=True)
class _ExplainedPage:
    """A page and the reason for each block; ``tags``: how many tags stand before each piece.

    ``names``: the selectors of rules, each for one block alone.
    """

    judged: JudgedBlocks
    reasons: Sequence[BlockReason]
    tags: Ints
    names: ExactSelectors
    chaff: Mapping[int, str]
    """By the first piece of a block, the rule by which the net left it out."""

    def passage(self, index: int) -> TextPassage:
        document, blocks, kept = self.judged.document, self.judged.blocks, self.judged.shares[index]
        first = int(blocks.first_piece[index])
        element = int(blocks.element[index])
        text = document.plain(int(blocks.start[index]), int(blocks.end[index]))
        selector = selector_of(document, element) if element >= 0 else ""
        reason = self.judged.reasons[index]
        return TextPassage(
            text=text.strip(),
            kept=float(kept),
            heading=element >= 0 and int(document.elements.tag[element]) in _HEADINGS,
            rule=" ".join(filter(None, (self.reasons[index].rule, self.chaff.get(first)))),
            features=self._features(index, selector),
            selector=(self.names.of(element) or selector) if selector and kept < 1 else "",
            score=self.reasons[index].score,
            threshold=self.reasons[index].threshold,
            reason=reason.value if reason else "",
            raised=tuple(self._raised(index, len(text) - len(text.lstrip()))),
        )

    def _raised(self, index: int, cut: int) -> Iterator[tuple[int, int]]:
        """What stands in a <sup>; ``cut``: characters that the text lost at its beginning."""
        document, blocks = self.judged.document, self.judged.blocks
        first, last, begin = (
            int(row[index]) for row in (blocks.first_piece, blocks.last_piece, blocks.start)
        )
        for piece in np.flatnonzero(document.inside_tags("sup")[first:last]) + first:
            start, end = int(document.pieces.start[piece]), int(document.pieces.end[piece])
            at = len(document.plain(begin, start)) - cut
            yield max(at, 0), max(at + len(document.plain(start, end)), 0)

    def _features(self, index: int, selector: str) -> tuple[tuple[str, str], ...]:
        blocks = self.judged.blocks
        first, last = int(blocks.first_piece[index]), int(blocks.last_piece[index])
        tags = int(self.tags[last - 1]) - (int(self.tags[first - 1]) if first else 0)
        return (
            ("words", str(int(blocks.words[index]))),
            ("words in links", f"{float(blocks.link_density[index]):.0%}"),
            ("tags in and before it", str(tags)),
            ("element", selector or "body"),
        )


def explained_part(page: Page, recipe: Recipe, selector: str, place: int) -> ExplainedPart:
    """The ``place``-th element that ``selector`` finds, and what else could be chosen with it.

    Raises PipelineError, also where there is no such element.
    """
    document, _ = read(page, recipe.blocked, scripts_run=True)
    element = _found(document, selector, place)
    judged = JudgedBlocks.of(document, recipe)
    first, last = document.elements.first_piece[element], document.elements.last_piece[element]
    part = judged.part(element)
    start, end = document.pieces.start[first], document.pieces.end[last - 1]
    words = " ".join(document.plain(int(start), int(end)).split())
    block = int(np.searchsorted(judged.blocks.first_piece, first, side="right")) - 1
    rules = site_memory.explain(document, judged.extractor, recipe.knowledge)
    return ExplainedPart(
        title=judged.extraction.title or document.title,
        language=document.language,
        text=words[:MOST_TEXT],
        sample=_sample(judged, part),
        reason=part.reason.value if part.reason else "",
        rule=rules[block].rule if 0 <= block < len(rules) else "",
        choices=tuple(_choices(document, element)),
        smaller=tuple(smaller_parts(document, element)),
    )


def _found(document: Document, selector: str, place: int) -> int:
    try:
        return select(document, selector)[place]
    except (SelectorError, IndexError) as error:
        raise PipelineError("bad-form", f"The page has no part {selector!r} any more.") from error


def _sample(judged: JudgedBlocks, part: PagePart) -> str:
    """The first words of a part's longest block, for a test: white space counts for nothing."""
    blocks, document = judged.blocks, judged.document
    inside = (blocks.first_piece >= part.first_piece) & (blocks.last_piece <= part.last_piece)
    chosen = np.where(inside & judged.shown, blocks.words, 0)
    if not len(chosen) or not chosen.any():
        return ""
    longest = int(np.argmax(chosen))
    text = document.plain(int(blocks.start[longest]), int(blocks.end[longest]))
    return " ".join(text.split()[:SAMPLE])


def _choices(document: Document, element: int) -> Iterator[PartChoice]:
    """Selectors for the element alone, for those like it, and for those around it.

    What most of the page stands in is left out.
    """
    total = max(int(document.piece_words[~document.hidden].sum()), 1)
    seen: set[str] = set()
    for selector in _ways(document, element):
        if len(seen) == MOST_CHOICES:
            return
        if selector and selector not in seen:
            seen.add(selector)
            matches = np.array(select(document, selector), dtype=np.int64)
            inside = document.inside(matches) & ~document.hidden
            words = int(document.piece_words[inside].sum())
            if len(seen) > 1 and words > total * _MOST_OF_PAGE:
                return
            yield PartChoice(selector, len(matches), words)


def _ways(document: Document, element: int) -> Iterator[str]:
    """Selectors of an element and of those around it; "" where there is none."""
    usual = selector_of(document, element)
    if usual and len(select(document, usual)) > 1:
        yield ExactSelectors(document).of(element)
    while element >= 0:
        yield selector_of(document, element)
        element = int(document.elements.parent[element])
