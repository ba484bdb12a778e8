"""Microdata is read into the nodes that JSON-LD has."""

from __future__ import annotations

from winnow.document.document import Document
from winnow.document.metadata.microdata import ELEMENT, microdata

RECIPE = """<div itemscope itemtype="https://schema.org/Recipe"><h1 itemprop="name">Bread</h1>
<ul><li itemprop="recipeIngredient">500 g <b>flour</b></li>
<li itemprop="recipeIngredient">1 tsp salt</li></ul>
<time itemprop="totalTime" datetime="PT2H">2 hours</time>
<meta itemprop="recipeYield" content="1 loaf">
<p itemprop="author" itemscope itemtype="https://schema.org/Person"><span itemprop="name">Ada</span>
<a itemprop="url" href="/ada">more</a></p><i itemprop="keywords">bread</i></div>
<p itemprop="name">nobody's</p>"""


def test_an_item_has_its_properties_in_order_and_items_in_it() -> None:
    recipe, person = microdata(Document.from_html(RECIPE))
    assert recipe["@type"] == ["Recipe"]
    assert recipe["name"] == ["Bread"]
    assert recipe["recipeIngredient"] == ["500 g flour", "1 tsp salt"]
    assert recipe["totalTime"] == ["PT2H"]
    assert recipe["recipeYield"] == ["1 loaf"]
    assert recipe["keywords"] == ["bread"]
    assert recipe["author"] == [person]
    assert (person["name"], person["url"]) == (["Ada"], ["/ada"])


def test_an_item_knows_its_element() -> None:
    document = Document.from_html(RECIPE)
    assert [document.name_of(item[ELEMENT]) for item in microdata(document)] == ["div", "p"]


def test_several_names_and_types_are_all_there() -> None:
    html = '<p itemscope itemtype="http://schema.org/A https://schema.org/B"><b itemprop="c d">e'
    (item,) = microdata(Document.from_html(html))
    assert (item["@type"], item["c"], item["d"]) == (["A", "B"], ["e"], ["e"])


def test_text_that_names_microdata_is_none() -> None:
    assert not microdata(Document.from_html("<p>itemscope itemprop</p>"))
    assert not microdata(Document.from_html("<p>nothing</p>"))
