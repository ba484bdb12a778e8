"""The page's own forms behind the text: working, each once, without what hides in them."""

from __future__ import annotations

import pytest

from winnow.document.document import Document
from winnow.document.render.renderers import renderer_for
from winnow.document.values import Extraction, Profile, Recipe, Span

LOG_IN = (
    '<form action=/in method=post class=modal style="display:none"><input type=hidden name=tok '
    "value=abc><label for=u>User</label><input id=u name=u onfocus=steal()><input type=password "
    'name=p><input name=trap style="display:none"><button onclick=x()>Go on</button></form>'
)
COMMENT = (
    "<form method=post action=comment.php><textarea name=c></textarea><select name=s><option "
    "value=1>One</select><input type=submit value='Send &amp; go'></form>"
)
URL = "https://site.example/a/page"


def shown(html: str, recipe: Recipe, kept: str = "It rained.") -> str:
    document = Document.from_html(f"<title>Rain</title><body>{html}", URL)
    at = document.text.index(kept)
    extraction = Extraction("x", (Span(at, at + len(kept)),))
    return renderer_for(recipe).render(document, extraction).body.decode()


def test_a_form_stays_a_working_form_behind_a_fold() -> None:
    page = shown(f"<header>{LOG_IN}</header><p>It rained.</p>{COMMENT}", Recipe(live=True))
    assert page.count('<details class="winnow-form">') == 2
    assert "<summary><span>Sign in</span></summary>" in page
    assert '<form action="https://site.example/in" method="post">' in page
    assert '<input type="hidden" name="tok" value="abc">' in page
    assert '<label for="u">User</label><input id="u" name="u">' in page
    assert '<input type="password" name="p">' in page
    assert "<summary>Send &amp; go</summary>" in page
    assert '<form method="post" action="https://site.example/a/comment.php">' in page
    assert '<textarea name="c"></textarea>' in page
    assert '<option value="1">One</option>' in page
    assert "trap" not in page
    assert "steal" not in page


@pytest.mark.parametrize("profile", [Profile.READER, Profile.VOICE])
def test_in_the_gateway_a_form_leads_through_it(profile: Profile) -> None:
    recipe = Recipe(profile=profile, link_prefix="http://here/")
    page = shown(f"<p>It rained.</p>{COMMENT}", recipe)
    assert 'action="http://here/https://site.example/a/comment.php"' in page


def test_what_is_no_browser_gets_no_forms() -> None:
    assert "<form" not in shown(f"<p>It rained.</p>{COMMENT}", Recipe())


@pytest.mark.parametrize(
    "html",
    [
        "<form><input type=hidden name=h><button>Go</button></form>",
        "<form><input name></form>",
        f"<form><p>{'It rained on and on. ' * 40}</p><input name=q></form>",
    ],
)
def test_what_is_no_form_to_fill_in_or_all_of_the_page_is_none(html: str) -> None:
    kept = "It rained on and on. " * 40 if "on and on" in html else "It rained."
    assert "<form" not in shown(f"<p>It rained.</p>{html}", Recipe(live=True), kept.strip())


def test_a_form_that_stands_twice_is_shown_once() -> None:
    page = shown(f"{LOG_IN}<p>It rained.</p>{LOG_IN}", Recipe(live=True))
    assert page.count("<form") == 1
