"""Which pages are worth a person's labels: active learning (sections 6.8 and 7.1)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from winnow.document.document import Document
from winnow.document.values import Page
from winnow.evaluation.running.progress import watched
from winnow.extractors.memory.memory_extractor import Memory


@dataclass(frozen=True, slots=True, order=True)
class Worth:
    """A page, how confident memory is of it, and what is ill-formed; the least sure sort first."""

    confidence: float
    page: str
    reasons: tuple[str, ...] = ()


def worth(folders: Sequence[Path], memory: Memory) -> list[Worth]:
    """The pages of folders (NAME.html), those first from which most is to be learned."""
    paths = [path for folder in folders for path in sorted(folder.glob("*.html"))]
    return sorted(_of(path, memory) for path in watched(paths, len(paths), "pages", sys.stderr))


def _of(path: Path, memory: Memory) -> Worth:
    found = memory.extract(Document.parse(Page(path.read_bytes())))
    return Worth(found.confidence, f"{path.parent.name}/{path.name}", found.reasons)
