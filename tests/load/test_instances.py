"""Two instances behind HAProxy that know the same, whichever of them a request comes to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import pytest
import pytest_asyncio
from selectolax.lexbor import LexborHTMLParser

from benchmarks.load.local_deployment import SETTINGS, LocalSet, local_set
from benchmarks.load.programs import origin
from tests.programs import require_program
from tests.proxy.origins import Answer, ask, get

BROWSER = "Accept: text/html,*/*;q=0.8"
SETTINGS_PAGE = "http://winnow.internal/-/settings"
CHOOSE = "http://winnow.internal/-/choose"

pytestmark = [pytest.mark.release, pytest.mark.asyncio(loop_scope="module")]


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

    async def agree(self) -> bool:
        """Whether the forms of both are the same."""
        shown = [form((await self.see(port, SETTINGS_PAGE)).body, "pause") for port in self.ports]
        return shown[0] == shown[1]

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
        made = Both(running, pages)
        async with asyncio.timeout(250):
            while not await made.agree():  # noqa: ASYNC110 - by then both have the key of forms
                await asyncio.sleep(0.2)
        yield made


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


async def known(both: Both, url: str, holds: Callable[[Answer], bool]) -> None:
    """Whoever is asked, and the balancer, comes to show that something holds.

    On a machine that is not busy at once; an instance that is late asks Redis every few seconds.
    """
    for port in (*both.ports, both.running.port):
        async with asyncio.timeout(250):
            while not holds(await both.see(port, url)):  # noqa: ASYNC110 - no event reaches us
                await asyncio.sleep(0.2)


def because(reason: str) -> Callable[[Answer], bool]:
    return lambda answer: answer.field("winnow-reason") == reason


def is_extracted(answer: Answer) -> bool:
    return answer.field("winnow-action") == "extracted"


async def test_a_form_of_one_is_taken_by_the_other_and_what_it_says_holds_in_both(
    both: Both,
) -> None:
    first, second = both.ports
    asked = form((await both.see(first, SETTINGS_PAGE)).body, "pause")
    assert (await ask(second, post(SETTINGS_PAGE, asked))).status == 303
    await known(both, SETTINGS_PAGE, lambda answer: b"Resume now" in answer.body)
    await known(both, both.page(1), because("paused"))
    going_on = form((await both.see(second, SETTINGS_PAGE)).body, "resume")
    assert (await ask(first, post(SETTINGS_PAGE, going_on))).status == 303
    await known(both, both.page(1), is_extracted)


async def test_a_choice_in_the_bar_holds_whoever_the_balancer_asks(both: Both) -> None:
    first, second = both.ports
    page = both.page(2)
    asking = f"{CHOOSE}?{urlencode({'action': 'never', 'page': page})}"
    never = form((await both.see(first, asking)).body, "never")
    assert (await ask(second, post(CHOOSE, never))).status == 303
    await known(both, page, because("site-rule"))
    undone = form((await both.see(first, SETTINGS_PAGE)).body, "forget")
    assert (await ask(second, post(SETTINGS_PAGE, undone))).status == 303
    await known(both, page, is_extracted)


async def test_the_original_that_was_asked_of_one_is_shown_by_the_other(both: Both) -> None:
    first, second = both.ports
    page = both.page(3)
    shown = LexborHTMLParser((await both.see(first, page)).body)
    link = str(shown.css("#winnow-bar a[href*='/-/original']")[0].attributes["href"])
    referer = f"Referer: {page}"
    assert (await ask(second, get(link, BROWSER, referer))).status == 303
    await known(both, page, because("original-requested"))


async def test_a_bookmark_kept_at_one_is_listed_by_the_other(both: Both) -> None:
    first, second = both.ports
    small = "http://winnow.internal/-/small/"
    page = (await both.see(first, small + both.page(4))).body
    target = f"http://winnow.internal{action(page, 'add')}"
    assert (await ask(second, post(target, form(page, "add")))).status == 303
    await known(both, small, lambda answer: both.page(4).encode() in answer.body)
