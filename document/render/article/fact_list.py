"""The facts that a page's structured data state and its text does not, as a list above the text."""

from __future__ import annotations

import re
from html import escape
from typing import Final

from winnow.document.metadata.fact_values import shows_amount
from winnow.document.metadata.page_facts import LOWEST, REMOTE, FactList, PageFacts
from winnow.document.render.article.fact_places import plain_words
from winnow.document.texts.page_words import PageWords

_DAY: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_AMOUNTS: Final = frozenset({"Price", "Salary"})
_DURATIONS: Final = frozenset({"Preparation", "Cooking", "Total time"})
_TERMS: Final = frozenset({"Availability", "Status", "Employment"})
"""Facts whose values are terms of schema.org in plain words, with commas between."""
_YIELD: Final = r"(?:serv|portion|pers|yield|st\u00fcck|porc|porz|makes|\u4eba)\w*"
_UNIT: Final = r"(?:h|m|st|god|hod|hr|uur|\u0447|\u043c|\u5206|\u65f6|\u6642)"
_NUMBER: Final = re.compile(r"\d[\d.]*")


def fact_list(facts: PageFacts, text: str, words: PageWords) -> str:
    """Clean HTML with the pairs that a text does not state, and all lists; "" without any.

    Labels, and values that are terms of schema.org, in the page's language.
    """
    stated = f" {' '.join(plain_words(text))} "
    pairs = "".join(
        f"<dt{words.attributes}>{words.text(label)}</dt>"
        f"<dd>{escape(_value(label, value, words))}</dd>"
        for label, value in facts.pairs
        if not is_stated(label, value, text, stated)
    )
    lists = "".join(_list(one, words) for one in facts.lists)
    return f"<dl>{pairs}</dl>{lists}" if pairs else lists


def _value(label: str, value: str, words: PageWords) -> str:
    """A value as the page's readers say it: a term of ours, a lowest price, or the page's own."""
    if label in _AMOUNTS and value.startswith(LOWEST):
        return words.text("from {price}", price=value.removeprefix(LOWEST))
    parts = value.split(", ")
    return ", ".join(words.text(one) if label in _TERMS or one == REMOTE else one for one in parts)


def _list(facts: FactList, words: PageWords) -> str:
    name = "ol" if facts.ordered else "ul"
    items = "".join(f"<li>{escape(item)}</li>" for item in facts.items)
    return f"<h2{words.attributes}>{words.text(facts.name)}</h2><{name}>{items}</{name}>"


def is_stated(label: str, value: str, text: str, words: str) -> bool:
    """Whether a text, whose words are in a row with blanks around, states a fact already."""
    if label in _AMOUNTS:
        return all(shows_amount(amount, text) for amount in _NUMBER.findall(value))
    if day := _DAY.match(value):
        year, month, number = day.groups()
        spelt = (
            rf"\b0?{int(number)}\b\D{{1,14}}\b{year}\b|\b{year}\D{{1,4}}{month}\D{{1,4}}{number}"
        )
        return re.search(spelt, text) is not None
    if label == "Yield" and value.isdecimal():
        near = rf"{_YIELD}\W{{0,3}}{value}(?!\d)|(?<!\d){value}\W{{0,2}}{_YIELD}"
        return re.search(near, text, re.IGNORECASE) is not None
    if label in _DURATIONS:
        numbers = r"\D{1,12}".join(_NUMBER.findall(value))
        return re.search(rf"(?<!\d){numbers}\W?{_UNIT}", text, re.IGNORECASE) is not None
    found = plain_words(value)
    return f" {' '.join(found)} " in words and not "".join(found).isdecimal()
