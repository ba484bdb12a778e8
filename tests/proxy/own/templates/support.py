"""What every page of ours must be: checked on the parsed page."""

from __future__ import annotations

import itertools

from selectolax.lexbor import LexborHTMLParser, LexborNode

from winnow.proxy.own.templates.base_page import STYLE, HtmlPage, style_source


def parsed(page: HtmlPage) -> LexborHTMLParser:
    return LexborHTMLParser(page.body)


def text(page: HtmlPage) -> str:
    body = parsed(page).body
    assert body is not None
    return " ".join(body.text(separator=" ").split())


def attribute(node: LexborNode | None, name: str) -> str:
    assert node is not None
    value = node.attributes.get(name)
    assert value is not None
    return value


def assert_sound(
    page: HtmlPage, language: str = "en", style: str = STYLE, script: str = ""
) -> None:
    """One h1, one main, a language, no gap in the headings, the strictest CSP.

    No script but exactly ``script``.
    """
    tree = parsed(page)
    assert attribute(tree.css_first("html"), "lang") == language == page.headers["Content-Language"]
    assert len(tree.css("h1")) == len(tree.css("main")) == 1
    levels = [int(node.tag[1]) for node in tree.css("h1, h2, h3, h4") if node.tag]
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))
    assert not tree.css("[onclick], [style], a:not([href]), iframe")
    named = tree.css("a, button, summary, title")
    assert named
    assert all(node.text(strip=True) for node in named)
    policy = page.headers["Content-Security-Policy"]
    scripts = [node.text() for node in tree.css("script")]
    assert scripts == ([script] if script else [])
    assert (f"script-src {style_source(script)}" if script else "") in policy
    assert ("script-src" in policy) is bool(script)
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert style_source(style) in policy
    sheet = tree.css_first("style")
    assert sheet is not None
    assert sheet.text() == style
