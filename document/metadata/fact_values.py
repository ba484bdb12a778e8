"""Values of structured data as text: prices, places, durations, names (schema.org's terms)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any, Final

MOST: Final = 200
"""Items of a list, of ingredients or options: no page makes a longer one."""
_LONGEST: Final = 2_000
"""Characters of one text."""
_DURATION: Final = re.compile(r"P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:[\d.]+S)?", re.IGNORECASE)
_AMOUNT: Final = re.compile(r"\d+(?:\.\d+)?")
_TAG: Final = re.compile(r"<[^<>]*>")
Node = Mapping[str, Any]


def price(offer: Node) -> str:
    """An offer's price with its currency; of an AggregateOffer both ends; "" without one."""
    inner = next(iter(maps(offer.get("priceSpecification"))), {})
    currency = text_of(offer, "priceCurrency") or text_of(inner, "priceCurrency")
    amount = _rounded(text_of(offer, "price") or text_of(inner, "price"))
    if not amount:
        ends = (_rounded(text_of(offer, name)) for name in ("lowPrice", "highPrice"))
        amount = " \u2013 ".join(dict.fromkeys(filter(None, ends)))
    return f"{amount} {currency}".strip() if re.search(r"[1-9]", amount) else ""


def value_of(written: str) -> float:
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


def salary(value: Any) -> str:
    """A MonetaryAmount: its amount or both ends, currency, the time that it is for."""
    node = next(iter(maps(value)), {})
    inner = next(iter(maps(node.get("value"))), {}) or node
    ends = (text_of(inner, "value"), text_of(inner, "minValue"), text_of(inner, "maxValue"))
    amount = " \u2013 ".join(dict.fromkeys(filter(None, ends)))
    unit = text_of(inner, "unitText").lower() or text_of(node, "unitText").lower()
    per = f"per {unit}" if unit else ""
    found = " ".join(filter(None, (amount, text_of(node, "currency"), per)))
    return found if re.search(r"[1-9]", amount) else ""


def place(node: Node) -> str:
    """A Place or a PostalAddress on one line."""
    address = node.get("address")
    inner = next(iter(maps(address)), {}) or node
    names = ("streetAddress", "postalCode", "addressLocality", "addressRegion")
    parts = [text_of(node, "name"), *(text_of(inner, name) for name in names)]
    parts += [name_of(inner.get("addressCountry")), *texts(address)]
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


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def maps(value: Any) -> list[Node]:
    return [one for one in listed(value) if isinstance(one, Mapping)]


def texts(value: Any) -> Iterator[str]:
    found = (plain(one) for one in listed(value)[:MOST] if isinstance(one, str | int | float))
    return filter(None, found)


def text_of(node: Node, *names: str) -> str:
    """The first text of the first property that has any."""
    return next((text for name in names for text in texts(node.get(name))), "")


def name_of(value: Any) -> str:
    """The name of a person, a brand or an organisation, or the text that stands for it."""
    return next((text for node in maps(value) if (text := text_of(node, "name"))), "") or next(
        (text for text in texts(value) if "://" not in text), ""
    )


def last_step(address: str) -> str:
    return address.rstrip("/").rpartition("/")[2]


def plain(value: str | float) -> str:
    """A text without tags and references, on one line."""
    text = unescape(unescape(str(value)))  # many are escaped twice
    return " ".join(_TAG.sub(" ", text).split())[:_LONGEST] if text.strip() else ""
