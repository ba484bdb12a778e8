"""Division of nodes into visual blocks: the thirteen rules and one round of dividing.

Cai, Yu, Wen, Ma: VIPS, MSR-TR-2003-79, section 4.1, tables 1 and 2, figure 6. The report leaves
three things open that are fixed here: what "relative size" is compared with (``SMALL``), the
degrees of coherence "based on the tag" (``_BY_TAG``) and "the size" (``_SIZES``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from winnow.extractors.vips.visual_tree import Node, VisualTree

SMALL: Final = 0.5
"""The share of the page below which a node is small (rules 9 and 10; chosen in docs/vips.md)."""

ATOMIC: Final = 10
TEXT: Final = 9
"""The degree of coherence from which a block is nothing but text (rule 4)."""
_SIZES: Final = ((0.02, 8), (0.08, 7), (0.2, 6))
_BY_TAG: Final = MappingProxyType(
    dict.fromkeys("p h1 h2 h3 h4 h5 h6 a span dt dd figcaption pre label".split(), 8)
    | dict.fromkeys("li td th blockquote figure tr caption address".split(), 7)
    | dict.fromkeys("table tbody form section article main body".split(), 5)
)
_BY_TAG_OTHERS: Final = 6


@dataclass(frozen=True, slots=True)
class DivisionDecision:
    """Whether a node is divided; where not, its degree of coherence, 1..10.

    ``undivided``: children that are not divided this time, with their degrees (rule 8).
    """

    divide: bool
    degree: int = ATOMIC
    undivided: tuple[tuple[Node, int], ...] = ()


@dataclass(frozen=True)
class DivisionCase:
    """A node to decide on: its valid children and whether its left sibling was divided."""

    tree: VisualTree
    node: Node
    children: Sequence[Node]
    sibling_divided: bool


Rule = Callable[[DivisionCase], DivisionDecision | None]
DIVIDE: Final = DivisionDecision(True)


def decide(case: DivisionCase) -> DivisionDecision:
    """The decision of the first rule that applies to the node's tag."""
    for rule in _rules_of(case):
        found = rule(case)
        if found is not None:
            return found
    return DivisionDecision(False, by_size(case))


def by_tag(case: DivisionCase) -> int:
    """A degree of coherence of 5..8 by the tag."""
    return _BY_TAG.get(case.tree.document.name_of(case.node.element), _BY_TAG_OTHERS)


def by_size(case: DivisionCase) -> int:
    """A degree of coherence of 5..8 by the size."""
    share = case.node.size / (case.tree.page_size or 1)
    return next((degree for bound, degree in _SIZES if share < bound), 5)


def nothing_inside(case: DivisionCase) -> DivisionDecision | None:
    """Rule 1: what has no valid children is not divided."""
    return None if case.children else DivisionDecision(False)


def one_child(case: DivisionCase) -> DivisionDecision | None:
    """Rule 2: an only child that is no text stands for its parent."""
    return DIVIDE if len(case.children) == 1 and not case.tree.is_text(case.children[0]) else None


def all_text(case: DivisionCase) -> DivisionDecision | None:
    """Rule 4: nothing but text; 10 where it is all of one font, else 9."""
    if not all(case.tree.is_text(child) for child in case.children):
        return None
    fonts = case.tree.fonts_in(case.node)
    return DivisionDecision(False, 10 if bool((fonts == fonts[0]).all()) else TEXT)


def line_break(case: DivisionCase) -> DivisionDecision | None:
    """Rule 5: one of the children breaks the line."""
    inline = case.tree.layout.inline
    breaks = any(not child.is_run and not inline[child.element] for child in case.children)
    return DIVIDE if breaks else None


def ruled(case: DivisionCase) -> DivisionDecision | None:
    """Rule 6: one of the children is an HR."""
    return DIVIDE if case.tree.has_rule(case.node) else None


def overflowing(case: DivisionCase) -> DivisionDecision | None:
    """Rule 7: the children together are larger than the node."""
    return DIVIDE if sum(child.size for child in case.children) > case.node.size else None


def coloured(case: DivisionCase) -> DivisionDecision | None:
    """Rule 8: a child has another background: divided, and that child is not, this time."""
    colours = case.tree.layout.background
    own = colours[case.node.element]
    undivided = [child for child in case.children if colours[child.element] != own]
    if not undivided:
        return None
    return DivisionDecision(
        True, undivided=tuple((child, _coloured_degree(case, child)) for child in undivided)
    )


def small_with_text(case: DivisionCase) -> DivisionDecision | None:
    """Rule 9: a small node with text of its own is not divided."""
    has_text = any(case.tree.is_text(child) for child in case.children)
    if not has_text or case.node.size >= SMALL * case.tree.page_size:
        return None
    return DivisionDecision(False, by_tag(case))


def small_children(case: DivisionCase) -> DivisionDecision | None:
    """Rule 10: a node whose largest child is small is not divided."""
    largest = max(child.size for child in case.children)
    return DivisionDecision(False, by_size(case)) if largest < SMALL * case.tree.page_size else None


def like_its_sibling(case: DivisionCase) -> DivisionDecision | None:
    """Rule 11: what stands behind an undivided node is not divided."""
    return None if case.sibling_divided else DivisionDecision(False, by_size(case))


def always(_: DivisionCase) -> DivisionDecision | None:
    """Rule 12."""
    return DIVIDE


def never(case: DivisionCase) -> DivisionDecision | None:
    """Rule 13."""
    return DivisionDecision(False, by_size(case))


_ONE_TO_FOUR: Final = (nothing_inside, one_child, all_text)
"""Rule 3, that the root of what is looked at is divided, is the extraction's."""

_BY_COLOUR_AND_SIZE: Final = (coloured, small_with_text, small_children, always)
_INLINE: Final[Sequence[Rule]] = (*_ONE_TO_FOUR, line_break, ruled, *_BY_COLOUR_AND_SIZE)
_OTHERS: Final[Sequence[Rule]] = (*_ONE_TO_FOUR, ruled, *_BY_COLOUR_AND_SIZE)
_RULES: Final = MappingProxyType[str, Sequence[Rule]](
    {
        "table": (nothing_inside, one_child, coloured, small_children, never),
        "tr": (nothing_inside, one_child, overflowing, coloured, small_children, never),
        "td": (*_ONE_TO_FOUR, small_with_text, small_children, like_its_sibling, never),
        "p": _INLINE,
    }
)


def _rules_of(case: DivisionCase) -> Sequence[Rule]:
    if case.node.is_run:
        return (nothing_inside, all_text)
    inline = case.tree.layout.inline[case.node.element]
    name = case.tree.document.name_of(case.node.element)
    return _RULES.get(name, _INLINE if inline else _OTHERS)


def _coloured_degree(case: DivisionCase, child: Node) -> int:
    """What rules 1 and 4 say of a child without parts; else 6..8 by tag and size (rule 8)."""
    below = DivisionCase(case.tree, child, case.tree.children(child), True)
    whole = nothing_inside(below) or (all_text(below) if all_text in _rules_of(below) else None)
    return whole.degree if whole else max(6, min(by_tag(below), by_size(below)))


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
