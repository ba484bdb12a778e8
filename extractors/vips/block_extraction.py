"""Visual block extraction: one round of dividing a node (report, section 4.1, figure 6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from winnow.extractors.vips.division_rules import ATOMIC, DivisionCase, decide
from winnow.extractors.vips.visual_tree import Node, VisualTree


@dataclass(frozen=True, slots=True)
class VisualBlock:
    """A visual block: a node, its degree of coherence, and whether another round may divide it."""

    node: Node
    degree: int
    dividable: bool


def divide(tree: VisualTree, root: Node) -> list[VisualBlock]:
    """The visual blocks of one round; rule 3: the root of what is looked at is always divided.

    Returned in document order; no recursion, whatever the depth of the page.
    """
    found: list[VisualBlock] = []
    stack: list[tuple[Node, int]] = [(child, 0) for child in reversed(tree.children(root))]
    divided = True
    while stack:
        node, fixed = stack.pop()
        children = tree.children(node)
        if fixed:
            found.append(VisualBlock(node, fixed, bool(children)))
            divided = False
            continue
        decision = decide(DivisionCase(tree, node, children, divided))
        divided = decision.divide
        if decision.divide:
            stack += reversed(_with_fixed(children, dict(decision.undivided)))
        else:
            found.append(VisualBlock(node, decision.degree if children else ATOMIC, bool(children)))
    return found


def _with_fixed(children: list[Node], undivided: Mapping[Node, int]) -> list[tuple[Node, int]]:
    return [(child, undivided.get(child, 0)) for child in children]
