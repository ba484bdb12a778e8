"""Two halves of a test package by site: one may be read while rules are written for what it shows,
the other is scored only, so that a rule is judged by pages that nobody read for it.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from zlib import crc32

from winnow.document.addresses import host_of, registrable_domain
from winnow.evaluation.gold.packages import Package, PackageEntry


class Half(StrEnum):
    """Which half of a package is measured."""

    READ = "read"
    SCORED = "scored"


def site_of(entry: PackageEntry) -> str:
    """Whose page it is: the site that its notes name, else its host, by registrable domain; its
    own name where neither is known."""
    host = str(entry.meta.get("site") or host_of(entry.url or "") or entry.id)
    return registrable_domain(host)


def half_of(entry: PackageEntry) -> Half:
    """The half of a page, the same in every run: all pages of one site are in one."""
    is_scored = (crc32(site_of(entry).encode()) >> 16) & 1
    return Half.SCORED if is_scored else Half.READ


def halved(package: Package, half: Half) -> Package:
    """The package with the pages of one half alone."""
    ids = tuple(name for name in package.ids if half_of(package.page(name)) is half)
    return replace(package, ids=ids)
