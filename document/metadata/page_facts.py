"""What structured data say of the recipe, product, event or job that a page is about.

Schema.org's terms, in JSON-LD or microdata: Recipe, Product and ProductGroup, Event and its kinds,
JobPosting.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from winnow.document.document import Document
from winnow.document.metadata.fact_values import (
    MOST,
    Node,
    duration,
    last_step,
    listed,
    maps,
    moment,
    name_of,
    place,
    plain,
    price,
    salary,
    text_of,
    texts,
    value_of,
)
from winnow.document.metadata.microdata import microdata
from winnow.document.parsing import start_tags
from winnow.document.parsing.signature import needs
from winnow.document.texts.short_texts import key_of

_ITEMS: Final = re.compile(
    r"[^\"]*schema\.org/(?:Recipe|Product|ProductGroup|\w*Event|JobPosting)\b"
)
_AVAILABLE: Final = {
    "InStock": "in stock", "OutOfStock": "out of stock", "SoldOut": "sold out",
    "PreOrder": "pre-order", "PreSale": "pre-order", "BackOrder": "on back order",
    "Discontinued": "discontinued", "InStoreOnly": "in shops only", "OnlineOnly": "online only",
    "LimitedAvailability": "few left",
}  # fmt: skip
LOWEST: Final = "from "
"""Stands before the lowest of several prices."""
REMOTE: Final = "remote"
"""Stands for the place of a job that is done from anywhere."""
_CAPITAL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class FactList:
    """Ingredients, steps or options: their name, their texts in order, whether order matters."""

    name: str
    items: tuple[str, ...]
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class PageFacts:
    """``kind`` is Recipe, Product, Event or Job; ``pairs``: label and text."""

    kind: str = ""
    pairs: tuple[Pair, ...] = ()
    lists: tuple[FactList, ...] = ()


NO_FACTS: Final = PageFacts()


@needs("ld+json", "itemscope", absent=NO_FACTS)
def facts_of(document: Document, title: str) -> PageFacts:
    """The facts of the one subject that a page is about; none where several could be meant.

    A subject whose name has little in common with the page's title is another page's.
    """
    subjects = _subjects(_nodes(document))
    for kind in _READERS if subjects else ():
        named = [
            node for node in subjects[kind] if _is_named(text_of(node, "name", "title"), title)
        ]
        if _is_one({text_of(node, "name", "title") for node in named}):
            pairs, lists = _READERS[kind](_merged(named))
            return PageFacts(kind, tuple(_filled(pairs)), tuple(one for one in lists if one.items))
    return NO_FACTS


def _nodes(document: Document) -> list[dict[str, Any]]:
    """All of JSON-LD; microdata too where they name one of the kinds."""
    at = start_tags.standing(document.markup, 'itemtype="http', 5)
    is_marked = any(_ITEMS.match(document.markup, offset + 10) for offset in at)
    return [*document.linked_nodes, *(microdata(document) if is_marked else ())]


def _subjects(nodes: Iterable[Node]) -> dict[str, list[Node]]:
    """The nodes of each kind; empty where there is none."""
    found: dict[str, list[Node]] = {}
    for node in nodes:
        types = node.get("@type")
        for name in types if type(types) is list else (types,):
            if type(name) is str and (name in _KIND_OF or name.endswith("Event")):
                found.setdefault(_KIND_OF.get(name, "Event"), []).append(node)
    return {kind: found.get(kind, []) for kind in _READERS} if found else {}


_KIND_OF: Final = {
    f"{prefix}{name}": kind
    for prefix in ("", "http://schema.org/", "https://schema.org/")
    for name, kind in (
        ("Recipe", "Recipe"), ("Product", "Product"), ("ProductGroup", "Product"),
        ("JobPosting", "Job"),
    )
}  # fmt: skip


def _subject(node: Node) -> str:
    return text_of(node, "name", "title")


def _is_named(name: str, title: str) -> bool:
    """Whether half of a name's words are in the page's title, or of the title's in the name."""
    mine, other = ({key_of(word) for word in text.split()} - {""} for text in (name, title))
    common = 2 * len(mine & other)
    return bool(common) and (common >= len(mine) or common >= len(other))


def _is_one(names: set[str]) -> bool:
    """Whether names are of one subject: its variants' names begin with its own."""
    shortest = min(names, key=len, default="")
    return bool(shortest) and all(name.startswith(shortest) for name in names)


def _merged(nodes: list[Node]) -> Node:
    """Several nodes of one subject as one: of each property the first that says something."""
    found: dict[str, Any] = {}
    for node in nodes:
        found.update((key, value) for key, value in node.items() if key not in found and value)
    return found


def _filled(pairs: Iterable[Pair]) -> Iterator[Pair]:
    return ((label, text) for label, text in pairs if text)


def _recipe(node: Node) -> tuple[list[Pair], list[FactList]]:
    pairs = [
        ("Yield", text_of(node, "recipeYield", "yield")),
        ("Preparation", duration(text_of(node, "prepTime"))),
        ("Cooking", duration(text_of(node, "cookTime"))),
        ("Total time", duration(text_of(node, "totalTime"))),
    ]
    ingredients = tuple(texts(node.get("recipeIngredient") or node.get("ingredients")))
    steps = tuple(_steps(node.get("recipeInstructions")))
    return pairs, [FactList("Ingredients", ingredients), FactList("Steps", steps, ordered=True)]


def _steps(value: Any) -> Iterator[str]:
    """Texts, HowToStep and HowToSection in order; a text of several lines is several steps."""
    for step in listed(value)[:MOST]:
        if isinstance(step, Mapping):
            inner = step.get("itemListElement")
            yield from _steps(inner) if inner else filter(None, [text_of(step, "text", "name")])
        elif isinstance(step, str):
            yield from filter(None, map(plain, re.split(r"\n|</p>|</li>|<br ?/?>", step)))


def _product(node: Node) -> tuple[list[Pair], list[FactList]]:
    offers = [offer for offer in listed(node.get("offers")) if isinstance(offer, Mapping)]
    prices = list(dict.fromkeys(filter(None, map(price, offers))))
    if not prices:
        return [], []
    states = dict.fromkeys(
        _AVAILABLE.get(last_step(text_of(o, "availability")), "") for o in offers
    )
    variants = [one for one in listed(node.get("hasVariant")) if isinstance(one, Mapping)]
    options = [_option(one) for one in (*offers, *variants)]
    pairs = [
        ("Price", prices[0] if len(prices) == 1 else f"{LOWEST}{min(prices, key=value_of)}"),
        ("Availability", next(iter(states)) if len(states) == 1 else ""),
        ("Brand", name_of(node.get("brand"))),
    ]
    several = tuple(dict.fromkeys(filter(None, options)))[:MOST]
    return pairs, [FactList("Options", several if len(several) > 1 else ())]


def _option(node: Node) -> str:
    """A variant's name with its price; "" without a name, as bare prices say nothing to choose."""
    costs = [price(node), *(price(offer) for offer in maps(node.get("offers")))]
    name = text_of(node, "name")
    return ": ".join(filter(None, (name, next(filter(None, costs), "")))) if name else ""


def _event(node: Node) -> tuple[list[Pair], list[FactList]]:
    offers = maps(node.get("offers"))
    status = last_step(text_of(node, "eventStatus")).removeprefix("Event")
    pairs = [
        ("Begins", moment(text_of(node, "startDate"))),
        ("Ends", moment(text_of(node, "endDate"))),
        ("Place", ", ".join(dict.fromkeys(map(place, maps(node.get("location")))))),
        ("Status", "" if status == "Scheduled" else _CAPITAL.sub(" ", status).lower()),
        ("Price", next(filter(None, map(price, offers)), "")),
        ("Organiser", name_of(node.get("organizer"))),
    ]
    return pairs, []


def _job(node: Node) -> tuple[list[Pair], list[FactList]]:
    remote = REMOTE if "TELECOMMUTE" in text_of(node, "jobLocationType") else ""
    places = dict.fromkeys(filter(None, (*map(place, maps(node.get("jobLocation"))), remote)))
    kinds = [text.replace("_", " ").lower() for text in texts(node.get("employmentType"))]
    pairs = [
        ("Employer", name_of(node.get("hiringOrganization"))),
        ("Place", ", ".join(places)),
        ("Salary", salary(node.get("baseSalary"))),
        ("Employment", ", ".join(kinds)),
        ("Posted", moment(text_of(node, "datePosted"))),
        ("Apply until", moment(text_of(node, "validThrough"))),
    ]
    return pairs, []


_READERS: Final[Mapping[str, Callable[[Node], tuple[list[Pair], list[FactList]]]]] = {
    "Recipe": _recipe,
    "Event": _event,
    "Job": _job,
    "Product": _product,
}
"""The first kind of which a page has one subject counts."""
