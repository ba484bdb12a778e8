"""A recipe's ingredients with their amounts, a price, a place: in the reader's page, and once."""

from __future__ import annotations

import json

import pytest

from winnow.document.document import Document
from winnow.document.render.renderers import renderer_for
from winnow.document.values import Extraction, Format, Recipe, Span

STEP = "Stir the butter and the sugar until the mixture is pale and light, then wait."
WANTED = ("1/2 cup butter", "2 eggs", "1.5 kg flour", "salt")


def shown(html: str, *, without: str = "", form: Format = Format.HTML) -> str:
    """A page of which a method keeps all but the pieces that hold a text."""
    document = Document.from_html(f"<title>Bread</title>{html}")
    pieces = zip(document.pieces.start.tolist(), document.pieces.end.tolist(), strict=True)
    dropped = without.split("|") if without else []
    kept = [
        Span(*piece)
        for piece in pieces
        if not any(text in document.text[slice(*piece)] for text in dropped)
    ]
    body = renderer_for(Recipe(format=form)).render(document, Extraction("some", tuple(kept))).body
    return body.decode().partition("<main")[2] if form is Format.HTML else body.decode()


def linked(**more: object) -> str:
    node = {"@type": "Recipe", "name": "Bread", **more}
    written = json.dumps(node).replace("<", r"\u003c")
    return f'<script type="application/ld+json">{written}</script><p>{STEP}</p>'


def lines(html: str) -> list[str]:
    """The text of a page's lines, a cell's edge being none."""
    document = Document.from_html(html)
    return ["".join(line.split()).lower() for line in document.text.splitlines()]


ROWS = (
    "<li>{a} {n}</li>",
    "<li><b>{a}</b> {n}</li>",
    "<li>{a}\n{n}</li>",
    "<li><div>{a}</div><div>{n}</div></li>",
    "<li><p>{a}</p><p>{n}</p></li>",
    "<li><span>{a}</span><span> {n}</span></li>",
    "<li><label><input type=checkbox>{a} {n}</label></li>",
    "<div class=i><div class=q>{a}</div><div class=d>{n}</div></div>",
    "<div class=i><span>{a}</span> <span>{n}</span></div>",
    "<p>{a} {n}</p>",
    "<p><strong>{a}</strong><br>{n}</p>",
    "<tr><td>{a}<td>{n}</tr>",
    "<tr><th>{a}<td>{n}</tr>",
    "<tr><td><div>{a}</div></td><td><p>{n}</p></td></tr>",
    "<section><span>{a}</span><div>{n}</div></section>",
)
PARTS = (("1/2", "cup butter"), ("2", "eggs"), ("1.5 kg", "flour"), ("", "salt"))


def recipe(row: str) -> str:
    rows = "".join(row.format(a=amount, n=name) for amount, name in PARTS)
    around = {"<li": "<ul>{}</ul>", "<tr": "<table>{}</table>"}.get(row[:3], "<div>{}</div>")
    return linked(recipeIngredient=WANTED) + around.format(rows) + f"<p>{STEP}</p>"


@pytest.mark.parametrize(
    "without", ["", "1/2|1.5 kg", "cup butter|eggs|flour|salt|2", "cup butter"]
)
@pytest.mark.parametrize("row", ROWS)
def test_each_ingredient_stands_with_its_amount_in_one_line(row: str, without: str) -> None:
    found = lines(shown(recipe(row), without=without))
    for wanted in WANTED:
        assert sum("".join(wanted.split()) in line for line in found) == 1, wanted


@pytest.mark.parametrize(
    ("written", "page"),
    [
        ("1/2 cup butter", "\u00bd cup butter"),
        ("0.5 cup butter", "1/2 cup butter"),
        ("2.5 cups rice", "2\u00bd cups or 500 g rice"),
        ("Butter", "Butter, 2 spoons"),
    ],
)
def test_an_ingredient_that_the_page_writes_otherwise_is_not_said_twice(
    written: str, page: str
) -> None:
    html = linked(recipeIngredient=[written]) + f"<ul><li>{page}</li></ul>"
    for dropped in ("", page):
        found = shown(html, without=dropped)
        assert page in found
        assert "Ingredients" not in found


def test_what_the_page_shows_nowhere_is_a_list_above_the_text() -> None:
    html = linked(recipeIngredient=["1 egg"], recipeInstructions=["Fry it."], recipeYield="1 egg")
    found = shown(html)
    assert "<dl><dt>Yield</dt><dd>1 egg</dd></dl><h2>Ingredients</h2><ul><li>1 egg</li>" in found
    assert "<h2>Steps</h2><ol><li>Fry it.</li></ol>" in found
    assert found.index("Fry it.") < found.index("Stir")


def test_a_heading_comes_with_its_ingredients() -> None:
    html = linked(recipeIngredient=["1 egg"]) + "<h2>You need</h2><ul><li>1 egg</ul><p>Wait."
    assert "<h2>You need</h2><ul><li>1 egg" in shown(html, without="You need|1 egg")


def test_facts_are_no_text_and_are_escaped() -> None:
    html = linked(recipeIngredient=["<b>1</b> egg & <script>x</script>"], totalTime="PT5M")
    assert shown(html, form=Format.TEXT).strip() == STEP
    assert "<script>" not in shown(html)
    assert "1 egg &amp; x" in shown(html)


PRODUCT = {"@type": "Product", "offers": {"price": "12.50", "priceCurrency": "EUR"}}


@pytest.mark.parametrize(
    ("node", "text", "label"),
    [
        (PRODUCT, "It costs 12,50 \u20ac.", "Price"),
        ({"recipeYield": "4"}, "4 servings", "Yield"),
        ({"totalTime": "PT1H30M"}, "1 Std. 30 Min.", "Total time"),
        ({"cookTime": "PT40M"}, "40 minutes", "Cooking"),
        ({"@type": "Event", "startDate": "2026-03-01"}, "1 March 2026", "Begins"),
        ({"@type": "Event", "startDate": "2026-03-01"}, "2026-03-01", "Begins"),
        ({"@type": "Event", "location": {"name": "Old Hall"}}, "In the old hall", "Place"),
        ({"@type": "JobPosting", "hiringOrganization": "The Mill"}, "the Mill hires", "Employer"),
    ],
)
def test_a_fact_is_stated_once(node: dict[str, object], text: str, label: str) -> None:
    html = linked(**node) + f"<p>{text} {STEP}</p>"
    assert f"<dt>{label}</dt>" not in shown(html)
    assert f"<dt>{label}</dt>" in shown(html, without=text)


def test_json_has_what_structured_data_say() -> None:
    node = {
        "@type": "Recipe", "name": "Bread", "recipeYield": "1 loaf",
        "recipeIngredient": list(WANTED), "totalTime": "PT90M",
    }  # fmt: skip
    data = f'<script type="application/ld+json">{json.dumps(node)}</script>'
    facts = json.loads(shown(f"<p>{STEP}</p>{data}", form=Format.JSON))["facts"]
    assert facts["kind"] == "Recipe"
    assert facts["pairs"] == {"Yield": "1 loaf", "Total time": "1 h 30 min"}
    assert facts["lists"]["Ingredients"] == list(WANTED)
    assert json.loads(shown(f"<p>{STEP}</p>", form=Format.JSON))["facts"] is None


@pytest.mark.parametrize(("names", "listed"), [(("Small", "Large"), True), (("", ""), False)])
def test_options_are_listed_by_name_and_not_as_bare_prices(
    names: tuple[str, str], listed: bool
) -> None:
    offers = [
        {"@type": "Offer", "price": price, "priceCurrency": "EUR", "name": name}
        for name, price in zip(names, ("19.99", "39.98"), strict=True)
    ]
    node = {"@type": "Product", "name": "Bread", "offers": offers}
    data = f'<script type="application/ld+json">{json.dumps(node)}</script>'
    facts = json.loads(shown(f"<p>{STEP}</p>{data}", form=Format.JSON))["facts"]
    assert ("Options" in facts["lists"]) is listed
    assert facts["pairs"]["Price"] == "from 19.99 EUR"
