"""What several instances share of their state; a feature brings it (``Feature.sharing``)."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.caching.memory_storage import ResponseStorage
from winnow.proxy.caching.renderings import SharedValues
from winnow.proxy.cluster.bus import Bus
from winnow.proxy.stores.choice_store import ChoiceStore, NotifyingChoices
from winnow.proxy.stores.library import LibraryStore
from winnow.proxy.stores.site_store import Merge, SiteStore, SiteStoreBounds


@dataclass(frozen=True, slots=True)
class Instance:
    """What one instance, called ``name``, has for itself."""

    name: str
    tokens: FormTokens
    bus: Bus
    choices: NotifyingChoices
    library: LibraryStore


class Sharing(Protocol):
    """Made from the settings; None stands for what they do not share. All raise ConfigError."""

    def check(self) -> None:
        """Whether its addresses are any; nothing is connected."""
        ...

    def joined(
        self, own: Instance, /
    ) -> AbstractAsyncContextManager[tuple[Bus, ChoiceStore, LibraryStore]]:
        """Bus, choices and library together with the other instances."""
        ...

    @property
    def patience(self) -> float:
        """Seconds until an access to responses or renderings counts as failed."""
        ...

    @property
    def has_sites(self) -> bool:
        """Whether lessons are shared."""
        ...

    def sites(self, merge: Merge, bounds: SiteStoreBounds) -> SiteStore | None:
        """Where lessons are shared."""
        ...

    def responses(self) -> ResponseStorage | None:
        """Where responses are."""
        ...

    def renderings(self) -> SharedValues | None:
        """Where renderings are."""
        ...
