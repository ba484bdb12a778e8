"""Extraction with the memory of the page's site, and what the page adds to it."""

from __future__ import annotations

import logging
import time
from typing import Final

from winnow.document.document import Document
from winnow.document.values import Extraction, SiteKnowledge
from winnow.extractors import site_learners
from winnow.extractors.article_test import is_tested, tested
from winnow.extractors.explanation import BlockReason, explanation, unless_refused
from winnow.extractors.extractor_protocol import Extractor

_LOG = logging.getLogger("winnow.engine.site_memory")
DAY: Final = 86_400


def extract(document: Document, extractor: Extractor, knowledge: SiteKnowledge) -> Extraction:
    """As the extractor says, with its memory of the site where there is a valid one."""
    learner = site_learners.learner_of(extractor) if knowledge.memory else None
    if learner is None:
        return extractor.extract(document)
    try:
        memory = site_learners.unpack(knowledge.memory).get(learner.name)
        if memory is not None:
            found = learner.extract(document, extractor, memory, knowledge)
            return tested(document, found) if is_tested(extractor) else found
    except ValueError:
        _LOG.warning("the memory of the site of %s cannot be read", document.page.url)
    return extractor.extract(document)


def explain(
    document: Document, extractor: Extractor, knowledge: SiteKnowledge
) -> tuple[BlockReason, ...]:
    """The reasons for ``extract``, one for each of winnow.document.blocks."""
    learner = site_learners.learner_of(extractor) if knowledge.memory else None
    if learner is None:
        return explanation(extractor, document)
    try:
        memory = site_learners.unpack(knowledge.memory).get(learner.name)
        if memory is not None:
            reasons = learner.explain(document, extractor, memory, knowledge)
            if not is_tested(extractor):
                return reasons
            return unless_refused(reasons, extract(document, extractor, knowledge))
    except ValueError:
        pass
    return explanation(extractor, document)


def lesson(document: Document, extractor: Extractor, knowledge: SiteKnowledge) -> bytes:
    """What the page adds to the site's memory, as a packet; empty if not wanted, or if it fails."""
    learner = site_learners.learner_of(extractor) if knowledge.learn else None
    if learner is None:
        return b""
    today = int(time.time() // DAY)
    try:
        memory = learner.observe(document, extractor, knowledge.key, today)
        return site_learners.pack({learner.name: memory} if memory else {})
    except Exception:  # noqa: BLE001  # a lesson that fails must not cost the page
        _LOG.exception("nothing learned from %s", document.page.url)
        return b""


def row(document: Document, extractor: Extractor, knowledge: SiteKnowledge) -> bytes:
    """The page as keyed hashes in order, as a packet; empty where it is not wanted, or it fails."""
    learner = site_learners.learner_of(extractor) if knowledge.learn and knowledge.rows else None
    if not isinstance(learner, site_learners.RowLearner):
        return b""
    try:
        return site_learners.pack({learner.name: learner.row(document, extractor, knowledge.key)})
    except Exception:  # noqa: BLE001  # as for a lesson
        _LOG.exception("nothing learned from %s", document.page.url)
        return b""
