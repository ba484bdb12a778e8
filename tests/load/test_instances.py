"""Two instances behind HAProxy that know the same, whichever of them a request comes to."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import pytest
import pytest_asyncio
from selectolax.lexbor import LexborHTMLParser

from evaluation.load.local_set import SETTINGS, LocalSet, local_set
from evaluation.load.programs import origin
from tests.programs import require_program
from tests.proxy.origins import Answer, ask, get

BROWSER = "Accept: text/html,*/*;q=0.8"
SETTINGS_PAGE = "http://winnow.internal/-/settings"
CHOOSE = "http://winnow.internal/-/choose"

pytestmark = pytest.mark.asyncio(loop_scope="module")


@dataclass(frozen=True)
class Both:
    """A running set; its two instances are asked straight, so that the test says which."""

    running: LocalSet
    pages: int

    @property
    def ports(self) -> tuple[int, int]:
        first, second = self.running.instances
        return first.port, second.port

    def page(self, number: int, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.pages}/story/{number}"

    async def see(self, port: int, url: str) -> Answer:
        return await ask(port, get(url, BROWSER))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def both(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Both]:
    async with started(Path(tmp_path_factory.mktemp("set"))) as made:
        yield made


@asynccontextmanager
async def started(folder: Path) -> AsyncIterator[Both]:
    for name in ("redis-server", "haproxy"):
        require_program(name)
    more = {"WINNOW_EXTRACTION__EXTRACTOR": "bte", "WINNOW_EXTRACTION__DEADLINE": "60 s"}
    async with origin() as pages, local_set(folder, {**SETTINGS, **more}) as running:
        yield Both(running, pages)


def form(page: bytes, does: str) -> str:
    """The fields of the first form that does this, as a browser sends them."""
    return urlencode(found(page, does)[1])


def action(page: bytes, does: str) -> str:
    """Where that form leads."""
    return found(page, does)[0]


def found(page: bytes, does: str) -> tuple[str, dict[str, str]]:
    for each in LexborHTMLParser(page).css("form"):
        hidden = [node.attributes for node in each.css("input[type=hidden]")]
        fields = {str(field["name"]): field.get("value") or "" for field in hidden}
        if does in fields.values():
            return str(each.attributes.get("action")), fields
    raise AssertionError(f"no form says {does}")


def post(url: str, body: str) -> bytes:
    host = url.split("/")[2]
    kind = "Content-Type: application/x-www-form-urlencoded"
    head = f"POST {url} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n{kind}"
    return f"{head}\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()


async def test_a_form_of_one_is_taken_by_the_other_and_what_it_says_holds_in_both(
    both: Both,
) -> None:
    first, second = both.ports
    asked = form((await both.see(first, SETTINGS_PAGE)).body, "pause")
    assert (await ask(second, post(SETTINGS_PAGE, asked))).status == 303
    assert b"Go on now" in (await both.see(first, SETTINGS_PAGE)).body
    assert (await both.see(first, both.page(1))).field("winnow-reason") == "paused"
    going_on = form((await both.see(second, SETTINGS_PAGE)).body, "resume")
    assert (await ask(first, post(SETTINGS_PAGE, going_on))).status == 303
    assert (await both.see(second, both.page(1))).field("winnow-action") == "extracted"


async def test_a_choice_in_the_bar_holds_whoever_the_balancer_asks(both: Both) -> None:
    first, second = both.ports
    page = both.page(2)
    never = form((await both.see(first, page)).body, "never")
    assert (await ask(second, post(CHOOSE, never))).status == 303
    seen = [await both.see(both.running.port, page) for _ in range(6)]
    assert {answer.field("winnow-reason") for answer in seen} == {"site-rule"}
    undone = form((await both.see(first, SETTINGS_PAGE)).body, "forget")
    assert (await ask(second, post(SETTINGS_PAGE, undone))).status == 303
    assert (await both.see(first, page)).field("winnow-action") == "extracted"


async def test_the_original_that_was_asked_of_one_is_shown_by_the_other(both: Both) -> None:
    first, second = both.ports
    page = both.page(3)
    shown = LexborHTMLParser((await both.see(first, page)).body)
    link = str(shown.css("#winnow-bar a")[0].attributes["href"])
    assert (await both.see(second, link)).status == 303
    assert (await both.see(first, page)).field("winnow-reason") == "asked-original"


async def test_a_bookmark_kept_at_one_is_listed_by_the_other(both: Both) -> None:
    first, second = both.ports
    small = "http://winnow.internal/-/small/"
    page = (await both.see(first, small + both.page(4))).body
    target = f"http://winnow.internal{action(page, 'add')}"
    assert (await ask(second, post(target, form(page, "add")))).status == 303
    assert both.page(4).encode() in (await both.see(first, small)).body
