"""What a browser is given of a page."""

import re

from winnow.document.document import Document
from winnow.document.values import Page
from winnow.extractors.vips.browser_markup import MARK, numbered_markup

PAGE = """<html><head><meta http-equiv=refresh content="0; url=http://a.example/">
<base href="http://b.example/"><link rel=stylesheet href="http://c.example/">
<title>a &lt; b</title></head><body class="x"><iframe srcdoc="<p>inner" src="http://d.example/">
</iframe><object data="http://e.example/"></object><a href="http://f.example/">link</a></body>"""


def test_every_element_has_its_number_once_and_in_order() -> None:
    document = Document.from_html(PAGE)
    numbers = re.findall(f'{MARK}="(\\d+)"', numbered_markup(document))
    assert numbers == [str(index) for index in range(len(document.elements))]


def test_without_the_marks_only_addresses_that_a_browser_follows_differ() -> None:
    document = Document.from_html(PAGE)
    plain = re.sub(f' {MARK}="\\d+"', "", numbered_markup(document))
    assert plain.replace("data-was-", "") == document.markup
    left = Document.from_html(re.sub("data-was-[a-z-]*=", "x=", plain)).markup
    assert re.findall(r"(?:href|src|srcdoc|data|http-equiv)=\S*", left) == [
        'href="http://f.example/">link</a></body></html>'
    ]


def test_a_page_that_marks_itself_is_not_believed() -> None:
    document = Document.from_html(f"<p {MARK}=7>words")
    paragraph = document.elements_named("p")[0]
    assert f'<p {MARK}="{paragraph}" {MARK}="7">' in numbered_markup(document)


def test_the_sheets_that_were_handed_over_stand_in_it_and_end_no_element() -> None:
    body = b"""<base href=https://a.example/x/><link rel=stylesheet href=a.css media=screen>
<link rel=alternate href=a.css><style>@import "b.css"; i {}</style><p>words"""
    sheets = (
        ("https://a.example/x/a.css", "@import url(b.css) print; p { content: '</style><b>' }"),
        ("https://a.example/x/b.css", "b {}"),
    )
    markup = numbered_markup(Document.parse(Page(body, "https://a.example/", sheets=sheets)))
    assert re.findall("<style[^>]*>(.*?)</style>", markup) == [
        "@media print { b {} } p { content: '<\\/style><b>' }",
        "b {}",
        '@import "b.css"; i {}',
    ]
    assert 'media="screen"' in markup
