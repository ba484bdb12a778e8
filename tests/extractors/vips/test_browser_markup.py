"""What a browser is given of a page."""

import re

from winnow.document.document import Document
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
