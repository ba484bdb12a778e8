"""Quality thresholds of a rendering; imports no parser."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from winnow.document.values import Rendered


def flag_of(field: str) -> str:
    """The worker's option that carries a threshold."""
    return "--" + field.replace("_", "-")


@dataclass(frozen=True, slots=True)
class QualityLimits:
    """Quality thresholds: below them a person should get the original.

    A threshold is a field here, used in ``shortfall``, and a setting of the same name under
    ``[extraction]``: what carries them to the workers and into cache keys goes by the fields.
    """

    min_words: int = 20
    min_confidence: float = 0.15
    min_share: float = 0.03

    @classmethod
    def of(cls, settings: object) -> QualityLimits:
        """The thresholds of settings that have an attribute for each."""
        return cls(**{field.name: getattr(settings, field.name) for field in fields(cls)})

    def has_words(self, number: int) -> bool:
        """Whether so many words are enough to be read."""
        return number >= self.min_words

    def is_sure(self, confidence: float) -> bool:
        """Whether a result of this confidence is shown."""
        return confidence >= self.min_confidence

    def without_confidence(self) -> QualityLimits:
        """The same, but for the method's confidence: for what other methods agree with."""
        return replace(self, min_confidence=0.0)

    def of_any_length(self) -> QualityLimits:
        """The same without a least number of words: a post, or a picture's caption, may be one."""
        return replace(self, min_words=0)

    def shortfall(self, rendered: Rendered, length: int | None = None) -> str:
        """Why a person should rather get the original, as a reason token; empty if not.

        ``length``: the words kept, as their letters say, where it is not the number of words.
        """
        if not rendered.words_kept:
            return "no-article"
        if not self.has_words(rendered.words_kept if length is None else length):
            return "few-words"
        if rendered.words_kept < self.min_share * rendered.words_total:
            return "little-kept"
        return "" if self.is_sure(rendered.confidence) else "low-confidence"
