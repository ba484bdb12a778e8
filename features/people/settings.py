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
    names_port: int = setting(
        0,
        "A port of this computer at which a browser asks once who is there; 0: none.",
        protected=True,
        minimum=0,
        maximum=65535,
    )
    names: tuple[str, ...] = setting(
        (),
        "Who may be named there, without a password: anna. A name in access.users needs its own.",
        protected=True,
    )
