"""engine/net/parts.py: what stands between kept parts stays, or one rule says why not."""

from __future__ import annotations

import numpy as np
import pytest

from winnow.document.document import Document
from winnow.engine.net.parts import Chaff, caught, parts

KEPT = "Stir the butter and the sugar until the mixture is pale and light."
AROUND = f"<article><p>{KEPT}</p><p>{KEPT} Twice.</p>{{}}<p>{KEPT} Then bake it.</p></article>"
QUOTED = "He who stirs too long will have to stir for ever."
STAYS = {
    "a line that is a link": "<p><a href=/join>Join here</a>!</p>",
    "a line with a link": "<p>It is at the <a href=/a>following link</a>.</p>",
    "a quotation": "<blockquote><p>Nobody knows.</p></blockquote>",
    "a quotation in a box": "<div class=box><blockquote>Nobody knows.</blockquote></div>",
    "a linked heading": "<h3><a href=/oven>The oven</a></h3>",
    "a list": "<ul><li>Gas</li><li>Wood</li></ul>",
    "a list of short links": "<ul><li><a href=/gas>Gas</a></li><li><a href=/w>Wood</a></li></ul>",
    "code": "<pre>bake --long</pre>",
    "what a hidden part says too": f"<p hidden>{QUOTED}</p><p>{QUOTED}</p>",
    "pairs": "<dl><dt>Oven</dt><dd>Hot</dd></dl>",
}
GOES = {
    Chaff.ELSEWHERE: (
        "<aside><p>Gone</p></aside>",
        "<figure><img src=a.png><p>Gone</p></figure>",
        "<form><p>Gone</p></form>",
    ),
    Chaff.NAMED: (
        "<p class=byline>By A. Baker</p>",
        "<div class=wp-caption><p>A photograph of it</p></div>",
    ),
    Chaff.LINKS: ("<ul><li><a href=/a>The storm that took the roof of it</a></li></ul>",),
    Chaff.TEASER: ("<p>Read also: <a href=/a>The storm that took the roof</a></p>",),
    Chaff.AGAIN: ("<p>Advertisement</p><p>Advertisement</p>",),
    Chaff.ALONE: ("<h2>More of it</h2><aside><p>Gone</p></aside>",),
    Chaff.LAYOUT: ("<table><tr><td>Send this to a friend</td></tr></table>",),
}


def net(html: str) -> tuple[str, list[Chaff | None]]:
    """What the net adds where the paragraphs that say KEPT are kept, and its verdicts."""
    document = Document.from_html(html)
    pieces, text = document.pieces, document.text
    words = [text[a:b] for a, b in zip(pieces.start, pieces.end, strict=True)]
    kept = np.array([KEPT in each for each in words], dtype=np.bool_)
    added = " ".join(np.array(words, dtype=object)[caught(document, kept)])
    return added, [part.chaff for part in parts(document, kept)]


@pytest.mark.parametrize("name", STAYS)
def test_a_part_between_kept_ones_stays(name: str) -> None:
    added, verdicts = net(AROUND.format(STAYS[name]))

    assert added
    assert set(verdicts) == {None}


@pytest.mark.parametrize(
    ("chaff", "part"), [(chaff, part) for chaff, every in GOES.items() for part in every]
)
def test_chaff_goes_by_a_rule_that_has_a_name(chaff: Chaff, part: str) -> None:
    added, verdicts = net(AROUND.format(part))

    assert not added
    assert chaff in verdicts


def test_what_stands_outside_of_the_text_is_no_part() -> None:
    part = "<p>Nobody knows.</p>"
    outside = f"{part}{AROUND.format('')}{part}<div><p>Other</p>{part}<p>Other</p></div>"

    assert net(outside) == ("", [])


def test_a_long_text_that_another_quotes_is_said_again() -> None:
    added, verdicts = net(AROUND.format(f"<blockquote>{QUOTED}</blockquote>") + f"<p>As {QUOTED}")

    assert not added
    assert verdicts == [Chaff.AGAIN]


CODE = "<pre>{}</pre>"
TABLE = "<table><tr><th>Oven<th>Heat</tr><tr><td>Gas<td>{}</tr><tr><td>Wood<td>240</tr></table>"


@pytest.mark.parametrize(
    ("around", "added"),
    [
        ("<div>{}</div><div>" + CODE.format("bake --long") + "</div><div>{}</div>", "bake --long"),
        (CODE.format("{} <b>bake --long</b>"), "bake --long"),
        ("<p>{}</p><section>" + CODE.format("bake") + "<p>{}</p></section>", "bake"),
        ("<div>{}</div><nav>" + CODE.format("bake") + "</nav><div>{}</div>", ""),
        ("<div>{}</div><div>" + CODE.format("bake") + "</div><div>Gone</div>", ""),
        (f"<p>{{}}</p><div>{TABLE.format(220)}</div><p>{{}}</p>", "Oven Heat Gas 220 Wood 240"),
        (TABLE.format("{}"), "Oven Heat Gas Wood 240"),
    ],
)  # fmt: skip
def test_a_listing_and_a_table_are_whole_amid_the_text_or_where_a_part_is_kept(
    around: str, added: str
) -> None:
    assert net(around.format(KEPT, KEPT))[0].split() == added.split()
