"""Which declarations of CSS hide text, and which rules of a style sheet have such.

Nothing is laid out: what is looked at are the ways that hide whatever stands around, on the screen
of ``screens``, where no pointer is over anything and nothing has the focus.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Final, NamedTuple

from winnow.document.errors import SelectorError
from winnow.document.parsing import start_tags
from winnow.document.selectors import Compound, parse_selector
from winnow.document.visibility.screens import groups_around, groups_of

_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_DECLARATION: Final = re.compile(r"([a-zA-Z-]+)\s*:\s*([^;{}]*)")
_LONGEST: Final = 30
"""Characters from a property's name to its value."""
_RULE: Final = 2000
"""Characters of a rule's selectors or declarations that are read."""
_BEHIND: Final = 200
"""Characters of a selector behind a name that are read."""
_PLACES: Final = 100
"""Places of a style sheet where a name is looked at."""
_VALUE: Final = re.compile(
    r"none|hidden|collapse|[-rictspw#]|(?:0*\.?0+|1px)(?:px|r?em|pt|%)?\s*[;!}]", re.I
)
"""Of the values that may hide those that do."""
_POINTED: Final = re.compile(r":(?:hover|focus|active)", re.I)
"""Of a selector that meets nothing before a person points at something."""
_INNER: Final = re.compile(r"[\s>+~](?![^(]*\))")
"""What parts two compounds, outside of brackets."""
_DRAWN: Final = re.compile(r"::|:(?:before|after|first-l)", re.I)
"""Of a selector that meets no element."""
_MOVES: Final = re.compile(r"transition|animation|will-change", re.I)
_FAR: Final = re.compile(r"-\s*(?:\d{4,}(?:\.\d+)?px|\d{3,}(?:\.\d+)?(?:r?em|vw|vh)|[1-9]\d{3,}%)")
"""Lengths that no screen reaches."""
_NONE: Final = re.compile(r"(?:0*\.?0+|0*\.0\d*|1px)(?:px|r?em|pt|%)?\Z")
_CLIP: Final = re.compile(
    r"rect\(\s*(?:0|1px)[\s,a-z]+(?:0|1px)|inset\(\s*(?:50|100)%|(?:circle|ellipse)\(\s*0"
    r"|polygon\(\s*0(?:px|%)?\s+0(?:px|%)?\s*,\s*0(?:px|%)?\s+0"
)
_SET_BY: Final = {
    "display": {"display"},
    "visibility": {"visibility"},
    "opacity": {"opacity"},
    "font": {"font-size", "font"},
    "size": {"height", "max-height", "width", "max-width", "overflow", "display"},
    "clip": {"clip", "clip-path", "position"},
    "place": {"left", "right", "top", "bottom", "position", "text-indent", "transform"},
    "scale": {"transform"},
    "colour": {"color", "background", "background-color"},
}
"""The properties by which another rule takes back what hides, by the way of hiding."""
_COLOURS: Final = {"white": "#ffffff", "black": "#000000", "transparent": ""}
_NUMBERS: Final = re.compile(r"[\d.]+")


class Weight(NamedTuple):
    """What decides between two declarations, the greater one counts (CSS Cascade 4, section 6)."""

    important: bool
    ids: int
    classes: int
    place: int


class HidingRule(NamedTuple):
    """A rule that hides: how, the names of its last compound, the selector's compounds, and whether
    it moves: a transition or an animation may end it."""

    way: str
    names: frozenset[str]
    compounds: tuple[Compound, ...]
    weight: Weight
    moves: bool


class ShowingRule(NamedTuple):
    """A rule that sets what another hides by, so that it shows; ``compounds``: those of its
    selector, none where it says more than can be looked up."""

    compounds: tuple[Compound, ...]
    weight: Weight


@lru_cache(maxsize=1024)
def declarations(css: str) -> Mapping[str, str]:
    """The declarations of a block or a ``style`` attribute, in lower case."""
    return {
        name.lower(): value.partition("!")[0].strip().lower()
        for name, value in _DECLARATION.findall(css)
    }


@lru_cache(maxsize=1024)
def way_of_hiding(css: str) -> str:
    """How declarations hide what they apply to, a key of what takes it back; "" if they do not."""
    found = declarations(css)
    if found.get("display") == "none":
        return "display"
    if found.get("visibility") in ("hidden", "collapse"):
        return "visibility"
    transform = found.get("transform", "")
    if transform and (found.get("opacity") or "clip-path" in found):
        return ""  # it is faded in
    if "opacity" in found and _NONE.match(found["opacity"].removesuffix("px")):
        return "opacity" if found["opacity"] != "1px" else ""
    return _by_geometry(found, transform) or _by_colour(found)


def _by_geometry(found: Mapping[str, str], transform: str) -> str:
    if re.search(r"scale(?:3d|x|y)?\(\s*0(?:\.0+)?\s*[,)]", transform):
        return "scale"
    if "font-size" in found and _NONE.match(found["font-size"]):
        return "font"
    is_out = found.get("position") in ("absolute", "fixed")
    if is_out and _CLIP.match(found.get("clip", "")):
        return "clip"
    if _CLIP.match(found.get("clip-path", "")):
        return "clip"
    far = ("left", "right", "top", "bottom") if is_out else ()
    values = (found.get(name, "") for name in (*far, "margin-left", "text-indent"))
    if any(map(_FAR.match, values)) or re.search(
        rf"translate[xy(3d]*\(?\s*{_FAR.pattern}", transform
    ):
        return "place"
    is_cut = found.get("overflow", "").startswith(("hidden", "clip"))
    sizes = (found.get(name, "") for name in ("height", "max-height", "width", "max-width"))
    is_box = any(name.startswith("padding") for name in found)
    return "size" if is_cut and not is_box and any(map(_NONE.match, sizes)) else ""


def _by_colour(found: Mapping[str, str]) -> str:
    if "color" not in found or any("clip" in name or "shadow" in name for name in found):
        return ""
    colour, ground = colour_of(found["color"]), ground_of(found)
    return "colour" if not colour or colour == ground else ""


def ground_of(found: Mapping[str, str]) -> str | None:
    """The colour behind the text that declarations set; None if they set none, or a picture."""
    value = found.get("background-color") or found.get("background") or ""
    return colour_of(value) or None if value else None


def colour_of(value: str) -> str:
    """A colour as ``#rrggbb`` where it is written in a common way; "" if it is transparent."""
    if value in _COLOURS:
        return _COLOURS[value]
    if value.startswith("#") and len(value) == len("#rgb"):
        return "#" + "".join(2 * digit for digit in value[1:])
    if value.startswith("rgb"):
        numbers = [float(each) for each in _NUMBERS.findall(value) if each.strip(".")]
        if numbers[3:] == [0.0]:
            return ""
        if len(numbers) == 3 or numbers[3:] == [1.0]:
            return "#" + "".join(f"{min(int(each), 255):02x}" for each in numbers[:3])
    return value


def moves(found: Mapping[str, str]) -> bool:
    """Whether declarations let what they set change in time."""
    return any(_MOVES.search(name) for name in found)


@lru_cache(maxsize=64)
def without_comments(css: str) -> str:
    """A style sheet without its comments."""
    return _COMMENT.sub("", css) if "/*" in css else css


@lru_cache(maxsize=64)
def hiding_rules(css: str) -> tuple[HidingRule, ...]:
    """The rules of a style sheet without comments that hide on our screen.

    O(len(css)); of a sheet met again (style sheets are a site's) the answer is stored.
    """
    found = list[HidingRule]()
    for selector, block, place in dict.fromkeys(_hiding_selectors(css)):
        declared = declarations(block)
        if way := way_of_hiding(block):
            compounds = _compounds(selector)
            if compounds and (names := names_of(compounds[-1])):
                weight = _weight(selector, block, place)
                found.append(HidingRule(way, names, compounds, weight, moves(declared)))
    return tuple(found)


def _weight(selector: str, block: str, place: int) -> Weight:
    classes = sum(map(selector.count, ".[:"))
    return Weight("!important" in block, selector.count("#"), classes, place)


def names_of(compound: Compound) -> frozenset[str]:
    """The classes and the id that a compound asks for, with their sign."""
    ids = (f"#{value}" for key, value in compound.attributes if key == "id" and value)
    return frozenset((*(f".{name}" for name in compound.classes), *ids))


def _hiding_selectors(css: str) -> Iterator[tuple[str, str, int]]:
    """The selectors of the blocks that may hide on our screen, each with its block and place."""
    depth = done = 0
    latest, groups = -1, groups_of(css)
    for value in start_tags.hiding(css, 0, len(css), _LONGEST):
        brace = css.rfind("{", max(done, value - _RULE), value)
        if brace in (-1, latest) or not _VALUE.match(css, value) or "}" in css[brace:value]:
            continue
        start = max(done, brace - _RULE)
        before = max(css.rfind(sign, start, brace) for sign in "{};")
        if before < 0 < start:
            continue
        begin = before + 1 if before >= 0 else start
        depth += css.count("{", done, begin) - css.count("}", done, begin)
        done, latest = begin, brace
        around = groups_around(groups, begin)
        if len(around) == depth and all(group.is_on for group in around):
            block = _block(css, brace)
            yield from ((each.strip(), block, begin) for each in css[begin:brace].split(","))


def _block(css: str, brace: int) -> str:
    """The declarations behind a brace."""
    return css[brace + 1 : max(css.find("}", brace, brace + _RULE), brace + 1)]


@lru_cache(maxsize=1024)
def showing_rules(css: str, name: str, way: str) -> tuple[ShowingRule, ...]:
    """The rules of a style sheet without comments whose last compound has a name and that set what
    a way of hiding does, otherwise; on our screen, and before a person points at anything."""
    found, groups = list[ShowingRule](), groups_of(css)
    for at in start_tags.standing_in_python(css, name)[:_PLACES]:
        brace = css.find("{", at, at + _RULE)
        if brace < 0 or css.find("}", at, brace) >= 0:
            continue
        end = css.find(",", at, brace)
        behind = css[at + len(name) : end if end >= 0 else brace].rstrip()[:_BEHIND]
        start = max(css.rfind(sign, max(at - _RULE, 0), at) for sign in "{};,") + 1
        selector = css[start : at + len(name)].lstrip() + behind
        is_other = behind[:1].replace("-", "_").isidentifier() or _INNER.search(behind)
        is_off = any(group.is_on is False for group in groups_around(groups, at))
        if is_other or is_off or _POINTED.search(selector) or _DRAWN.search(selector):
            continue
        block = _block(css, brace)
        declared = declarations(block)
        if not _SET_BY[way].isdisjoint(declared) and way_of_hiding(block) != way:
            found.append(ShowingRule(_compounds(selector), _weight(selector, block, at)))
    return tuple(found)


def _compounds(selector: str) -> tuple[Compound, ...]:
    """A selector's compounds; none where it asks for what is not looked up here."""
    with suppress(SelectorError):
        found = parse_selector(selector)
        return () if any(each.nth for each in found) else found
    return ()
