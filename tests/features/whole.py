"""One page on every way, and no dead link: run in a tree without one of its features."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from urllib.parse import quote, urlsplit

from selectolax.lexbor import LexborHTMLParser

from tests.proxy.origins import Origin, ask, get, html, serving
from tests.winnow.conftest import PAGE
from winnow.compose.running import running
from winnow.config.server_settings import Server
from winnow.config.settings import Settings, StorageSettings
from winnow.feature_list import FEATURES


async def test_a_page_on_every_way_and_no_dead_link(tmp_path: Path) -> None:
    settings = replace(Settings(), server=Server(port=0), storage=StorageSettings(folder=tmp_path))
    async with serving(Origin()) as origin, running(settings) as proxy:
        origin.replies["/page"] = html(PAGE.encode())
        page, base = origin.url("/page"), f"http://127.0.0.1:{proxy.port}"
        named = f"{base}/-/read?url={quote(page, safe='')}&format=text"
        for target in (page, f"{base}/{page}", named):
            answer = await ask(proxy.port, get(target, "Accept: text/html"))
            assert (answer.status, answer.field("winnow-action")) == (200, "extracted"), target
        left = {each.path for one in FEATURES for each in one.addresses}
        starts = left & {"/-/settings/all", "/-/status"}
        for start in (*sorted(starts), f"/{page}"):
            answer = await ask(proxy.port, get(f"{base}{start}", "Accept: text/html"))
            assert answer.status == 200, start
            for node in LexborHTMLParser(answer.body).css("a[href^='/-/']"):
                path = urlsplit(node.attributes["href"] or "").path
                below = any(path.startswith(each) for each in left if each.endswith("/"))
                assert path in left or below, f"{start} leads to {path}"
