"""People at one computer: each has a port, and so choices of their own (docs/people.md)."""

from __future__ import annotations

from typing import Final

from winnow.feature import Feature

FEATURE: Final = Feature(
    name="people",
    is_extra=True,
    settings="winnow.features.people.settings:PeopleSettings",
    task="winnow.features.people.person_ports:listen",
)
