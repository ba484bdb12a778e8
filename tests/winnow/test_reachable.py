"""Every own page that is for people is reached from the first page by links."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urldefrag, urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser

from tests.features.setup.test_https_switching import BARE, switched
from tests.winnow.compose.test_own_pages import get
from tests.winnow.compose.test_settings_editing import edited
from winnow.compose.own_pages.features import FeaturePages
from winnow.compose.running import Running

FOR_PROGRAMS = frozenset(
    {
        *("/-/health", "/-/live", "/healthz", "/-/ready", "/-/check", "/-/api/extract", "/-/mcp"),
        *(
            "/-/api/page",
            "/-/api/pair",
            "/-/api/save",
            "/-/metrics",
            "/-/openapi.json",
            "/-/proxy.pac",
            "/wpad.dat",
        ),
        "/-/settings/kept",  # an old name, redirected
        "/-/settings/crunch",  # an old name of the site's page
    }
)
IN_PAGES = frozenset(
    "/-/audio /-/choose /-/original /-/undo /-/extract /-/keep /-/listen /-/options /-/print "
    "/-/render /-/why/page /-/why/part /-/pair".split()
)
"""What links and forms in pages of sites and about them lead to, and a new password’s code."""
OFF = frozenset({"/-/annotate", "/-/settings/rules/export"})
"""Linked where a setting switches it on, or where there is a file of rules."""


async def reached(proxy: Running) -> set[str]:
    """The paths of own pages that links, forms and frames lead to, from the first page on."""
    found, todo = {"/"}, ["/"]
    while todo:
        here = todo.pop()
        answer = await get(proxy, here)
        if "text/html" not in answer.field("content-type"):
            continue
        for node in LexborHTMLParser(answer.body).css("a[href], form[action], object[data]"):
            fields = node.attributes
            target = fields.get("href") or fields.get("action") or fields.get("data") or ""
            parts = urlsplit(urljoin(f"http://127.0.0.1{here}", urldefrag(target).url))
            if parts.hostname == "127.0.0.1" and parts.path not in found:
                found.add(parts.path)
                todo.append(parts.path)
    return found


async def test_no_page_for_people_is_reached_by_a_typed_address_alone(tmp_path: Path) -> None:
    """Certificates are linked once there is one, which the consent to HTTPS makes."""
    async with edited(tmp_path, BARE) as (proxy, _):
        pages = proxy.app.own.pages
        assert isinstance(pages, FeaturePages)
        own = {each.path for one in pages.features for each in one.addresses if not each.below}
        before = await reached(proxy)
        await switched(proxy, "on", which="all", consent="yes")
        missing = own - before - await reached(proxy) - FOR_PROGRAMS - IN_PAGES - OFF
        assert not missing, sorted(missing)
