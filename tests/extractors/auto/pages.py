"""Pages written for these tests: an article in the usual chrome, and pages that have none."""

from __future__ import annotations

PROSE = (
    "The harbour was quiet when the first boats came in, and the men who stood on the quay said "
    "little. Nobody had expected them before the morning, for the wind had turned at noon. "
)
NAVIGATION = "".join(
    f'<li class="menu-item"><a href="/{name}">{name}</a></li>'
    for name in ("Home", "News", "Sport", "Business", "Contact us", "Log in")
)
CHROME = (
    '<header class="site-header"><nav class="main-nav"><ul>{navigation}</ul></nav></header>{main}'
    '<aside class="sidebar related"><h3>Related</h3><ul>{related}</ul></aside>'
    '<footer class="site-footer"><p>© 2026 The Herald. All rights reserved.</p>'
    '<a href="/privacy">Privacy policy</a> <a href="/terms">Terms of service</a></footer>'
)


def page(main: str, title: str = "Boats come home") -> str:
    """A page of a site with its usual chrome around ``main``."""
    related = "".join(f'<li><a href="/{n}">Another story of the day {n}</a></li>' for n in range(5))
    body = CHROME.format(navigation=NAVIGATION, main=main, related=related)
    return f"<!doctype html><html lang=en><title>{title}</title><body>{body}</body></html>"


def article(paragraphs: int = 8, text: str = PROSE) -> str:
    """A page with an article of so many paragraphs, each with its number."""
    told = "".join(f"<p>{n}. {text * 2}</p>" for n in range(paragraphs))
    return page(f"<main><article><h1>Boats come home</h1>{told}</article></main>")
