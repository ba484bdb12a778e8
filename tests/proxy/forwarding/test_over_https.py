"""A client without modern TLS asks for a plain address whose site leads to HTTPS."""

from __future__ import annotations

import ssl

import trustme

from tests.proxy.names import NamedOrigins
from tests.proxy.origins import Origin, ask, get, html, reply, serving
from tests.proxy.proxies import proxying
from winnow.proxy.upstream.connections.connector import Connector

BROWSER = "Accept: text/html,*/*;q=0.8"
URL = "http://site.example/story?x=1"


async def test_it_is_fetched_there_for_who_requested_and_only_where_nothing_else_changes() -> None:
    authority = trustme.CA()
    shown, trust = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context()
    authority.issue_cert("site.example").configure_cert(shown)
    authority.configure_trust(trust)
    plain, secure = Origin(), Origin()
    there = "Location: https://site.example/story?x=1"
    plain.replies["/story?x=1"] = reply(b"", there, status="301 Moved Permanently")
    plain.replies["/other"] = reply(b"", "Location: https://site.example/", status="302 Found")
    secure.replies["/story?x=1"] = html(b"<p>secure</p>")
    async with serving(plain), serving(secure, shown):
        names = NamedOrigins({("site.example", 80): plain.port, ("site.example", 443): secure.port})
        async with proxying(connector=Connector(names, trust, 5)) as proxy:
            requested = await ask(proxy.port, get(URL, BROWSER, "Winnow-Https: on"))
            assert requested.field("winnow-action") == "extracted"
            assert proxy.transform.pages[0].body == b"<p>secure</p>"
            unasked = await ask(proxy.port, get(URL, BROWSER))
            assert (unasked.status, unasked.field("location")) == (301, there[10:])
            other = get("http://site.example/other", BROWSER, "Winnow-Https: on")
            assert (await ask(proxy.port, other)).status == 302
