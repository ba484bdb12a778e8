"""Whether a start would refuse the settings; nothing is opened or changed for that."""

from __future__ import annotations

from winnow.balancers import claim_of
from winnow.compose.policies import gate_of, listener_tls, parent_of
from winnow.config.settings import Settings
from winnow.data_folder import keys_of
from winnow.feature_list import sharing_of
from winnow.proxy.decisions.site_rules import SiteRules


def check(settings: Settings) -> None:
    """Raises ConfigError for settings that do not fit each other, or files that cannot be used."""
    gate_of(settings)
    listener_tls(settings)
    claim_of(settings)
    parent_of(settings)
    SiteRules.of_settings(settings.sites)
    keys_of(settings).close()
    if sharing := sharing_of(settings):
        sharing.check()
