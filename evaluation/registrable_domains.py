"""Registrable domains by the public suffix list (https://publicsuffix.org): whose a host is.

The list is that of the package ``publicsuffixlist`` (the extra ``train``), private suffixes
included: two blogs of one blog host are two domains. Nothing is fetched.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any


def registrable_domain(host: str) -> str:
    """The public suffix of a host and one label more; the host itself where it is a suffix or an
    address. Raises ModuleNotFoundError where the list is not installed."""
    name = host.rstrip(".").lower()
    if name.replace(".", "").isdigit():
        return name
    return _public_suffixes().privatesuffix(name) or name


@cache
def _public_suffixes() -> Any:
    return import_module("publicsuffixlist").PublicSuffixList()
