"""Pictures in the middle of what is kept, and the one that leads it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.programs import require_module
from winnow.document.document import Document
from winnow.extractors.auto import pictures
from winnow.extractors.auto.pictures import ASIDE, DOUBTFUL, with_figures, with_pictures

FIGURE = "<figure><img src=a.jpg><figcaption>a caption</figcaption></figure>"
STORY = "<nav>menu</nav>{0}<h1>Title</h1>{1}<p>kept one</p>{2}<p>kept two</p>{3}"


@pytest.mark.parametrize(("place", "stays"), [(0, False), (1, True), (2, True), (3, False)])
def test_a_picture_is_kept_from_the_headline_to_the_end_of_the_text(
    place: int, stays: bool
) -> None:
    document = Document.from_html(STORY.format(*(FIGURE * (place == n) for n in range(4))))
    texts = [
        document.text[start:end]
        for start, end in zip(document.pieces.start, document.pieces.end, strict=True)
    ]
    is_content = np.array([text.startswith("kept") for text in texts])
    found = with_figures(document, is_content)
    assert [text for text, stays_in in zip(texts, found, strict=True) if stays_in] == (
        sorted(["\ufffc"] * stays + ["kept one", "kept two"], key=texts.index)
    )


@pytest.mark.parametrize(
    "figure",
    [
        "<figure>words alone</figure>",
        "<figure hidden><img src=x></figure>",
        "<figure><a href=x><img src=x>another story</a></figure>",
        "<figure><img src=x>" + "word " * 61 + "</figure>",
    ],
)
def test_what_is_no_picture_of_the_text(figure: str) -> None:
    document = Document.from_html(f"<p>kept</p>{figure}<p>kept</p>")
    is_content = document.piece_words > 0
    is_content[1:-1] = False
    assert with_figures(document, is_content).sum() == 2


def test_of_nothing_nothing_is_kept() -> None:
    document = Document.from_html(FIGURE)
    assert not with_figures(document, np.zeros(len(document.pieces), dtype=bool)).any()


@pytest.mark.parametrize(
    ("between", "stays"),
    [
        ("<div><img src=a.jpg></div>", True),
        ("<div><img src=a.jpg> by A. Photographer</div>", True),
        ("<a href=big.jpg><img src=a.jpg></a>", True),
        ("<a href=x><img src=a.jpg> Another story</a>", False),
        ("<p><img src=a.jpg>" + "word " * (ASIDE + 1), False),
        ("<img hidden src=a.jpg>", False),
    ],
)
def test_a_lone_picture_stays_where_little_is_left_out_around_it(between: str, stays: bool) -> None:
    document = Document.from_html(f"<img src=logo.png><p>kept</p>{between}<p>kept</p><img src=b>")
    starts = document.pieces.start
    is_content = np.array([document.text.startswith("kept", start) for start in starts])
    found = with_pictures(document, is_content, np.ones(len(is_content)))
    assert found.sum() == 2 + stays
    assert not (found & ~is_content & ~document.media).any()


@pytest.mark.parametrize(
    ("left_out", "before", "after", "stays"),
    [
        ("", 0.9, 0.9, True),
        ("one two three", 0.9, 0.9, True),
        ("one two three four", 0.9, 0.9, False),
        ("", DOUBTFUL, 0.2, True),
        ("", 0.2, DOUBTFUL, True),
        ("", 0.4, 0.4, False),
    ],
)
def test_an_image_of_text_that_is_left_out_or_doubtful_goes(
    left_out: str, before: float, after: float, stays: bool
) -> None:
    image = f"<div><p>{left_out}</p><img src=a.jpg></div>"
    document = Document.from_html(f"<p>kept one</p>{image}<p>kept two</p>{FIGURE}<p>kept three</p>")
    starts = document.pieces.start
    is_content = np.array([document.text.startswith("kept", start) for start in starts])
    chances = np.where(np.arange(len(starts)) > 0, after, before)
    found = with_pictures(document, is_content, chances)
    assert found.sum() == 4 + stays  # the figure's stays


PARTS = (
    "<p>one two", "<p>three", "<p hidden>h", "<img src=a>", "<p><a href=b><img src=a>four</a>",
    "<h1>five</h1>", "<figure><img src=a><figcaption>seven</figcaption></figure>", "<div>",
    "</div>", "<figure><a href=d><img src=a>eight</a></figure>", "<p><a href=c>six</a>",
    "<li>" + "word " * 70,
)  # fmt: skip


@given(st.lists(st.sampled_from(PARTS), max_size=20), st.data())
def test_both_programs_keep_the_same_pieces(parts: list[str], data: st.DataObject) -> None:
    require_module("winnow.extractors.auto._decision", "a C compiler (gcc) and Python's headers")
    document = Document.from_html("".join(parts))
    kept = np.array([data.draw(st.booleans()) for _ in document.pieces.start], dtype=np.bool_)

    chances = np.array([data.draw(st.sampled_from((0.3, 0.5, 0.9))) for _ in kept])

    found = pictures._with_pictures_compiled(document, kept, chances)

    assert found.tolist() == pictures.with_pictures_in_python(document, kept, chances).tolist()
