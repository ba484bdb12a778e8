"""What structured data say of the recipe, product, event or job that a page is about.

Schema.org's terms, in JSON-LD or microdata: Recipe, Product and ProductGroup, Event and its kinds,
JobPosting.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from typing import Any, Final

from winnow.document import start_tags
from winnow.document.document import Document
from winnow.document.microdata import microdata
from winnow.document.short_texts import key_of

MOST: Final = 200
"""Items of a list, of ingredients or options: no page makes a longer one."""
_LONGEST: Final = 2_000
"""Characters of one text."""
_ITEMS: Final = re.compile(
    r"[^\"]*schema\.org/(?:Recipe|Product|ProductGroup|\w*Event|JobPosting)\b"
)
_DURATION: Final = re.compile(r"P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:[\d.]+S)?", re.IGNORECASE)
_AVAILABLE: Final = {
    "InStock": "in stock", "OutOfStock": "out of stock", "SoldOut": "sold out",
    "PreOrder": "pre-order", "PreSale": "pre-order", "BackOrder": "on back order",
    "Discontinued": "discontinued", "InStoreOnly": "in shops only", "OnlineOnly": "online only",
    "LimitedAvailability": "few left",
}  # fmt: skip
_AMOUNT: Final = re.compile(r"\d+(?:\.\d+)?")
_TAG: Final = re.compile(r"<[^<>]*>")
Node = Mapping[str, Any]
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


def facts_of(document: Document, title: str) -> PageFacts:
    """The facts of the one subject that a page is about; none where several could be meant.

    A subject whose name has little in common with the page's title is another page's.
    """
    subjects = _subjects(_nodes(document))
    for kind in _READERS if subjects else ():
        named = [node for node in subjects[kind] if _is_named(_text(node, "name", "title"), title)]
        if _is_one({_text(node, "name", "title") for node in named}):
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
        for name in _listed(node.get("@type")):
            kind = _KIND_OF.get(name) if isinstance(name, str) else None
            if kind or (isinstance(name, str) and name.endswith("Event")):
                found.setdefault(kind or "Event", []).append(node)
    return {kind: found.get(kind, []) for kind in _READERS} if found else {}


_KIND_OF: Final = {
    f"{prefix}{name}": kind
    for prefix in ("", "http://schema.org/", "https://schema.org/")
    for name, kind in (
        ("Recipe", "Recipe"), ("Product", "Product"), ("ProductGroup", "Product"),
        ("JobPosting", "Job"),
    )
}  # fmt: skip


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
        ("Yield", _text(node, "recipeYield", "yield")),
        ("Preparation", duration(_text(node, "prepTime"))),
        ("Cooking", duration(_text(node, "cookTime"))),
        ("Total time", duration(_text(node, "totalTime"))),
    ]
    ingredients = tuple(_texts(node.get("recipeIngredient") or node.get("ingredients")))
    steps = tuple(_steps(node.get("recipeInstructions")))
    return pairs, [FactList("Ingredients", ingredients), FactList("Steps", steps, ordered=True)]


def _steps(value: Any) -> Iterator[str]:
    """Texts, HowToStep and HowToSection in order; a text of several lines is several steps."""
    for step in _listed(value)[:MOST]:
        if isinstance(step, Mapping):
            inner = step.get("itemListElement")
            yield from _steps(inner) if inner else filter(None, [_text(step, "text", "name")])
        elif isinstance(step, str):
            yield from filter(None, map(_plain, re.split(r"\n|</p>|</li>|<br ?/?>", step)))


def _product(node: Node) -> tuple[list[Pair], list[FactList]]:
    offers = [offer for offer in _listed(node.get("offers")) if isinstance(offer, Mapping)]
    prices = list(dict.fromkeys(filter(None, map(price, offers))))
    if not prices:
        return [], []
    states = dict.fromkeys(_AVAILABLE.get(_last(_text(o, "availability")), "") for o in offers)
    variants = [one for one in _listed(node.get("hasVariant")) if isinstance(one, Mapping)]
    options = [_option(one) for one in (*offers, *variants)]
    pairs = [
        ("Price", prices[0] if len(prices) == 1 else f"from {min(prices, key=_value)}"),
        ("Availability", next(iter(states)) if len(states) == 1 else ""),
        ("Brand", _name(node.get("brand"))),
    ]
    several = tuple(dict.fromkeys(filter(None, options)))[:MOST]
    return pairs, [FactList("Options", several if len(several) > 1 else ())]


def _option(node: Node) -> str:
    costs = [price(node), *(price(offer) for offer in _maps(node.get("offers")))]
    return ": ".join(filter(None, (_text(node, "name"), next(filter(None, costs), ""))))


def price(offer: Node) -> str:
    """An offer's price with its currency; of an AggregateOffer both ends; "" without one."""
    inner = next(iter(_maps(offer.get("priceSpecification"))), {})
    currency = _text(offer, "priceCurrency") or _text(inner, "priceCurrency")
    amount = _rounded(_text(offer, "price") or _text(inner, "price"))
    if not amount:
        ends = (_rounded(_text(offer, name)) for name in ("lowPrice", "highPrice"))
        amount = " \u2013 ".join(dict.fromkeys(filter(None, ends)))
    return f"{amount} {currency}".strip() if re.search(r"[1-9]", amount) else ""


def _value(written: str) -> float:
    found = _AMOUNT.search(written)
    return float(found[0]) if found else 0.0


def _rounded(amount: str) -> str:
    """An amount without a group's comma and empty decimals; what is none is left as it is."""
    plain = amount.replace(",", "") if re.fullmatch(r"[\d,]*\d{3}(?:\.\d+)?", amount) else amount
    if not _AMOUNT.fullmatch(plain):
        return amount
    return f"{float(plain):.2f}".removesuffix(".00")


def shows_amount(amount: str, text: str) -> bool:
    """Whether a text has an amount of money, however its separators and empty cents are written."""
    plain = amount.replace(",", "").removesuffix(".0").removesuffix(".00")
    whole, point, cents = plain.partition(".")
    digits = r"[.,\s]?".join(whole) + (rf"[.,\s]?{cents}" if point else "")
    return re.search(rf"(?<!\d){digits}(?!\d)", text) is not None


def _event(node: Node) -> tuple[list[Pair], list[FactList]]:
    offers = _maps(node.get("offers"))
    status = _last(_text(node, "eventStatus")).removeprefix("Event")
    pairs = [
        ("Begins", moment(_text(node, "startDate"))),
        ("Ends", moment(_text(node, "endDate"))),
        ("Place", ", ".join(dict.fromkeys(map(_place, _maps(node.get("location")))))),
        ("Status", "" if status == "Scheduled" else status.lower()),
        ("Price", next(filter(None, map(price, offers)), "")),
        ("Organiser", _name(node.get("organizer"))),
    ]
    return pairs, []


def _job(node: Node) -> tuple[list[Pair], list[FactList]]:
    remote = "remote" if "TELECOMMUTE" in _text(node, "jobLocationType") else ""
    places = dict.fromkeys(filter(None, (*map(_place, _maps(node.get("jobLocation"))), remote)))
    kinds = [text.replace("_", " ").lower() for text in _texts(node.get("employmentType"))]
    pairs = [
        ("Employer", _name(node.get("hiringOrganization"))),
        ("Place", ", ".join(places)),
        ("Salary", _salary(node.get("baseSalary"))),
        ("Employment", ", ".join(kinds)),
        ("Posted", moment(_text(node, "datePosted"))),
        ("Apply until", moment(_text(node, "validThrough"))),
    ]
    return pairs, []


def _salary(value: Any) -> str:
    """A MonetaryAmount: its amount or both ends, currency, the time that it is for."""
    node = next(iter(_maps(value)), {})
    inner = next(iter(_maps(node.get("value"))), {}) or node
    ends = (_text(inner, "value"), _text(inner, "minValue"), _text(inner, "maxValue"))
    amount = " \u2013 ".join(dict.fromkeys(filter(None, ends)))
    unit = _text(inner, "unitText").lower() or _text(node, "unitText").lower()
    per = f"per {unit}" if unit else ""
    found = " ".join(filter(None, (amount, _text(node, "currency"), per)))
    return found if re.search(r"[1-9]", amount) else ""


def _place(node: Node) -> str:
    """A Place or a PostalAddress on one line."""
    address = node.get("address")
    inner = next(iter(_maps(address)), {}) or node
    names = ("streetAddress", "postalCode", "addressLocality", "addressRegion")
    parts = [_text(node, "name"), *(_text(inner, name) for name in names)]
    parts += [_name(inner.get("addressCountry")), *_texts(address)]
    return ", ".join(dict.fromkeys(filter(None, parts)))


def duration(written: str) -> str:
    """An ISO 8601 duration in hours and minutes, as it is where it is none; "" for none at all."""
    found = _DURATION.fullmatch(written)
    if not found:
        return written
    days, hours, minutes = (int(part or 0) for part in found.groups())
    hours, minutes = 24 * days + hours + minutes // 60, minutes % 60
    parts = (f"{hours} h" if hours else "", f"{minutes} min" if minutes else "")
    return " ".join(filter(None, parts))


def moment(written: str) -> str:
    """A date with its time of day, if it has one other than midnight."""
    day, _, time = written.partition("T")
    clock = time[:5]
    return f"{day} {clock}" if clock and clock != "00:00" else day


_READERS: Final[Mapping[str, Callable[[Node], tuple[list[Pair], list[FactList]]]]] = {
    "Recipe": _recipe,
    "Event": _event,
    "Job": _job,
    "Product": _product,
}
"""The first kind of which a page has one subject counts."""


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _maps(value: Any) -> list[Node]:
    return [one for one in _listed(value) if isinstance(one, Mapping)]


def _texts(value: Any) -> Iterator[str]:
    found = (_plain(one) for one in _listed(value)[:MOST] if isinstance(one, str | int | float))
    return filter(None, found)


def _text(node: Node, *names: str) -> str:
    """The first text of the first property that has any."""
    return next((text for name in names for text in _texts(node.get(name))), "")


def _name(value: Any) -> str:
    """The name of a person, a brand or an organisation, or the text that stands for it."""
    return next((text for node in _maps(value) if (text := _text(node, "name"))), "") or next(
        (text for text in _texts(value) if "://" not in text), ""
    )


def _last(address: str) -> str:
    return address.rstrip("/").rpartition("/")[2]


def _plain(value: str | float) -> str:
    """A text without tags and references, on one line."""
    text = unescape(unescape(str(value)))  # many are escaped twice
    return " ".join(_TAG.sub(" ", text).split())[:_LONGEST] if text.strip() else ""
