"""The page's own forms behind the text: working, each once, without what hides in them."""

from __future__ import annotations

import pytest

from winnow.document.document import Document
from winnow.document.render.reader.forms import plain_forms
from winnow.document.render.render_context import RenderContext
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
    assert "<summary>Sign in</summary>" in page
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


@pytest.mark.parametrize(("words", "is_shown"), [(60, True), (61, False)])
def test_what_holds_the_text_itself_is_no_form_behind_it(words: int, is_shown: bool) -> None:
    kept = "rain " * words
    field = "<textarea name=c></textarea><button>Send</button>"
    page = shown(
        f"<form method=post action=c>{kept}{field}</form>", Recipe(live=True), kept.strip()
    )
    assert ('class="winnow-form"' in page) is is_shown


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


VOTE = (
    "<form method=post action=/vote><input type=hidden name=id value=7><button>Vote</button></form>"
)


def test_a_button_amid_the_text_stays() -> None:
    page = shown(f"<p>It rained.</p>{VOTE}<p>It rained.</p>", Recipe(live=True), MORE)
    assert "<summary>Vote</summary>" in page
    assert '<form method="post" action="https://site.example/vote">' in page
    assert '<input type="hidden" name="id" value="7">' in page


MORE = "It rained.\n\nVote\n\nIt rained."


def test_the_same_button_of_each_entry_is_none_of_the_page() -> None:
    entries = f"<p>It rained.</p>{VOTE}" * 3
    document = Document.from_html(f"<body>{entries}", URL)
    extraction = Extraction("x", (Span(0, len(document.text)),))
    page = renderer_for(Recipe(live=True)).render(document, extraction).body.decode()
    assert "<form" not in page


HELD = "This form needs scripts. Choose “Original” to use it."


@pytest.mark.parametrize(
    "form",
    [
        "<form action=/in>{}<button>Go</button></form>",
        "<form method=post>{}<button type=button onclick=x()>Go</button></form>",
        "<form method=post>{}<input type=password><button>Go</button></form>",
        "<div class=popup><div>{}</div><button>Go</button></div>",
    ],
)
def test_no_password_becomes_part_of_an_address_where_a_script_would_have_sent_it(
    form: str,
) -> None:
    html = form.format("<input name=u><div hidden><input name=p type=password></div>")
    page = shown(f"<p>It rained.</p>{html}", Recipe(live=True))
    assert f"{HELD}</p><fieldset disabled>" in page
    assert '<input name="p" type="password">' in page.partition("<fieldset disabled>")[2]
    basic = shown(f"<p>It rained.</p>{html}", Recipe(profile=Profile.BASIC, live=True))
    assert HELD in basic
    assert "<form" not in basic


def test_an_old_browser_gets_plain_forms() -> None:
    recipe = Recipe(profile=Profile.BASIC, live=True)
    fields = "<input type=email name=m placeholder=E-mail required><p><label for=c>Comment</label>"
    fields += "<textarea id=c name=c placeholder=Comment></textarea>"
    html = f"<form class=f method=post action=/go>{fields}<select name=s><option>One</select>"
    page = shown(f"<p>It rained.</p>{html}<button>Send</button></form>", recipe)
    assert "<h2>Send</h2>" in page
    assert '<form action="https://site.example/go" method="post">' in page
    assert 'E-mail <input type="text" name="m">' in page
    assert '<label for="c">Comment</label><textarea name="c" id="c"></textarea>' in page
    assert '<select name="s"><option>One</option></select>' in page
    assert "<details" not in page
    assert "required" not in page


def test_forms_that_do_not_fit_are_left_out() -> None:
    document = Document.from_html(f"<p>It rained.</p>{COMMENT}", URL)
    view = RenderContext.of(document, Extraction("x", (Span(0, 10),)), "")
    assert "<form" in plain_forms(view, 1000)
    assert plain_forms(view, 100) == ""


@pytest.mark.parametrize(
    "action",
    [
        *("/-/choose", " /-/choose", "http://winnow.internal/-/settings", "/%2D/choose"),
        *("../-/choose", "/x/../-/choose", "/-\\choose", "/-//choose"),
    ],
)
def test_no_form_of_a_page_leads_to_a_page_of_winnow(action: str) -> None:
    form = f"<form method=post action='{action}'><input name=action><button>Read on</button></form>"
    page = shown(f"<p>It rained.</p>{form}{COMMENT}", Recipe(live=True))
    assert "Read on" not in page
    assert "comment.php" in page


SEARCH = "<form action=/find><input name=q><button>Search</button></form>"
NEWS = "<form action=/join><input type=email name=address><button>Subscribe</button></form>"
POLL = "<form action=/vote><input type=radio name=choice value=1><button>Vote</button></form>"


@pytest.mark.parametrize("form", [SEARCH, NEWS])
def test_a_search_of_the_site_and_a_newsletter_are_no_part_of_the_text(form: str) -> None:
    for html in (f"<header>{form}</header><p>It rained.</p>", f"<p>It rained.</p>{form}"):
        assert "<form" not in shown(html, Recipe(live=True))


FIND = "<form action=/find><input name=term><select name=kind></select><button>Go</button></form>"
ORDER = (
    "<form action=/join><input name=EMAIL><input name=FNAME><input type=checkbox name=terms>"
    "<button>Subscribe</button></form>"
)
HIDDEN = f"<div style='display:none'>{POLL}</div>"
CLOCK = "<form action=/x><input type=text style='display:none' name=time><button>Go</button></form>"
SCRIPT = "<form onchange=sort()><select name=sort><option>Newest</select></form>"
FAR = f"<p>{'Other stories of the day. ' * 4}</p>{POLL}"


@pytest.mark.parametrize("form", [FIND, ORDER, HIDDEN, CLOCK, SCRIPT, FAR])
def test_a_form_behind_the_text_that_is_none_of_its_own_is_left_out(form: str) -> None:
    assert "<form" not in shown(f"<p>It rained.</p>{form}", Recipe(live=True))


def test_a_hidden_form_stays_where_it_takes_an_answer() -> None:
    for field, is_shown in (("comment", True), ("enquiry", False)):
        form = f"<form method=post action=c hidden><textarea name={field}></textarea>"
        page = shown(f"<p>It rained.</p>{form}<button>Send</button></form>", Recipe(live=True))
        assert ("<form" in page) is is_shown


def test_what_is_filled_in_beside_the_text_is_no_part_of_it() -> None:
    assert "<form" not in shown(f"<p>It rained.</p><aside>{POLL}</aside>", Recipe(live=True))
    assert "<form" in shown(f"<p>It rained.</p>{POLL}", Recipe(live=True))
    assert "<form" in shown(f"<p>It rained.</p><footer>{COMMENT}</footer>", Recipe(live=True))
