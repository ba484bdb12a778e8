"""The language of our own pages: a reader's choice, or what the browser asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from winnow.proxy.access.requester import RequestHead
from winnow.proxy.own.languages import Language
from winnow.proxy.own.translation import by_header
from winnow.proxy.stores.library import LibraryStore

KNOWN: Final = frozenset(Language)


@dataclass(frozen=True)
class LanguageChoices:
    """The language that a reader chose, else the one that the browser asks for."""

    library: LibraryStore

    def __call__(self, head: RequestHead) -> Language:
        chosen = self.library.now.languages.get(head.owner) if head.owner else None
        return Language(chosen) if chosen in KNOWN else by_header(head)
