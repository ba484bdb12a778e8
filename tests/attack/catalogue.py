"""All families of attack by name."""

from __future__ import annotations

from typing import Final

from tests.attack.attempts import Attempt, by_family
from tests.attack.families import (
    agents,
    certificates,
    claims,
    codes,
    computer_setup,
    controls,
    extensions,
    foreign,
    handshakes,
    inside,
    learned,
    markup,
    messages,
    odd_values,
    parts,
    people,
    ports,
    pressure,
    proxies,
    reader_network,
    redirected,
    redis_keys,
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
    messages,
    agents,
    parts,
    splitting,
    inside,
    reader_network,
    learned,
    foreign,
    settings,
    codes,
    redirected,
    handshakes,
    redis_keys,
    computer_setup,
    scripts,
    wire,
    certificates,
    claims,
    sharing,
    shown,
    people,
    proxies,
    markup,
    odd_values,
    ports,
    pressure,
    rendered,
    waiting,
)


def families() -> dict[str, list[Attempt]]:
    """Every attempt, by family in the order of the modules."""
    return by_family(attempt for module in MODULES for attempt in module.attempts())
