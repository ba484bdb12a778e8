"""Measures of the likeness of extracted text and gold text, each by its own definition.

A measure gives values by name (``word.f1``); one that is undefined for a page gives none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Final

from rapidfuzz.distance import LCSseq

from winnow.evaluation.measuring.repetition import repeated_share
from winnow.evaluation.measuring.words import words

SHINGLE: Final = 4
"""Tokens a shingle, as in article-extraction-benchmark."""

RUN: Final = 5
"""Words in a row that must stand in the gold too before content counts as begun."""

SPEAKING_RATE: Final = 180
"""Words a minute: a screen reader's usual default, and near what English is read aloud at."""

_TOKEN = re.compile(r"\w+")


@dataclass(frozen=True)
class Texts:
    """An extracted text beside its gold; ``variants`` are other right answers (see ``best``).

    ``gold_labels`` is the gold's text by label, ``labels`` the answer's: None where the subject
    names none.
    """

    extracted: str
    gold: str
    variants: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    gold_labels: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] | None = None

    @cached_property
    def extracted_words(self) -> list[str]:
        return words(self.extracted)

    @cached_property
    def gold_words(self) -> list[str]:
        return words(self.gold)


@dataclass(frozen=True, slots=True)
class Score:
    """Precision, recall and their harmonic mean, each in 0..1."""

    precision: float
    recall: float
    f1: float


NOTHING = Score(0.0, 0.0, 0.0)
PERFECT = Score(1.0, 1.0, 1.0)

Values = Mapping[str, float]
Measure = Callable[[Texts], Values]


def score(common: int, extracted: int, gold: int) -> Score:
    """The score of ``extracted`` items, ``common`` of which are among the ``gold`` ones.

    Both empty is a perfect answer, one of them empty a worthless one.
    """
    if not extracted and not gold:
        return PERFECT
    if not common:
        return NOTHING
    return Score(common / extracted, common / gold, 2 * common / (extracted + gold))


def word_score(extracted: Iterable[str], gold: Iterable[str]) -> Score:
    """Bags of words (Gottron 2007, section 3, third measure): number matters, order does not."""
    mine, wanted = Counter(extracted), Counter(gold)
    return score((mine & wanted).total(), mine.total(), wanted.total())


def word_f1(extracted: str, gold: str) -> Score:
    """The score of word F1 (docs/evaluation.md): bags of ``words``."""
    return word_score(words(extracted), words(gold))


def sequence_score(extracted: Sequence[str], gold: Sequence[str]) -> Score:
    """Longest common subsequence (section 3, first and second measure), exact, bit-parallel.

    Hyyrö's algorithm in place of Hirschberg's, with the same result.
    """
    return score(int(LCSseq.similarity(extracted, gold)), len(extracted), len(gold))


def set_score(extracted: Iterable[str], gold: Iterable[str]) -> Score:
    """Which words occur at all (section 3, fourth measure)."""
    mine, wanted = set(extracted), set(gold)
    return score(len(mine & wanted), len(mine), len(wanted))


def alignment(extracted: Sequence[str], gold: Sequence[str]) -> float:
    """CleanEval's text-only score: 1 - distance / length of the alignment, in words.

    Only insertions and deletions are distance ("the dog barked" and "the dog": 1 - 1/3), so the
    alignment is as long as both texts less what they have in common.
    """
    common = int(LCSseq.similarity(extracted, gold))
    length = len(extracted) + len(gold) - common
    return common / length if length else 1.0


def shingles(text: str, size: int = SHINGLE) -> Counter[tuple[str, ...]]:
    r"""Runs of ``size`` ``\w+`` tokens with their case; a shorter text is one shingle."""
    tokens = _TOKEN.findall(text)
    count = max(1, len(tokens) - size + 1) if tokens else 0
    return Counter(tuple(tokens[start : start + size]) for start in range(count))


def content_bounds(extracted: Sequence[str], gold: Sequence[str]) -> tuple[int, int] | None:
    """The first and behind the last word of the output that stand in a run of gold's words.

    A run is ``RUN`` words, or all of a shorter gold; None where the output holds none.
    """
    size = min(RUN, len(gold))
    wanted = {tuple(gold[start : start + size]) for start in range(len(gold) - size + 1)}
    found = [
        start
        for start in range(len(extracted) - size + 1)
        if tuple(extracted[start : start + size]) in wanted
    ]
    return (found[0], found[-1] + size) if size and found else None


def folded(text: str) -> str:
    """White space as one blank, none at the ends (section 4.2: it shows nowhere in a page)."""
    return " ".join(text.split())


def _word(texts: Texts) -> Values:
    return _named("word", word_score(texts.extracted_words, texts.gold_words))


def _characters(texts: Texts) -> Values:
    return _named("characters", sequence_score(folded(texts.extracted), folded(texts.gold)))


def _sequence(texts: Texts) -> Values:
    return _named("sequence", sequence_score(texts.extracted_words, texts.gold_words))


def _set(texts: Texts) -> Values:
    return _named("set", set_score(texts.extracted_words, texts.gold_words))


def _cleaneval(texts: Texts) -> Values:
    return {"cleaneval": alignment(texts.extracted_words, texts.gold_words)}


def _best(texts: Texts) -> Values:
    golds = [texts.gold_words, *(words(variant) for variant in texts.variants)]
    scores = [sequence_score(texts.extracted_words, gold) for gold in golds]
    return _named("best", max(scores, key=lambda found: found.f1))


def _shingles(texts: Texts) -> Values:
    mine, wanted = shingles(texts.extracted), shingles(texts.gold)
    common, extracted, gold = (mine & wanted).total(), mine.total(), wanted.total()
    precision = {"shingles.precision": common / extracted} if extracted else {}
    recall = {"shingles.recall": common / gold} if gold else {}
    return {**precision, **recall}


def _snippets(texts: Texts) -> Values:
    found = folded(texts.extracted).casefold()
    is_held = [folded(snippet).casefold() in found for snippet in texts.wanted]
    dropped = [folded(snippet).casefold() not in found for snippet in texts.unwanted]
    with_ = {"with": sum(is_held) / len(is_held)} if is_held else {}
    without = {"without": sum(dropped) / len(dropped)} if dropped else {}
    return {**with_, **without}


def _voice(texts: Texts) -> Values:
    """Gupta's screen reader test (Gottron 2007, section 6): seconds of listening.

    ``voice.start``: until the content begins; ``voice.end``: until its last word; ``voice.all``:
    until the output ends, at ``SPEAKING_RATE``.
    """
    bounds = content_bounds(texts.extracted_words, texts.gold_words)
    second = SPEAKING_RATE / 60
    values = {"voice.all": len(texts.extracted_words) / second}
    if bounds is None:
        return values
    return {"voice.start": bounds[0] / second, "voice.end": bounds[1] / second, **values}


def _labels(texts: Texts) -> Values:
    """Bags of words of each label that the gold distinguishes; none where neither text has it."""
    if texts.labels is None:
        return {}
    values: dict[str, float] = {}
    for label, gold in texts.gold_labels.items():
        mine, wanted = words(texts.labels.get(label, "")), words(gold)
        if mine or wanted:
            values.update(_named(label, word_score(mine, wanted)))
    return values


def _repeated(texts: Texts) -> Values:
    """What the output says twice, and what the gold does: quotations, tables of products."""
    return {
        "repeated": repeated_share(texts.extracted_words),
        "repeated.gold": repeated_share(texts.gold_words),
    }


MEASURES: Final[Mapping[str, Measure]] = MappingProxyType(
    {
        "word": _word,
        "set": _set,
        "sequence": _sequence,
        "characters": _characters,
        "cleaneval": _cleaneval,
        "best": _best,
        "shingles": _shingles,
        "snippets": _snippets,
        "voice": _voice,
        "labels": _labels,
        "repeated": _repeated,
    }
)
"""Every measure of texts by name; ``word`` is always taken."""


def measured(texts: Texts, names: Iterable[str]) -> dict[str, float]:
    """The values of ``word`` and of the named measures for one page."""
    values: dict[str, float] = {}
    for name in dict.fromkeys(("word", *names)):
        values.update(MEASURES[name](texts))
    return values


def _named(name: str, found: Score) -> Values:
    return {
        f"{name}.f1": found.f1,
        f"{name}.precision": found.precision,
        f"{name}.recall": found.recall,
    }
