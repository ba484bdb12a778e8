"""Without the feature no page offers to run scripts; what asks for that gets the page without."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import quote

from selectolax.lexbor import LexborHTMLParser

from tests.features.render.test_everywhere import SHELL
from tests.proxy.origins import Origin, ask, html, serving
from tests.unhurried import UNHURRIED
from winnow.compose.running import running
from winnow.config.feature_settings import FeatureSettings
from winnow.config.settings import Settings

OFF = FeatureSettings(disabled=("render",))


async def test_nothing_offers_to_run_scripts() -> None:
    plain = Settings()
    settings = replace(
        plain, server=replace(plain.server, port=0), extraction=UNHURRIED, features=OFF
    )
    async with serving(Origin()) as origin, running(settings) as proxy:
        origin.replies["/page"] = html(SHELL)
        page = origin.url("/page")
        for path in (f"/{page}", f"/-/small/{page}", f"/-/read?url={quote(page)}&render=always"):
            head = (
                f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{proxy.port}\r\nAccept: text/html\r\n\r\n"
            )
            answer = await ask(proxy.port, head.encode())
            assert answer.status in (200, 422)
            tree = LexborHTMLParser(answer.body)
            named = [node.attributes for node in tree.css("a[href], form[action]")]
            leads = {at.get("href") or at.get("action") or "" for at in named}
            assert not [target for target in leads if "/render" in target]
