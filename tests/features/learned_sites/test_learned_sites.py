"""What was learned about sites is shared: administrators see and delete it, nobody else."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from urllib.parse import urlencode

import pytest

from winnow.cli import main
from winnow.features.learned_sites.learned_sites import Learned, LearnedSites
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.learning.service import LearningService
from winnow.proxy.own.router import OwnRequest
from winnow.proxy.stores.site_store import MemorySites

PATH = "/-/settings/sites"
ADMIN, OTHER = "127.0.0.1", "192.168.1.6"


class Form:
    """A form as a request's body."""

    def __init__(self, fields: dict[str, str]) -> None:
        self._body = urlencode(fields).encode()

    async def chunks(self) -> AsyncIterator[bytes]:
        yield self._body


def request(client: str, form: dict[str, str] | None = None) -> OwnRequest:
    method = "GET" if form is None else "POST"
    head = RequestHead(method, PATH, Headers((("Host", "127.0.0.1:8080"),)), client)
    body = None if form is None else Form(form)
    return OwnRequest(head, PATH, {}, "http://127.0.0.1:8080/", body)  # type: ignore[arg-type]  # stands in for aiohttp's


@pytest.fixture
async def learning() -> LearningService:
    def merge(_left: bytes, right: bytes) -> bytes:
        return right

    store = MemorySites(merge)
    await store.fold({"a.example": b"memory"})
    service = LearningService(store, merge, len)
    await service.save()
    return service


@pytest.fixture
def page(learning: LearningService) -> LearnedSites:
    return LearnedSites(
        learning,
        lambda _: Learned(8, ("8 pages",)),
        lambda _: "{}",
        FormTokens(),
        lambda h: h.client == ADMIN,
    )


async def token(page: LearnedSites, client: str) -> str:
    body = (await page(request(client))).body.decode()
    found = re.search(r'value="\*".*?name="token" value="([^"]+)"', body, re.DOTALL)
    assert found
    return found[1]


async def test_others_do_not_see_which_sites_were_read(page: LearnedSites) -> None:
    body = (await page(request(OTHER))).body
    assert b"a.example" not in body
    assert b"<form" not in body
    shown = (await page(request(ADMIN))).body
    assert b"a.example" in shown
    assert b"Forget all sites" in shown


async def test_others_do_not_export_them(page: LearnedSites) -> None:
    wanted = {"export": "*"}
    assert (await page(replace(request(ADMIN), query=wanted))).status == 200
    with pytest.raises(ClientFaultError) as caught:
        await page(replace(request(OTHER), query=wanted))
    assert caught.value.status == 403


async def test_an_administrator_forgets_a_site(
    page: LearnedSites, learning: LearningService
) -> None:
    answer = await page(request(ADMIN, {"site": "*", "token": await token(page, ADMIN)}))
    assert answer.status == 303
    assert not learning.memories()


async def test_others_are_refused_with_a_token_of_their_own(
    page: LearnedSites, learning: LearningService
) -> None:
    seen = LearnedSites(page.learning, page.summary, page.exported, page.tokens, lambda _: True)
    own = await token(seen, OTHER)
    with pytest.raises(ClientFaultError) as caught:
        await page(request(OTHER, {"site": "*", "token": own}))
    assert (caught.value.status, caught.value.reason) == (403, "admin")
    assert learning.memories()


async def test_a_token_of_another_client_is_refused(
    page: LearnedSites, learning: LearningService
) -> None:
    seen = LearnedSites(page.learning, page.summary, page.exported, page.tokens, lambda _: True)
    with pytest.raises(ClientFaultError) as caught:
        await seen(request(OTHER, {"site": "*", "token": await token(page, ADMIN)}))
    assert caught.value.reason == "stale-form"
    assert learning.memories()


def test_the_command_forgets_all_only_where_it_is_told_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["sites", "forget"]) == 2
    assert "name the sites to forget, or --all" in capsys.readouterr().err
    assert main(["sites", "forget", "--all"]) == 0
