"""``/-/activity`` over real sockets: each user's own pages, and what can be done about them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from selectolax.lexbor import LexborHTMLParser

from tests.proxy.origins import Answer, Origin, ask, get, html, reply, serving
from tests.winnow.test_owners import ARTICLE, BROWSER, User, plain
from winnow.compose.running import running
from winnow.config.settings import Access

ACTIVITY = "http://winnow.internal/-/activity"


def rows(answer: Answer) -> list[str]:
    return [node.text() for node in LexborHTMLParser(answer.body).css("main ol > li")]


def button(answer: Answer, text: str) -> dict[str, str]:
    """The fields of the first form with such a button."""
    for form in LexborHTMLParser(answer.body).css("form"):
        if form.text(strip=True) == text:
            inputs = [node.attributes for node in form.css("input")]
            return {str(each["name"]): str(each["value"]) for each in inputs}
    raise AssertionError(text)


async def test_two_users_behind_one_address_see_nothing_of_each_other(tmp_path: Path) -> None:
    async with serving(Origin()) as origin, running(plain(tmp_path)) as proxy:
        origin.replies["/story?of=ann"] = html(ARTICLE)
        ann, ben = User("ann", proxy), User("ben", proxy)
        await ann.get(origin.url("/story?of=ann"))
        await ben.get(origin.url("/gone?of=ben"))
        page = await ann.get(ACTIVITY)
        (row,) = rows(page)
        assert "/story?of=ann" in row
        assert "Extracted · " in row
        assert "of=ben" in rows(await ben.get(ACTIVITY))[0]
        cleared = await ben.post(ACTIVITY, button(page, "Clear list"))
        assert cleared.status == 403
        assert (await ann.post(ACTIVITY, button(page, "Clear list"))).status == 303
        assert rows(await ann.get(ACTIVITY)) == []
        assert len(rows(await ben.get(ACTIVITY))) == 1


async def test_a_row_leads_to_the_original_and_back_by_one_click_each(tmp_path: Path) -> None:
    async with serving(Origin()) as origin, running(plain(tmp_path)) as proxy:
        origin.replies["/story"] = html(ARTICLE)
        ann, story = User("ann", proxy), origin.url("/story")
        await ann.get(story)
        choose = "http://winnow.internal/-/choose"
        page = await ann.get(ACTIVITY)
        led = await ann.post(choose, button(page, "Show original"))
        assert led.field("location") == story
        original = await ann.get(story)
        assert original.field("winnow-reason") == "original-requested"
        assert b"Winnow is off for this page" in original.body
        assert "you chose the original<" in (await ann.get(ACTIVITY)).body.decode()
        await ann.post(choose, button(page, "Reader view"))
        assert (await ann.get(story)).field("winnow-action") == "extracted"
        assert "you chose to read it<" in (await ann.get(ACTIVITY)).body.decode()
        links = [node.attributes["href"] for node in LexborHTMLParser(page.body).css("li a")]
        assert [str(link).partition("&")[0].partition("=")[0] for link in links] == [
            "/-/why?url",
            "/-/choose?action",
            "/-/choose?action",
        ]


async def test_the_number_of_a_request_leads_its_reader_to_why(tmp_path: Path) -> None:
    """Issue 44: from the log or a trace to /-/why."""
    async with serving(Origin()) as origin, running(plain(tmp_path)) as proxy:
        origin.replies["/story"] = html(ARTICLE)
        ann, story = User("ann", proxy), origin.url("/story")
        await ann.get(story)
        (page,) = proxy.state.observability.activity.of("user:ann")
        why = f"http://winnow.internal/-/why?request={page.number}"
        found = await ann.get(why)
        assert (found.status, found.field("location")) == (
            303,
            f"/-/why?url={quote(story, safe='')}",
        )
        assert (await User("ben", proxy).get(why)).status == 404
        assert (await ann.get(f"{why}0")).status == 404


async def test_a_page_that_has_not_changed_is_said_to_be_so_in_words(tmp_path: Path) -> None:
    async with serving(Origin()) as origin, running(plain(tmp_path)) as proxy:
        origin.replies["/story"] = reply(ARTICLE, "Content-Type: text/html", 'ETag: "a"')
        ann, story = User("ann", proxy), origin.url("/story")
        tag = (await ann.get(story)).field("etag")
        origin.replies["/story"] = b'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n'
        assert (await ann.get(story, f"If-None-Match: {tag}")).status == 304
        assert "not changed since your last visit" in rows(await ann.get(ACTIVITY))[0]


async def test_who_is_no_user_and_comes_from_elsewhere_has_no_list(tmp_path: Path) -> None:
    """A chained proxy on this computer may serve anybody."""
    settings = replace(plain(tmp_path), access=Access())
    async with serving(Origin()) as origin, running(settings) as proxy:
        origin.replies["/story"] = html(ARTICLE)
        for field in ("X-Forwarded-For: 192.168.1.6", "Accept-Language: en"):
            await ask(proxy.port, get(origin.url(f"/story?{field[:8]}"), BROWSER, field))
        elsewhere = await ask(proxy.port, get(ACTIVITY, BROWSER, "Via: 1.1 another"))
        assert rows(elsewhere) == []
        assert b"users who signed in" in elsewhere.body
        (row,) = rows(await ask(proxy.port, get(ACTIVITY, BROWSER)))
        assert "?Accept-L" in row


async def test_line_and_list_can_be_switched_off(tmp_path: Path) -> None:
    settings = plain(tmp_path)
    settings = replace(
        settings,
        server=replace(settings.server, activity=False),
        extraction=replace(settings.extraction, notice=False, deadline=0.01),
    )
    async with serving(Origin()) as origin, running(settings) as proxy:
        origin.replies["/story"] = html(ARTICLE)
        ann = User("ann", proxy)
        assert (await ann.get(origin.url("/story"))).body == ARTICLE
        assert rows(await ann.get(ACTIVITY)) == []


async def test_a_page_that_scripts_write_leads_to_the_form_that_runs_them(tmp_path: Path) -> None:
    async with serving(Origin()) as origin, running(plain(tmp_path)) as proxy:
        origin.replies["/shell"] = html(b"<div id=root></div><script>write()</script>")
        ann = User("ann", proxy)
        await ann.get(origin.url("/shell"))
        page = await ann.get(ACTIVITY)
        links = [node.attributes["href"] for node in LexborHTMLParser(page.body).css("main ol a")]
        assert any(link and link.startswith("/-/render?url=http%3A%2F%2F127") for link in links)


async def test_the_same_page_opened_again_is_one_row_with_a_count(tmp_path: Path) -> None:
    async with serving(Origin()) as origin, running(plain(tmp_path)) as proxy:
        origin.replies["/story"] = html(ARTICLE)
        ann = User("ann", proxy)
        for path in ("/story", "/gone", "/story", "/story", "/story"):
            await ann.get(origin.url(path))
        found = rows(await ann.get(ACTIVITY))
        assert [("3 times" in row, "/story" in row) for row in found] == [
            *((True, True), (False, False), (False, True))
        ]


async def test_a_server_that_is_down_is_told_in_words(tmp_path: Path) -> None:
    async with running(plain(tmp_path)) as proxy:
        ann = User("ann", proxy)
        await ann.get("http://127.0.0.1:9/story")
        (row,) = rows(await ann.get(ACTIVITY))
    assert "The server cannot be reached" in row
    assert "origin unreachable" not in row
