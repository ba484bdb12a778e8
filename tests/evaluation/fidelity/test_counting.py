"""What the measure "fidelity" counts as there, and as still shown."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from winnow.evaluation.fidelity.counting import (
    Survival,
    fidelity_table,
    kept_table,
    survivals,
    total,
)
from winnow.evaluation.gold.packages import PackageEntry

TEXT = "A text of some words stands here, and it ends with a point."
HEAD, TAIL = f"<p>Before it. {TEXT}</p>", f"<p>Behind it. {TEXT}</p>"
GOLD = f"Before it. {TEXT}\n%s\nBehind it. {TEXT}"


def counted(html: str, gold: str, shown: str) -> Survival:
    entry = PackageEntry("page", html.encode(), gold, {})
    return survivals(entry, {"it": lambda _entry, _document: shown.encode()})["it"]


def of_kind(kind: str, html: str, words: str, shown: str) -> tuple[int, int]:
    found = counted(f"{HEAD}{html}{TAIL}", GOLD % words, shown)
    return found.shown[kind], found.there[kind]


MATHS = '<math alttext="x^{2}"><mi>x</mi><mn>2</mn></math>'
TABLE = (
    "<table><tr><td>North</td><td>three boats</td></tr><tr><td>South</td><td>four</td></tr></table>"
)
TWEET = "<blockquote class='twitter-tweet'>What a day for boats this is</blockquote>"
FRAME = '<iframe src="https://www.youtube.com/embed/abcdefghijk"></iframe>'
KINDS = [
    ("heading", "<h2>Of boats</h2>", "Of boats", "<h3>Of boats</h3>", "<p>Of boats</p>"),
    ("item", "<ul><li>bread and water</li></ul>", "bread and water", "<li>bread and water", "<p>b"),
    ("list", "<ol><li>bread</li></ol>", "bread", "<ul><li>bread</ul>", "<p>bread</p>"),
    (
        "pair",
        "<dl><dt>Length<dd>4 m</dl>",
        "Length 4 m",
        "<p>Length: 4 m</p>",
        "<p>Length: 5 m</p>",
    ),
    (
        "pair",
        "<dl><dt>Boat<wbr>Length<dd>4 m</dl>",
        "Boat Length 4 m",
        "<dl><dt>BoatLength<dd>4 m</dl>",
        "<p>BoatWidth 4 m</p>",
    ),
    ("table", TABLE, "North three boats South four", TABLE, TABLE.replace("South", "")),
    ("cell", TABLE, "North three boats South four", TABLE, "<p>North three boats South four</p>"),
    ("code line", "<pre>a = 1\nb = 2</pre>", "a = 1 b = 2", "<pre>a=1\nb=2</pre>", "<p>a = 1</p>"),
    (
        "image",
        "<img src=/a/boat.jpg>",
        "",
        "<img src='https://p/x?u=1' srcset='b/boat.jpg 2x'>",
        "",
    ),
    (
        "caption",
        "<figure><img src=a.jpg><figcaption>The sea</figcaption></figure>",
        "The sea",
        "<figure><figcaption>The sea</figcaption></figure>",
        "<p>The sea</p>",
    ),
    (
        "link",
        "<p><a href='/x/boats.html'>All boats</a></p>",
        "All boats",
        "<a href='https://e.org/x/boats.html'>All boats</a>",
        "<p>All boats</p>",
    ),
    ("formula", f"<p>so {MATHS}</p>", "so", MATHS, "<p>so x 2</p>"),
    ("embed", FRAME, "", "<a href='https://www.youtube.com/watch?v=abcdefghijk'>A film</a>", ""),
    ("quoted post", TWEET, "", f"<p>{TWEET}</p>", "<p>What a day</p>"),
]


@pytest.mark.parametrize(("kind", "html", "words", "kept", "lost"), KINDS)
def test_a_thing_is_shown_where_its_kind_still_holds_it(
    kind: str, html: str, words: str, kept: str, lost: str
) -> None:
    shown, there = of_kind(kind, html, words, kept)
    assert there >= 1
    assert shown == there
    assert of_kind(kind, html, words, lost)[0] < there


@pytest.mark.parametrize(("kind", "html", "words", "kept", "lost"), KINDS)
def test_what_the_gold_leaves_out_is_not_counted(
    kind: str, html: str, words: str, kept: str, lost: str
) -> None:
    found = counted(f"{HEAD}{TAIL}<aside>{html}<p>Buy it</p></aside>", GOLD % "", kept + lost)
    assert not found.there[kind]


def test_stand_ins_small_signs_fallbacks_and_trackers_are_nothing() -> None:
    html = (
        "<img src='data:image/gif;base64,R0'><img src=placeholder.gif><img src=dot.png width=8>"
        "<noscript><img src=a.jpg></noscript><iframe src=https://ad.doubleclick.net/x></iframe>"
    )
    found = counted(f"{HEAD}{html}{TAIL}", GOLD % "", "")
    assert not found.there["image"] + found.there["embed"]


def test_what_the_gold_leaves_out_of_a_table_may_be_shown_in_it() -> None:
    noted = TABLE.replace("three", "three <sup>note</sup>")
    words = f"North three boats South four {TEXT}"
    found = counted(f"{noted}<p>{TEXT}</p>", words, noted)
    assert (found.there["table"], found.shown["table"]) == (1, 1)
    assert not counted(f"{noted}<p>{TEXT}</p>", words, noted.replace("four", "")).shown["table"]


def test_what_lays_out_a_page_is_no_table() -> None:
    long = TABLE.replace("three boats", "three boats " * 200)
    assert not counted(long, f"North {'three boats ' * 200} South four", "").there["table"]


def test_a_heading_must_stay_where_its_section_does() -> None:
    html = f"<h2>Of boats</h2><p>{TEXT}</p><h2><a href=/>Of seas</a></h2><p>{TEXT} x</p>"
    assert counted(html, "", f"<h2>Of boats</h2><p>{TEXT}</p>").share("section") == 1
    assert counted(html, "", f"<p>{TEXT}</p>").share("section") == 0
    assert counted(html, "", "<p>Something else</p>").there["section"] == 0


POSTS = """<div itemscope itemtype="https://schema.org/Comment">
<b itemprop="author">Ada L</b><time itemprop="dateCreated" datetime="2024-01-05T10:00">5 Jan</time>
<p itemprop="text">These are the eight words that begin it.</p></div>"""


@pytest.mark.parametrize(
    ("shown", "share"),
    [
        (POSTS, 1),
        (POSTS.replace("<b", "<i hidden").replace("Ada", "A"), 0),
        (POSTS.replace("2024-01-05", ""), 0),
        ("<p>Ada L</p>", 0),
    ],
)
def test_a_post_needs_its_author_and_its_day(shown: str, share: int) -> None:
    found = counted(POSTS, "", shown)
    assert found.there["post"] == 1
    assert found.share("post") == share


RECIPE = """<script type="application/ld+json">{"@type": "Recipe", "recipeIngredient":
["1/2 cup butter", "salt"]}</script>"""


@pytest.mark.parametrize(
    ("shown", "number"),
    [
        ("<ul><li><b>½</b> cup of melted butter</li><li>Salt</li></ul>", 2),
        ("<table><tr><td>1/2 cup<td>butter</table>", 1),
        ("<p>cup butter</p><p>1/2</p>", 0),
    ],
)
def test_an_ingredient_needs_its_amount(shown: str, number: int) -> None:
    found = counted(RECIPE, "", shown)
    assert (found.there["ingredient"], found.shown["ingredient"]) == (2, number)


def test_the_price_of_an_offer_that_a_page_shows_must_stay() -> None:
    offer = '<script type="application/ld+json">{"@type":"Offer","price":"12.50"}</script>'
    assert counted(f"{offer}<p>12,50 EUR</p>", "", "<p>€12.50</p>").share("price") == 1
    assert counted(f"{offer}<p>12,50 EUR</p>", "", "<p>€12</p>").share("price") == 0


def test_pages_add_up_into_a_table() -> None:
    one = counted(f"{HEAD}<h2>Of boats</h2>{TAIL}", GOLD % "Of boats", "<h2>Of boats</h2>")
    both = total([one, one, Survival(Counter(), Counter())])
    assert fidelity_table("p", {"a": both, "b": Survival(Counter(), Counter())}).splitlines() == [
        "package  what                  a  b",
        "p        heading  2 of 2 100.0 %  -",
    ]


FORM = "<form action=/post><textarea name=words></textarea><button>Send</button></form>"
FIGURE = "<figure><img src=/a/boat.jpg><figcaption>Boats at noon</figcaption></figure>"


@pytest.mark.parametrize(
    ("kind", "html", "kept", "lost"),
    [
        ("form", FORM, FORM, "<form><input name=q></form>"),
        ("figure", FIGURE, FIGURE, "<figure></figure>"),
    ],
)
def test_what_stands_amid_the_gold_text_is_kept_or_lost(
    kind: str, html: str, kept: str, lost: str
) -> None:
    assert of_kind(kind, html, "", kept) == (1, 1)
    assert of_kind(kind, html, "", lost) == (0, 1)


def test_chaff_and_unseen_words_are_counted_apart() -> None:
    menu = "<nav><ul><li><a href=/fares>All our fares</a></li></ul></nav>"
    unseen = "<p hidden>Seven words that are on no screen</p>"
    found = counted(f"{menu}{HEAD}{TAIL}{unseen}", GOLD % "", f"{menu}{HEAD}{unseen[:2]}{TAIL}")
    there = counted(f"{menu}{HEAD}{TAIL}{unseen}", GOLD % "", unseen.replace(" hidden", ""))

    assert found.chaff["item"] == found.chaff_shown["item"] == 1
    assert there.chaff_shown["item"] == there.there["item"] == 0
    assert found.chaff_shown["unseen words"] == 0
    assert there.chaff_shown["unseen words"] == there.chaff["unseen words"] == 7


def test_the_next_page_is_kept_by_a_link_to_it() -> None:
    html = f"<link rel=next href=https://a.example/story?page=2>{HEAD}{TAIL}"
    entry = PackageEntry("page", html.encode(), GOLD % "", {"url": "https://a.example/story"})
    shows = {
        "kept": lambda _entry, _document: b"<a href=/story?page=2>Next page</a>",
        "lost": lambda _entry, _document: b"",
    }

    found = survivals(entry, shows)

    assert [found[name].shown["next page"] for name in ("kept", "lost")] == [1, 0]
    assert found["kept"].there["next page"] == 1


def test_the_speaker_of_a_post_needs_no_day() -> None:
    post = "Eight words are what a post must have here"
    stated = {"@type": "Comment", "text": post, "author": {"name": "yoyo"}}
    data = json.dumps({**stated, "dateCreated": "2024-05-06"})
    html = f'<script type="application/ld+json">{data}</script>{HEAD}<p>yoyo<p>{post}{TAIL}'
    found = counted(html, GOLD % f"yoyo {post}", f"<p>yoyo</p><p>{post}</p>")
    letter = counted(html, GOLD % f"yoyo {post}", f"<p>Y</p><p>{post}</p>")

    assert found.shown["speaker"] == found.there["speaker"] == 1
    assert found.shown["post"] == letter.shown["speaker"] == 0


def test_the_table_of_what_is_kept_says_kept_lost_and_chaff() -> None:
    one = Survival(Counter(link=4), Counter(link=3), Counter(link=8), Counter(link=2))

    assert [line.split() for line in kept_table("p", {"x": one}).splitlines()] == [
        ["package", "what", "x", "x", "lost", "x", "chaff", "kept"],
        ["p", "link", "3", "of", "4", "75.0", "%", "1", "2", "of", "8", "25.0", "%"],
    ]
