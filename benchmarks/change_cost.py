"""How many modules name a thing that changes: an estimate of the files that a change touches.

Counted in the syntax trees of the product, by names alone: a lower bound, since a module may depend
on a thing without naming it. Data, documents and tests are not counted.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from functools import partial
from pathlib import Path
from statistics import median

from winnow.document.values import Format
from winnow.extractors.registry import BUILT_IN
from winnow.jobs.quality import QualityLimits

Trees = Mapping[Path, ast.Module]


def key_modules(trees: Trees) -> set[Path]:
    """Modules that hash a ``Recipe``: each computes a key of a page."""
    return naming(trees, {"Recipe"}) & naming(trees, {"blake2b", "sha256"})


def threshold_modules(trees: Trees) -> int:
    """Modules that name one quality threshold, the most over all thresholds."""
    return max(len(naming(trees, {field.name})) for field in fields(QualityLimits))


def format_modules(trees: Trees) -> float:
    """Modules that name one output format, in the median over the formats."""
    return median(len(_of(trees, partial(_is_format, kind.name))) for kind in Format)


def own_page_modules(trees: Trees, page: str) -> set[Path]:
    """The handler's own module and those that name its class."""
    return naming(trees, {page})


def extractor_modules(trees: Trees) -> float:
    """Modules that name one built-in extractor's class, in the median over the extractors."""
    classes = [target.rpartition(":")[2] for target in BUILT_IN.values()]
    return median(len(_of(trees, partial(_is_class, name))) for name in classes)


def naming(trees: Trees, names: set[str]) -> set[Path]:
    """Modules in which one of the names is defined, imported, read or passed by keyword."""
    return _of(trees, lambda node: not names.isdisjoint(_names(node)))


def _of(trees: Trees, test: Callable[[ast.AST], bool]) -> set[Path]:
    return {path for path, tree in trees.items() if any(map(test, ast.walk(tree)))}


def _names(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
            yield name
        case ast.alias(name=name) | ast.ClassDef(name=name) | ast.FunctionDef(name=name):
            yield name


def _is_format(name: str, node: ast.AST) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id="Format"), attr=found):
            return found == name
        case ast.ClassDef(name="Format"):
            return True
    return False


def _is_class(name: str, node: ast.AST) -> bool:
    match node:
        case ast.Constant(value=str(text)):
            return text.endswith(f":{name}")
    return name in _names(node)


def parsed(files: Iterable[Path]) -> Trees:
    """The syntax tree of each file."""
    return {path: ast.parse(path.read_text("utf-8")) for path in files}
