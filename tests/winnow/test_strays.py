"""What is no page, no address, or no question at all is told plainly, to people and to programs."""

from __future__ import annotations

from urllib.parse import quote

from tests.proxy.origins import Origin, ask, reply
from tests.winnow.compose.test_own_pages import assert_sound, get, whole
from winnow.compose.running import Running

__all__ = ["whole"]


async def test_a_file_is_not_taken_for_a_page(whole: tuple[Running, Origin]) -> None:
    proxy, origin = whole
    origin.replies["/file"] = reply(b"%PDF-1.4 words", "Content-Type: application/pdf")
    for view in ("compare", "why", "book"):
        answer = await get(proxy, f"/-/{view}?url={quote(origin.url('/file'), safe='')}")
        assert answer.status == 415
        assert_sound(answer)
        assert b"is no page but a file of type application/pdf" in answer.body


async def test_what_is_no_address_is_answered_with_one(whole: tuple[Running, Origin]) -> None:
    answer = await get(whole[0], "/-/why?url=not%20an%20address")
    assert answer.status == 400
    assert b"An address looks like https://example.com/story." in answer.body
    assert b"This is not a web address" in (await get(whole[0], "/-/why?url=http://")).body


async def test_who_reads_without_an_address_is_led_to_the_form(
    whole: tuple[Running, Origin],
) -> None:
    proxy, _ = whole
    answer = await get(proxy, "/-/read")
    assert (answer.status, answer.field("location")) == (303, "/")
    request = f"GET /-/read HTTP/1.1\r\nHost: 127.0.0.1:{proxy.port}\r\n\r\n"
    assert (await ask(proxy.port, request.encode())).status == 400
