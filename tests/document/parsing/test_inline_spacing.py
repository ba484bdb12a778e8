"""inline_spacing.py: what is laid out apart has a blank, one word in parts has none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import winnow
from tests.fuzz import mutated
from tests.programs import require_module
from winnow.document.document import Document
from winnow.document.errors import AmbiguousMarkupError
from winnow.document.parsing.inline_spacing import between_letters, between_letters_in_python
from winnow.document.parsing.parse import serialise
from winnow.document.parsing.scan import scan
from winnow.document.values import MEDIA

APART = [
    ("<span>2026</span><span>1h 54m</span><span>R</span>", "2026 1h 54m R"),
    ("<a href=/c>California</a><a href=/n>New York</a><a href=/t>Texas</a>",
     "California New York Texas"),
    ("<label>Accessories</label><span>1385</span>", "Accessories 1385"),
    ("<span><b>page</b></span><a href=/e>EUR</a>", "page EUR"),
    ("<a href=/t>tools</a><a href=/d>dev</a>", "tools dev"),
    ("<code>00B5</code><code>0x7f</code>", "00B5 0x7f"),
    ("<span>It ends.</span><span>Next</span>", "It ends. Next"),
    ("end<b>.</b><span>Next</span>", "end. Next"),
    ("<span>Does it?</span><a href=/n>Next</a>", "Does it? Next"),
    ("<span class=maker>HOKA</span><span class=name>Clifton</span>", "HOKA Clifton"),
    ("<span class='a b c'>id</span><span class='a d e'>string</span>", "id string"),
    ("<span class=name><span>id</span></span><span class=kind>string</span>", "id string"),
    ("<small>Advertisement</small>WIN A CAR!", "Advertisement WIN A CAR!"),
    ("<button>Read</button>More", "Read More"),
    ("Sports<svg></svg>news<img src=a.png alt=''>3<video src=b></video>Weather",
     "Sports\ufffc news\ufffc 3\ufffc Weather"),
]  # fmt: skip
JOINED = [
    "H<sub>2</sub>O", "<i>P</i><sub>AP</sub>", "12<sup>th</sup>", "<span class=drop>O</span>nce",
    "<b>H</b>ighlight", "<i>high</i><b>light</b>", "<b>Mac</b><b>OS</b>", "exam<wbr>ple",
    "exam<!--x-->ple",
    "<span>Hel</span><span>lo</span>", "<a href=/x>Co</a><a href=/x>ntact</a>",
    "<code><span>def</span><span>X1</span></code>", "<ruby>漢<rt>kan</rt></ruby>",
    "<a>気象庁</a><a>高知県</a>",
    "<span>U.</span><span>S.</span>", "<span>Node.</span><span>js</span>",
    "<span class='hl a'>Hel</span><span class='hl b'>lo</span>",
    "<span class=a>漢</span><span class=b>字</span>",
    "<code><span class=k>let</span><span class=n>x</span></code>",
    "<code><span>It.</span><span>Next</span></code>",
    "<small>Mc</small>donald", "Mc<small>Donald</small>", "<a>Java</a>Script", "<b>Mac</b>OS",
    "字<img src=a.png>字", "n<math><mi>x</mi></math>th", "Sports<svg></svg>,news",
]  # fmt: skip


@pytest.mark.parametrize(("markup", "text"), APART)
def test_siblings_that_are_laid_out_apart_have_a_blank(markup: str, text: str) -> None:
    assert Document.from_html(f"<p>{markup}").text == text


@pytest.mark.parametrize(("markup", "text"), APART[:3])
def test_the_blank_is_in_text_markdown_and_reader(markup: str, text: str) -> None:
    article = winnow.extract(f"<p>{markup}</p>", extractor="plain")
    again = Document.from_html(article.html[article.html.index("<main") :].split("</main>")[0])
    assert article.text == text
    assert text in again.text
    assert [word in article.markdown for word in text.split()] == [True] * len(text.split())
    assert "](/c)[" not in article.markdown


@pytest.mark.parametrize("markup", JOINED)
def test_parts_of_one_word_stay_together(markup: str) -> None:
    assert " " not in Document.from_html(f"<p>{markup}").text


@given(
    st.lists(
        st.sampled_from(
            [
                "<a href=/1>",
                "</a>",
                "<span>",
                "</span>",
                "a",
                "B",
                "1",
                " ",
                "<p>",
                "<code>",
                "</code>",
                "<img>",
                "<sub>",
                "</sub>",
                "<small>",
                "</small>",
                "<math>",
                "</math>",
                MEDIA,
            ]
        )
    )
)
def test_blanks_change_nothing_but_gaps_without_any(parts: list[str]) -> None:
    document = Document.from_html("".join(parts))
    plain = scan(document.markup)
    assert document.text.replace(" ", "") == plain.text.replace(" ", "")
    assert len(document.pieces) == len(plain.pieces)
    for index in range(len(plain.pieces)):
        before = plain.text[plain.pieces.start[index] : plain.pieces.end[index]]
        shown = document.text[document.pieces.start[index] : document.pieces.end[index]]
        assert shown == before


@pytest.mark.parametrize("text", [f"0{MEDIA}0", f"a{MEDIA}b", f"a{MEDIA}", f"{MEDIA}b"])
def test_the_character_of_media_in_a_page_s_own_text_is_a_character(text: str) -> None:
    assert Document.from_html(f"<p>{text}</p>").text == text
    assert Document.from_html(f"<p>{text}<img src=a>B").text == f"{text}{MEDIA} B"


@given(st.integers(0, 2**32))
def test_the_compiled_search_for_letters_equals_its_definition(seed: int) -> None:
    require_module("winnow.document.parsing._scan", "a C compiler (gcc) and Python's headers")
    try:
        found = scan(serialise(mutated.page(seed)))
    except AmbiguousMarkupError:
        return

    assert between_letters(found) == between_letters_in_python(found)
