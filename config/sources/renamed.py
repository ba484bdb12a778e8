"""Old names of settings, which go on working, with a warning in the log, for one release."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Final

_LOG = logging.getLogger("winnow.config")
SETTINGS: Final[Mapping[str, str]] = {
    "server.workers": "server.processes",
    "server.connections_each": "server.connections_per_client",
    "extraction.max_waiting_each": "extraction.max_waiting_per_client",
    "interception.spare_banks": "interception.exclude_banks",
    "sites.anyway": "sites.ignore_no_transform",
    **{
        f"looks.{it}": f"appearance.{it}"
        for it in ("size", "width", "spacing", "typeface", "theme")
    },
}
RULE_FIELDS: Final[Mapping[str, str]] = {"anyway": "ignore_no_transform"}
"""Of a rule in the file of site rules."""


def current_name(name: str, renamed: Mapping[str, str], origin: str) -> str:
    """The name that a setting has now; warns of an old one, which stands in ``origin``."""
    new = renamed.get(name)
    if new is None:
        return name
    _LOG.warning("%s: %s is now called %s; the old name will be removed", origin, name, new)
    return new
