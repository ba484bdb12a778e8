"""Visual block extraction: one round of dividing a node (report, section 4.1, figure 6).

Knows nodes and what the rules say of them; no separators.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from winnow.extractors.vips.division_rules import ATOMIC, DivisionCase, verdict
from winnow.extractors.vips.visual_tree import Node, VisualTree


@dataclass(frozen=True, slots=True)
class Found:
    """A visual block: a node, its degree of coherence, and whether another round may divide it."""

    node: Node
    degree: int
    dividable: bool


def extracted(tree: VisualTree, root: Node) -> list[Found]:
    """The visual blocks of one round; rule 3: the root of what is looked at is always divided.

    Returned in document order; no recursion, whatever the depth of the page.
    """
    found: list[Found] = []
    waiting: list[tuple[Node, int]] = [(child, 0) for child in reversed(tree.children(root))]
    divided = True
    while waiting:
        node, fixed = waiting.pop()
        children = tree.children(node)
        if fixed:
            found.append(Found(node, fixed, bool(children)))
            divided = False
            continue
        said = verdict(DivisionCase(tree, node, children, divided))
        divided = said.divide
        if said.divide:
            waiting += reversed(_with_fixed(children, dict(said.apart)))
        else:
            found.append(Found(node, said.degree if children else ATOMIC, bool(children)))
    return found


def _with_fixed(children: list[Node], apart: Mapping[Node, int]) -> list[tuple[Node, int]]:
    return [(child, apart.get(child, 0)) for child in children]
