"""What structured data say of the recipe, product, event or job that a page is about."""

from __future__ import annotations

import json
from typing import Any

import pytest

from winnow.document.document import Document
from winnow.document.metadata.fact_values import duration, moment
from winnow.document.metadata.fact_values import shows_amount as shows
from winnow.document.metadata.page_facts import NO_FACTS, FactList, PageFacts, facts_of


def facts(*nodes: Any, title: str = "Bread") -> PageFacts:
    scripts = (f'<script type="application/ld+json">{json.dumps(node)}</script>' for node in nodes)
    return facts_of(Document.from_html("".join(scripts)), title)


def pairs(node: dict[str, Any], **more: Any) -> dict[str, str]:
    return dict(facts({"name": "Bread", **node, **more}).pairs)


def test_a_recipe_has_its_times_ingredients_and_steps() -> None:
    found = facts(
        {
            "@graph": [
                {
                    "@type": ["Recipe", "NewsArticle"],
                    "name": "Bread",
                    "recipeYield": ["4", "4 loaves"],
                    "totalTime": "PT1H30M",
                    "recipeIngredient": ["1&nbsp;cup flour", "salt"],
                    "recipeInstructions": [
                        {"@type": "HowToSection", "itemListElement": [{"text": "<p>Mix.</p>"}]},
                        {"@type": "HowToStep", "name": "Bake."},
                        "Eat.\nRest.",
                    ],
                }
            ]
        }
    )
    assert found.kind == "Recipe"
    assert found.pairs == (("Yield", "4"), ("Total time", "1 h 30 min"))
    assert found.lists == (
        FactList("Ingredients", ("1 cup flour", "salt")),
        FactList("Steps", ("Mix.", "Bake.", "Eat.", "Rest."), ordered=True),
    )


def test_microdata_say_the_same() -> None:
    html = (
        '<div itemscope itemtype="http://schema.org/Recipe"><h1 itemprop="name">Bread</h1>'
        '<time itemprop="cookTime" datetime="PT40M">40 minutes</time>'
        '<p itemprop="ingredients">1 cup flour</p></div>'
    )
    found = facts_of(Document.from_html(html), "Bread")
    assert found.pairs == (("Cooking", "40 min"),)
    assert found.lists[0].items == ("1 cup flour",)


@pytest.mark.parametrize(
    ("offers", "price"),
    [
        ({"price": 12.5, "priceCurrency": "EUR"}, "12.50 EUR"),
        ({"price": "1,299.00", "priceCurrency": "USD"}, "1299 USD"),
        ([{"price": "3.00"}, {"price": "2"}], "from 2"),
        ({"lowPrice": "2", "highPrice": "4.00", "priceCurrency": "GBP"}, "2 \u2013 4 GBP"),
        ({"priceSpecification": [{"price": 7, "priceCurrency": "SEK"}]}, "7 SEK"),
    ],
)
def test_a_price_is_written_with_its_currency(offers: Any, price: str) -> None:
    assert pairs({"@type": "Product"}, offers=offers)["Price"] == price


def test_a_product_has_its_availability_brand_and_options() -> None:
    offers = [
        {"name": name, "price": price, "availability": "https://schema.org/OutOfStock"}
        for name, price in (("Small", "2"), ("Large", "3"))
    ]
    found = facts({"@type": "Product", "name": "Bread", "offers": offers, "brand": {"name": "B"}})
    assert found.pairs[1:] == (("Availability", "sold out"), ("Brand", "B")) or found.pairs[1:] == (
        ("Availability", "out of stock"),
        ("Brand", "B"),
    )
    assert found.lists == (FactList("Options", ("Small: 2", "Large: 3")),)


@pytest.mark.parametrize("offers", [None, {"price": "0"}, {"price": ""}, [], "x"])
def test_a_product_without_a_price_offers_nothing(offers: Any) -> None:
    assert pairs({"@type": "Product", "brand": "B"}, offers=offers) == {}


def test_an_event_has_its_times_and_place() -> None:
    place = {"name": "Hall", "address": {"streetAddress": "1 Road", "addressLocality": "Ulm"}}
    found = pairs(
        {"@type": "MusicEvent", "startDate": "2026-03-01T19:30+01:00", "location": place},
        eventStatus="https://schema.org/EventCancelled",
        endDate="2026-03-02",
    )
    assert found == {
        "Begins": "2026-03-01 19:30",
        "Ends": "2026-03-02",
        "Place": "Hall, 1 Road, Ulm",
        "Status": "cancelled",
    }


def test_a_job_has_its_employer_place_and_salary() -> None:
    salary = {"currency": "EUR", "value": {"minValue": 40, "maxValue": 50, "unitText": "HOUR"}}
    found = pairs(
        {"@type": "JobPosting", "title": "Bread", "baseSalary": salary},
        hiringOrganization={"name": "Mill"},
        jobLocation=[{"address": {"addressLocality": "Ulm", "addressCountry": "DE"}}],
        jobLocationType="TELECOMMUTE",
        employmentType=["FULL_TIME"],
        datePosted="2026-01-02",
    )
    assert found == {
        "Employer": "Mill",
        "Place": "Ulm, DE, remote",
        "Salary": "40 \u2013 50 EUR per hour",
        "Employment": "full time",
        "Posted": "2026-01-02",
    }


def test_a_page_with_several_subjects_or_with_another_s_has_no_facts() -> None:
    one = {"@type": "Recipe", "name": "Rye bread", "recipeIngredient": ["rye"]}
    other = {"@type": "Recipe", "name": "White bread", "recipeIngredient": ["wheat"]}
    assert facts(one, other) == NO_FACTS
    assert facts(one, title="Ten cakes for autumn") == NO_FACTS
    assert facts(one, one).lists[0].items == ("rye",)


def test_variants_of_a_product_are_no_other_products() -> None:
    group = {"@type": "ProductGroup", "name": "Rye bread"}
    variant = {"@type": "Product", "name": "Rye bread - 1 kg", "offers": {"price": "4"}}
    assert facts(group, variant).pairs == (("Price", "4"),)
    assert facts({**variant, "name": "White bread"}, variant) == NO_FACTS


@pytest.mark.parametrize("node", [{}, [], {"@type": 3}, {"@type": "Recipe", "name": {"a": 1}}, "x"])
def test_malformed_data_say_nothing(node: Any) -> None:
    assert facts(node) == NO_FACTS


@pytest.mark.parametrize("value", [7, [[]], [{"a": []}], {"@type": 1}, [None], True])
def test_values_of_other_kinds_are_left_out(value: Any) -> None:
    names = "recipeYield totalTime recipeIngredient recipeInstructions".split()
    for kind in ("Recipe", "Product", "Event", "JobPosting"):
        others = "offers location jobLocation baseSalary hiringOrganization hasVariant brand"
        node = {"@type": kind, "name": "Bread"} | dict.fromkeys([*names, *others.split()], value)
        assert facts(node).kind in ("", kind.removesuffix("Posting"))


def test_durations_and_moments_are_written_for_people() -> None:
    assert [duration(text) for text in ("PT90M", "P1DT2H", "30 minutes", "PT0M", "")] == [
        "1 h 30 min", "26 h", "30 minutes", "", "",
    ]  # fmt: skip
    assert moment("2026-01-02T00:00:00Z") == "2026-01-02"


def test_an_amount_is_found_however_it_is_written() -> None:
    assert all(shows("1234.50", text) for text in ("$1,234.50", "1 234,50 \u20ac", "1.234,50"))
    assert not any(shows("1234.50", text) for text in ("$234.50", "11,234.50", "1234"))
