"""What one walk of a module's syntax tree tells: lines, functions, imports, the names in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ModuleFacts:
    """A module as counted; ``names`` are defined, imported, read or passed by keyword in it.

    ``formats`` are members of ``Format`` that it names, ``targets`` the objects of its texts
    ``module:object``, ``classes`` its public classes, ``imports`` the modules of ours that it
    imports from.
    """

    path: Path
    lines: int
    functions: tuple[int, ...]
    classes: frozenset[str]
    imports: frozenset[str]
    names: frozenset[str]
    formats: frozenset[str]
    targets: frozenset[str]


def facts_of(path: Path) -> ModuleFacts:
    """Raises SyntaxError where the file is not Python."""
    source = path.read_text("utf-8")
    nodes = list(ast.walk(ast.parse(source)))
    return ModuleFacts(
        path=path,
        lines=source.count("\n"),
        functions=tuple(_lengths(nodes)),
        classes=frozenset(_classes(nodes[0])),
        imports=frozenset(_imports(nodes)),
        names=frozenset(name for node in nodes for name in _names(node)),
        formats=frozenset(_formats(nodes)),
        targets=frozenset(_targets(nodes)),
    )


def _lengths(nodes: list[ast.AST]) -> Iterator[int]:
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
            yield node.end_lineno - node.lineno + 1


def _classes(module: ast.AST) -> Iterator[str]:
    """Public classes; type aliases are no classes."""
    for node in ast.iter_child_nodes(module):
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name


def _imports(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("winnow"):
            yield node.module


def _names(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
            yield name
        case ast.alias(name=name) | ast.ClassDef(name=name) | ast.FunctionDef(name=name):
            yield name


def _formats(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        match node:
            case ast.Attribute(value=ast.Name(id="Format"), attr=member):
                yield member


def _targets(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and ":" in node.value:
            yield node.value.rpartition(":")[2]
