"""How many modules name a thing that changes: an estimate of the files that a change touches.

Counted in the syntax trees of the product, by names alone: a lower bound, since a module may depend
on a thing without naming it. Data, documents and tests are not counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from statistics import median

from benchmarks.module_facts import ModuleFacts
from winnow.document.values import Format
from winnow.extractors.registry import BUILT_IN
from winnow.jobs.quality import QualityLimits

Modules = Iterable[ModuleFacts]


def key_modules(modules: Modules) -> list[ModuleFacts]:
    """Modules that hash a ``Recipe``: each computes a key of a page."""
    return [m for m in naming(modules, "Recipe") if m.names & {"blake2b", "sha256"}]


def threshold_modules(modules: Modules) -> int:
    """Modules that name one quality threshold, the most over all thresholds."""
    return max(len(naming(modules, field.name)) for field in fields(QualityLimits))


def format_modules(modules: Modules) -> float:
    """Modules that name one output format, in the median over the formats."""
    return median(sum(_names_format(m, kind.name) for m in modules) for kind in Format)


def own_page_modules(modules: Modules, page: str) -> list[ModuleFacts]:
    """The handler's own module and those that name its class."""
    return naming(modules, page)


def extractor_modules(modules: Modules) -> float:
    """Modules that name one built-in extractor's class, in the median over the extractors."""
    classes = [target.rpartition(":")[2] for target in BUILT_IN.values()]
    return median(sum(name in m.names | m.targets for m in modules) for name in classes)


def naming(modules: Modules, name: str) -> list[ModuleFacts]:
    """Modules in which the name is defined, imported, read or passed by keyword."""
    return [module for module in modules if name in module.names]


def _names_format(module: ModuleFacts, name: str) -> bool:
    return name in module.formats or "Format" in module.classes
