"""The settings of Winnow before one site."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from winnow.config.setting_fields import setting


@dataclass(frozen=True, slots=True)
class OriginSettings:
    """One site, before which Winnow stands; where ``features.enabled`` names origin."""

    SECTION: ClassVar[str] = "origin"

    url: str = setting("", "The site’s address behind Winnow: https://intranet.", protected=True)
    names: tuple[str, ...] = setting(
        (),
        "Names by which readers open the site; without any the one in origin.url. Winnow’s own "
        "address counts too.",
        protected=True,
    )
    prefix: str = setting(
        "/-/", "What the paths of its views begin with: /-/read/story shows /story to be read."
    )

    @property
    def own_prefix(self) -> str:
        """What all own paths begin with; ``winnow health`` asks there."""
        return f"/{self.prefix.strip('/')}/"
