"""The settings of people at one computer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from winnow.config.setting_fields import setting


@dataclass(frozen=True, slots=True)
class PeopleSettings:
    """A port of this computer for each person; where ``features.enabled`` names people."""

    SECTION: ClassVar[str] = "people"

    ports: tuple[str, ...] = setting(
        (),
        "Who is at which port of this computer, without a password: anna=8091. Each has settings, "
        "saved pages and activity of their own.",
        protected=True,
    )
