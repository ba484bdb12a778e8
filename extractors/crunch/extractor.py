"""The extractor over Crunch's walk: levels, cells, ads. Knows parameters; no rule of its own."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import ClassVar

from document import tags
from document.document import Document
from document.values import Extraction
from extractors.crunch import ladder
from extractors.crunch.ads import load_hosts
from extractors.crunch.walk import MODERN_CELLS, Walk
from extractors.method import Method, spans_of_pieces


@dataclass(frozen=True)
class Crunch(Method):
    """Crunch 3 at one of its relax levels: 1 takes most away, 12 nearly nothing.

    ``modern`` treats DIV, SECTION, UL, NAV and ASIDE as cells too, ``substance`` is the shortest
    text, in characters, that makes a table more than empty, ``ads`` the path of a list of hosts.
    Text without its look is in the spans; what happens to markup is in the edits.
    """

    level: int = 2
    modern: bool = False
    substance: int = 12
    ads: str = ""
    method: ClassVar[str] = "crunch"
    main_parameter: ClassVar[str] = "level"

    def __post_init__(self) -> None:
        ladder.level(self.level)
        load_hosts(self.ads)

    @property
    def fingerprint(self) -> str:
        """As for every method, and the digest of the list of hosts."""
        hosts = "\n".join(sorted(load_hosts(self.ads)))
        return f"{super().fingerprint}+{hashlib.sha256(hosts.encode()).hexdigest()[:16]}"

    def extract(self, document: Document) -> Extraction:
        """Label what the filters of the level leave."""
        cells = tags.codes_of("td") | (MODERN_CELLS if self.modern else frozenset())
        walk = Walk(document, ladder.level(self.level), cells, load_hosts(self.ads))
        walk.run(self.substance)
        return Extraction(
            extractor=self.name,
            spans=spans_of_pieces(document, ~walk.gone & ~document.hidden),
            edits=tuple(sorted(walk.edits, key=lambda edit: edit.element)),
        )
