"""A frame left open in a ``noscript`` does not swallow the rest of the page."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.programs import require_module
from winnow.document.document import Document
from winnow.document.parsing import unclosed_frames
from winnow.document.parsing.unclosed_frames import are_there_in_python, with_frames_closed

FRAME = '<iframe src="https://tags.example/ns.html" height="0" />'


@pytest.mark.parametrize(
    "inside",
    [
        FRAME,
        FRAME.upper(),
        f"<p>Turn scripts on.</p>{FRAME}",
        f"<iframe src=a></iframe>{FRAME}",
        "<style>p{color:red}",
        "<textarea>",
        "<noframes>",
    ],
)
@pytest.mark.parametrize("noscript", ["noscript", "NOSCRIPT"])
def test_what_follows_is_text(inside: str, noscript: str) -> None:
    html = f"<body><{noscript}>{inside}</{noscript}><p>The story.</p>"

    assert "The story." in Document.from_html(html).text


@pytest.mark.parametrize(
    "html",
    [
        "<p>no such element</p><iframe src=a></iframe>",
        "<noscript><iframe src=a></iframe><img src=b></noscript><p>text",
        "<noscript><iframe src=a>",
        "<noscript><IFRAME src=a></IFrame ></noscript>",
        "<noscript><iframed></noscript>",
        "<script>a = '<noscript><script>'</noscript>",
    ],
)
def test_other_pages_stay_as_they_are(html: str) -> None:
    assert with_frames_closed(html.encode()) == html.encode()


def test_each_noscript_is_closed() -> None:
    html = f"<noscript>{FRAME}</noscript><p>a</p><noscript><i>b</i>{FRAME}</noscript><p>c"

    assert with_frames_closed(html.encode()).decode() == html.replace(
        "/></noscript>", "/></iframe></noscript>"
    )


_PART = st.sampled_from(
    "<noscript> </noscript> <NOSCRIPT> </NOSCRIPT> <noScript> <iframe <IFrame/> </iframe </IFRAME> "
    "<style> </style> <xmp\t </xmp <title\v> </title> <iframed> < </ / > a".split(" ")
)


@settings(max_examples=1000, deadline=None)
@given(st.lists(_PART, max_size=12).map("".join))
def test_the_compiled_search_equals_its_definition(html: str) -> None:
    require_module(
        "winnow.document.parsing._unclosed_frames", "a C compiler (gcc) and Python's headers"
    )

    found = unclosed_frames._compiled.are_there(html.encode())

    assert found == are_there_in_python(html.encode())
