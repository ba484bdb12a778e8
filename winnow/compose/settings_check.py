"""Whether a start would refuse the settings; nothing is opened or changed for that."""

from __future__ import annotations

from winnow.compose.balancers import claim_of
from winnow.compose.policies import configured_rules, gate_of, listener_tls, parent_of
from winnow.compose.stores import keys_of, redis_of
from winnow.config.settings import Settings


def check(settings: Settings) -> None:
    """Raises ConfigError for settings that do not fit each other, or files that cannot be used."""
    gate_of(settings)
    listener_tls(settings)
    claim_of(settings)
    parent_of(settings)
    configured_rules(settings)
    keys_of(settings).close()
    for section in ("cache", "learning", "storage"):
        if url := getattr(settings, section).redis:
            redis_of(url, f"{section}.redis")
