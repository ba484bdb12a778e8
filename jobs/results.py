"""Results of jobs: methods compared, a decision explained, a page cut up. Values only.

Made in a worker by ``winnow.engine``, drawn by ``winnow.proxy.own.templates``.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MethodParameter:
    """A parameter of a compared method (winnow.extractors.parameters.DeclaredParameter)."""

    method: str
    name: str
    default: str
    choices: tuple[str, ...]
    least: float
    most: float
    whole: bool


@dataclass(frozen=True, slots=True)
class SpokenSentence:
    """``parts``: runs of text, each with its language ("": that of the article). ``chapter``: the
    title of the chapter that begins here, or ""."""

    parts: tuple[tuple[str, str], ...]
    chapter: str = ""
