"""Addresses of strangers taken apart (RFC 3986): a malformed one has no parts, and none raises.

``urllib.parse`` raises ValueError for ``http://[`` and for a port beyond 65535. Only this module
and readers of the operator's own addresses call it (``tests/document/test_addresses.py``).

Whose a host is says the public suffix list (https://publicsuffix.org) of the package
``publicsuffixlist``, private suffixes included: two blogs of one blog host are two domains. Nothing
is fetched; the list is read at its first use (40 ms, 3 MB).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib import import_module
from typing import Any, Final
from urllib.parse import SplitResult, urljoin, urlsplit

NO_PARTS: Final = SplitResult("", "", "", "", "")
_PLAIN: Final = re.compile(r"https?://[A-Za-z0-9.-]+(?::[0-9]+)?/[^?#;]*(?:\?[^#]+)?(?:#.+)?$")
"""An absolute address that resolving leaves as it is: most are of this kind."""
_BELOW_ROOT: Final = re.compile(r"/(?!/)[^?#;]*(?:\?[^#]+)?(?:#.+)?$")
"""An address that stands below a site's root, and resolving only puts the site before it."""
_SITE: Final = re.compile(r"(https?://[A-Za-z0-9.-]+(?::[0-9]+)?)(?:[/?#]|$)")
_OF_DOCUMENTS: Final = ".example"
"""Stands for any public suffix in documents and tests (RFC 2606)."""


def parts_of(address: str) -> SplitResult:
    """The five parts; all empty for a malformed address. Their ``port`` may raise: ``port_of``."""
    try:
        return urlsplit(address)
    except ValueError:
        return NO_PARTS


def host_of(address: str) -> str:
    """The host in lower case, an IPv6 address without brackets; "" where there is none."""
    return parts_of(address).hostname or ""


def port_of(address: str) -> int | None:
    """The port that an address names; None where that is none, or cannot be one."""
    try:
        return parts_of(address).port
    except ValueError:
        return None


@lru_cache(maxsize=64)
def root_of(base: str) -> str:
    """Scheme and host of a plain web address; "" of any other."""
    found = _SITE.match(base)
    return found[1] if found else ""


def joined(base: str, reference: str) -> str:
    """The reference resolved (RFC 3986, section 5.2); "" where either is malformed."""
    if "/." not in reference and reference.isprintable():
        if _PLAIN.match(reference):
            return reference
        if _BELOW_ROOT.match(reference) and (root := root_of(base)):
            return root + reference
    try:
        return urljoin(base, reference)
    except ValueError:
        return ""


@lru_cache(4096)
def registrable_domain(host: str) -> str:
    """The public suffix of a host and one label more; the host itself where it is a suffix or an
    address."""
    name = host.rstrip(".").lower()
    if name.replace(".", "").isdigit() or ":" in name:
        return name
    return _public_suffixes().privatesuffix(name) or name


def has_public_suffix(host: str) -> bool:
    """Whether a host's name is one that somebody could register, by the list as it was shipped."""
    name = host.rstrip(".").lower()
    return name.endswith(_OF_DOCUMENTS) or bool(
        _public_suffixes().publicsuffix(name, accept_unknown=False)
    )


@cache
def _public_suffixes() -> Any:
    return import_module("publicsuffixlist").PublicSuffixList()
