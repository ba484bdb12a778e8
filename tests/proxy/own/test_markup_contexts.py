"""A value of a template: escaped, checked by where it stands, or refused there."""

from __future__ import annotations

from typing import Final

import pytest
from jinja2 import TemplateSyntaxError
from markupsafe import Markup

from tests.document.render.pages import dangers
from tests.payloads import PAYLOADS
from winnow.proxy.own.checked_values import own_address, web_address
from winnow.proxy.own.markup_contexts import ADDRESSES, template_environment
from winnow.proxy.own.page_templates import own_file

EVERY: Final = [payload for kind in PAYLOADS.values() for payload in kind]
HERE: Final = own_address("/-/here?a=1&b=2")


def filled(source: str, **values: object) -> str:
    return template_environment().from_string(source).render(values)


@pytest.mark.parametrize("name", sorted(ADDRESSES))
def test_an_address_must_be_a_checked_one(name: str) -> None:
    source = f'<a class="b" {name.upper()}="{{{{ value if value else 1 }}}}">'
    assert filled(source, value=HERE).endswith('="/-/here?a=1&amp;b=2">')
    for wrong in ("/-/here", "javascript:alert(1)", Markup("/-/here")):
        with pytest.raises(TypeError, match="begins an address"):
            filled(source, value=wrong)


def test_what_stands_within_an_address_is_percent_encoded() -> None:
    source = '<a href="/-/read?url={{ url }}&amp;site={{ url }}#{{ url }}">'
    assert filled(source, url='a&b="/').count("a%26b%3D%22%2F") == 3
    assert filled('<a href="/{{ path }}">', path="/a.example/") == '<a href="/%2Fa.example%2F">'


@pytest.mark.parametrize(
    "source",
    [
        "<a {{ value }}>",
        "<a {{ value }}=1>",
        "<{{ value }}>",
        "</{{ value }}>",
        "<a href={{ value }}>",
        "<a title= {{ value }}>",
        "<a title=a{{ value }}>",
        "<!-- {{ value }} -->",
        '<p style="{{ value }}">',
        "<p onclick='{{ value }}'>",
        '<iframe srcdoc="{{ value }}">',
        '<img srcset="{{ value }}">',
        '<meta http-equiv="refresh" content="0;url={{ value }}">',
        '<a href="{% trans %}to {{ value }}{% endtrans %}">',
        "<style>{% trans %}{{ value }}{% endtrans %}</style>",
    ],
)
def test_where_no_value_is_safe_a_template_is_wrong(source: str) -> None:
    with pytest.raises(TemplateSyntaxError, match="may stand here"):
        filled(source, value="")


def test_style_and_script_take_a_file_of_ours_alone() -> None:
    style = own_file("winnow.proxy.own.templates", "base.css")
    assert "margin" in filled("<style>{{ value }}</style>", value=style)
    for wrong in ("p { }", Markup("</style><script>alert(1)")):
        for element in ("style", "script"):
            with pytest.raises(TypeError, match="style sheet or script"):
                filled(f"<{element}>{{{{ value }}}}</{element}>", value=wrong)


@pytest.mark.parametrize("payload", EVERY)
def test_no_payload_acts_where_a_value_may_stand(payload: str) -> None:
    source = """<p title='{{ value }}' class="a {{ value }}">{{ value }}<!-- a > b -->{{ value }}
      <a data-x=1 href="/-/?q={{ value }}" title="{% if value %}{{ value }}{% endif %}">{{ value }}
      <textarea>{{ value }}</textarea><br/><input value = "{{ value }}" disabled>{{ value }}"""
    assert list(dangers(filled(source, value=payload))) == []


def test_markup_may_stand_in_text_but_not_in_an_attribute() -> None:
    assert filled("<p>{{ value }}", value=Markup("<b>")) == "<p><b>"
    assert filled("<p title='{{ value }}'>", value=Markup("a &amp; b")) == "<p title='a &amp; b'>"
    with pytest.raises(TypeError, match="in an attribute"):
        filled("<p title='{{ value }}'>", value=Markup('a" b'))


@pytest.mark.parametrize(
    "path",
    ["", "a", "//evil.example/", "/\\evil.example", "javascript:alert(1)", "/a b", "http:"],
)
def test_an_address_of_ours_leads_to_no_other_host(path: str) -> None:
    with pytest.raises(ValueError, match="no address of ours"):
        own_address(path)


def test_an_address_of_the_web_has_its_scheme() -> None:
    assert web_address("https://a.example/") == "https://a.example/"
    assert web_address("javascript:alert(1)//http://") is None
