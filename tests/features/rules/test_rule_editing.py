"""Site rules made, tried, changed, removed, exported and imported on our own pages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from tests.proxy.origins import Answer, Origin, ask, html, serving
from tests.proxy.own.templates.support import attribute
from tests.winnow.compose.test_own_pages import assert_sound, get, post
from tests.winnow.compose.test_settings_editing import FILE, edited
from tests.winnow.conftest import PAGE
from winnow.compose.running import Running
from winnow.config.site_rule_file import load_rules

LIST, EDIT = "/-/settings/rules", "/-/settings/rules/edit"
IMPORT, EXPORT = f"{LIST}/import", f"{LIST}/export"
RULES = '# Mine.\n[[rule]]\nsite = "a.example"  # by hand\ndrop = [".menu"]\n'


@asynccontextmanager
async def ruled(folder: Path, rules: str = "") -> AsyncIterator[tuple[Running, Path, Origin]]:
    """A proxy with a settings file, the file of its rules, and a site."""
    named = folder / "rules.toml"
    text = FILE
    if rules:
        named.write_text(rules)
        text += f'\n[sites]\nrules = "{named}"\n'
    async with serving(Origin()) as origin, edited(folder, text) as (proxy, file):
        marked = PAGE.replace("<ul>", "<ul class=menu>", 1).encode()
        origin.replies["/page"] = html(marked)
        yield proxy, named if rules else file.with_name("site-rules.toml"), origin


async def form_of(proxy: Running, query: str = "") -> dict[str, str]:
    """The fields of the form, untouched."""
    return fields_of(await get(proxy, f"{EDIT}{query}"))


def fields_of(answer: Answer) -> dict[str, str]:
    form = LexborHTMLParser(answer.body).css_first("main form")
    assert form is not None
    found = {}
    for node in form.css("input, textarea"):
        if node.attributes.get("type") != "checkbox":
            text = node.text() if node.tag == "textarea" else node.attributes.get("value") or ""
            found[attribute(node, "name")] = text.strip()
    return found


async def saved(proxy: Running, query: str, **fields: str) -> Answer:
    return await post(proxy, EDIT, {**await form_of(proxy, query), "do": "save", **fields})


async def test_the_first_rule_makes_the_file_and_holds_at_once(tmp_path: Path) -> None:
    async with ruled(tmp_path) as (proxy, file, origin):
        page = origin.url("/page")
        plain = await get(proxy, f"/-/read?url={page}&format=text")
        done = await saved(proxy, f"?url={page}", keep="ul.menu", drop="p")
        assert (done.status, done.field("location")) == (303, f"{LIST}?saved=saved")
        (rule,) = load_rules(file)
        assert (rule.site, rule.keep, rule.drop) == (
            f"127.0.0.1:{origin.port}",
            ("ul.menu",),
            ("p",),
        )
        assert proxy.loaded.settings.sites.rules == file
        ruled_page = await get(proxy, f"/-/read?url={page}&format=text")
        assert b"Farm" not in plain.body
        assert b"Farm" in ruled_page.body
        shown = assert_sound(await get(proxy, f"{LIST}?saved=saved"))
        assert "Saved. The rule is in force." in shown.css("p.good")[0].text()


async def test_a_try_shows_what_would_change_and_changes_nothing(tmp_path: Path) -> None:
    async with ruled(tmp_path) as (proxy, file, origin):
        page = origin.url("/page")
        form = await form_of(proxy, f"?url={page}")
        assert form["address"] == page
        sent = {**form, "do": "try", "keep": "ul.menu\n.nothing", "drop": "article p:first-child"}
        wrong = assert_sound(await post(proxy, EDIT, sent))
        assert "is no selector" in wrong.css("[role=alert]")[0].text()
        tried = assert_sound(await post(proxy, EDIT, {**sent, "drop": "p"}))
        assert "Farm" in " ".join(node.text() for node in tried.css("#tried ins"))
        assert tried.css("#tried del")
        assert ".nothing finds no text on this page." in tried.css("#tried ul")[0].text()
        assert not file.exists()
        assert proxy.loaded.settings.sites.rules is None
        kept = fields_of(await post(proxy, EDIT, {**sent, "drop": "p"}))
        assert (kept["keep"], kept["drop"], kept["address"]) == ("ul.menu\n.nothing", "p", page)


async def test_a_page_that_cannot_be_tried_says_why(tmp_path: Path) -> None:
    async with ruled(tmp_path) as (proxy, _, origin):
        form = await form_of(proxy, f"?url={origin.url('/page')}")
        for address in ("", origin.url("/gone"), "http://127.0.0.1:1/"):
            answer = await post(proxy, EDIT, {**form, "do": "try", "address": address})
            assert answer.status == 422
            assert assert_sound(answer).css("#tried[role=alert]")


async def test_a_rule_by_hand_is_changed_and_removed_with_its_comments(tmp_path: Path) -> None:
    async with ruled(tmp_path, RULES) as (proxy, file, _):
        assert (await saved(proxy, "?rule=0", level="3")).status == 303
        assert file.read_text() == RULES + "level = 3\n"
        assert (await saved(proxy, "", site="b.example", mode="never")).status == 303
        assert [rule.site for rule in load_rules(file)] == ["a.example", "b.example"]
        gone = await post(proxy, EDIT, {**await form_of(proxy, "?rule=0"), "do": "remove"})
        assert gone.status == 303
        assert [rule.site for rule in load_rules(file)] == ["b.example"]
        shown = assert_sound(await get(proxy, LIST))
        assert [node.text() for node in shown.css("h2")] == ["b.example"]


async def test_what_does_not_hold_is_said_and_not_saved(tmp_path: Path) -> None:
    async with ruled(tmp_path, RULES) as (proxy, file, _):
        for wrong, words in (
            ({"site": ""}, "site is missing"),
            ({"level": "40"}, "level must be a whole number from 1 to 12"),
            ({"extractor": "nothing"}, "extractor:"),
            ({"keep": "p:hover"}, "is no selector"),
            ({"test0.url": "http://a.example/"}, "test 1: has is missing"),
        ):
            answer = await saved(proxy, "?rule=0", **wrong)
            assert answer.status == 422
            assert words in assert_sound(answer).css("[role=alert]")[0].text()
        assert file.read_text() == RULES


async def test_a_file_that_was_changed_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    async with ruled(tmp_path, RULES) as (proxy, file, _):
        form = await form_of(proxy, "?rule=0")
        file.write_text(RULES.replace("a.example", "c.example"))
        assert (await post(proxy, EDIT, {**form, "do": "save", "level": "3"})).status == 409
        assert "level" not in file.read_text()
        assert (await get(proxy, f"{EDIT}?rule=7")).status == 404


async def test_another_site_and_strangers_write_no_rule(tmp_path: Path) -> None:
    async with ruled(tmp_path, RULES) as (proxy, file, _):
        form = {**await form_of(proxy, "?rule=0"), "do": "save", "level": "3"}
        crossed = await post(proxy, EDIT, form, "Origin: http://evil.example")
        forged = await post(proxy, EDIT, {**form, "token": "1.AAAA"})
        other = await post(proxy, EDIT, {**form, "number": ""})
        assert [answer.status for answer in (crossed, forged, other)] == [403] * 3
        for path in (EDIT, IMPORT, EXPORT):
            request = f"GET {path} HTTP/1.1\r\nHost: evil.example:{proxy.port}\r\n\r\n"
            assert (await ask(proxy.port, request.encode())).status == 421
        assert file.read_text() == RULES


def upload(token: str, text: str, port: int, *fields: str) -> bytes:
    parts = "".join(
        f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in (("token", token), ("file", text))
    )
    body = f"{parts}--x--\r\n".encode()
    head = (
        f"POST {IMPORT} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Accept: text/html",
        "Content-Type: multipart/form-data; boundary=x",
        f"Content-Length: {len(body)}",
        *fields,
    )
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


async def test_rules_are_exported_and_imported(tmp_path: Path) -> None:
    async with ruled(tmp_path, RULES) as (proxy, file, _):
        got = await get(proxy, EXPORT)
        assert got.body.decode() == RULES
        assert "site-rules.toml" in got.field("content-disposition")
        token = fields_of(await get(proxy, IMPORT))["token"]
        more = '[[rule]]\nsite = "b.example"\nlevel = 2\n'
        crossed = upload(token, more, proxy.port, "Origin: http://evil.example")
        assert (await ask(proxy.port, crossed)).status == 403
        assert (await ask(proxy.port, upload("1.AAAA", more, proxy.port))).status == 403
        assert file.read_text() == RULES
        wrong = await ask(proxy.port, upload(token, more.replace("2", "40"), proxy.port))
        assert "b.example" not in file.read_text()
        assert (wrong.status, b"level must be" in wrong.body) == (422, True)
        hover = more + 'drop = ["p:hover"]\n'
        assert (await ask(proxy.port, upload(token, hover, proxy.port))).status == 422
        done = await ask(proxy.port, upload(token, more, proxy.port))
        assert (done.status, done.field("location")) == (303, f"{LIST}?saved=imported")
        assert [rule.site for rule in load_rules(file)] == ["a.example", "b.example"]


async def undone(proxy: Running, row: int = 0) -> Answer:
    """Press *Undo* of a change, 0 for the latest."""
    page = assert_sound(await get(proxy, "/-/settings/all"))
    form = page.css("table form")[row]
    fields = {
        attribute(node, "name"): node.attributes.get("value") or "" for node in form.css("input")
    }
    return await post(proxy, "/-/settings/all", fields)


async def test_each_change_of_rules_is_undone_with_the_file_s_comments(tmp_path: Path) -> None:
    async with ruled(tmp_path, RULES) as (proxy, file, _):
        form = await form_of(proxy, "?rule=0")
        assert (await post(proxy, EDIT, {**form, "do": "remove"})).status == 303
        assert not load_rules(file)
        history = assert_sound(await get(proxy, "/-/settings/all")).css_first("#changes ~ div")
        assert history is not None
        assert "Site rules: a.example" in history.text()
        done = await undone(proxy)
        assert (done.status, done.field("location")) == (303, f"{LIST}?saved=undone")
        assert file.read_text() == RULES
        assert (
            "Undone."
            in assert_sound(await get(proxy, f"{LIST}?saved=undone")).css("[role=status]")[0].text()
        )
        assert (await undone(proxy)).status == 303, "the undoing too"
        assert not load_rules(file)


async def test_a_rule_made_before_another_is_undone_alone(tmp_path: Path) -> None:
    async with ruled(tmp_path, RULES) as (proxy, file, _):
        for site in ("b.example", "c.example"):
            assert (await saved(proxy, "", site=site, mode="never")).status == 303
        assert (await undone(proxy, 1)).status == 303
        assert [rule.site for rule in load_rules(file)] == ["a.example", "c.example"]
        assert (await undone(proxy, 2)).status == 409, "that rule is there no more"
