"""All families of attack by name."""

from __future__ import annotations

from typing import Final

from tests.attack.attempts import Attempt, by_family
from tests.attack.families import (
    certificates,
    claims,
    controls,
    extensions,
    foreign,
    inside,
    markup,
    people,
    pressure,
    proxies,
    rendered,
    scripts,
    settings,
    sharing,
    shown,
    splitting,
    waiting,
    wire,
)

MODULES: Final = (
    controls,
    extensions,
    splitting,
    inside,
    foreign,
    settings,
    scripts,
    wire,
    certificates,
    claims,
    sharing,
    shown,
    people,
    proxies,
    markup,
    pressure,
    rendered,
    waiting,
)


def families() -> dict[str, list[Attempt]]:
    """Every attempt, by family in the order of the modules."""
    return by_family(attempt for module in MODULES for attempt in module.attempts())
