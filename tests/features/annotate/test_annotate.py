"""A page marked through real sockets and a real worker becomes an entry of a test package."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.proxy.origins import Origin, ask, html, serving
from tests.proxy.own.templates.support import attribute
from tests.unhurried import UNHURRIED
from tests.winnow.compose.test_own_pages import address, get, post
from winnow.compose.policies import (
    annotators,
)
from winnow.compose.running import Running, running
from winnow.config.feature_settings import AnnotationSettings
from winnow.config.settings import Access, Settings
from winnow.evaluation.gold.labels import gold_by_label
from winnow.evaluation.gold.packages import load

PAGE = """<!doctype html><html lang="en"><head><title>The dog - Daily</title></head><body>
<nav><a href="/">Home</a></nav><h1>The dog</h1><p>It barked at the moon all night long.</p>
<h2>Later</h2><p>It slept &lt;script&gt; and dreamt of the moon.</p><footer>All rights.</footer>
</body></html>"""
Whole = tuple[Running, Origin, Path]


def settings_of(folder: Path | None) -> Settings:
    plain = Settings()
    return replace(
        plain,
        server=replace(plain.server, port=0),
        extraction=replace(UNHURRIED, extractor="lqf"),
        annotation=AnnotationSettings(folder),
    )


@pytest.fixture
async def whole(tmp_path: Path) -> AsyncIterator[Whole]:
    folder = tmp_path / "marked"
    async with serving(Origin()) as origin, running(settings_of(folder)) as proxy:
        origin.replies["/page"] = html(PAGE.encode())
        yield proxy, origin, folder


def fields_of(tree: LexborHTMLParser) -> dict[str, str]:
    """What a browser would post."""
    chosen = tree.css("#blocks input[checked], input[type=hidden]")
    return {attribute(node, "name"): attribute(node, "value") for node in chosen}


async def form_of(whole: Whole, more: str = "") -> tuple[LexborHTMLParser, dict[str, str]]:
    proxy, origin, _ = whole
    answer = await get(proxy, f"/-/annotate?url={address(origin)}{more}")
    assert answer.status == 200
    tree = LexborHTMLParser(answer.body)
    return tree, fields_of(tree)


async def test_blocks_are_marked_as_the_extractor_would_have_it(whole: Whole) -> None:
    tree, fields = await form_of(whole)
    texts = [node.text() for node in tree.css("#blocks p")]
    labels = [fields[f"b{number}"] for number in range(len(texts))]
    assert texts[3] == "Later"
    assert texts[4] == "It slept <script> and dreamt of the moon."
    assert labels == ["none", "title", "body", "heading", "body", "body"]
    assert not tree.css("#blocks script")


async def test_what_is_marked_becomes_an_entry(whole: Whole) -> None:
    proxy, _, folder = whole
    _, fields = await form_of(whole)
    posted = {**fields, "b5": "none", "annotator": "anna", "type": "article"}
    answer = await post(proxy, "/-/annotate", posted)
    assert answer.status == 200
    package = load(folder / "anna")
    (entry,) = package
    assert entry.body == PAGE.encode()
    assert entry.page_type == "article"
    assert entry.meta["language"] == "en"
    assert gold_by_label(entry) == {
        "title": "The dog",
        "heading": "Later",
        "body": "It barked at the moon all night long.\nIt slept <script> and dreamt of the moon.",
    }


async def test_others_get_the_bytes_that_were_kept_and_none_of_the_marks(whole: Whole) -> None:
    proxy, origin, _ = whole
    _, fields = await form_of(whole)
    bare = {name: "none" if name.startswith("b") else value for name, value in fields.items()}
    await post(proxy, "/-/annotate", {**bare, "b0": "body", "annotator": "anna"})
    origin.replies["/page"] = html(b"<p>Another page by now, quite another.")
    _, ben = await form_of(whole, "&annotator=ben")
    assert (ben["digest"], ben["b1"], ben["b0"]) == (fields["digest"], "title", "none")
    _, anna = await form_of(whole, "&annotator=anna")
    assert (anna["b1"], anna["b0"]) == ("none", "body")
    _, blank = await form_of(whole, "&annotator=ben&marks=none")
    assert {value for name, value in blank.items() if name[1:].isdecimal()} == {"none"}


async def test_a_page_on_which_nothing_is_content_has_labels_too(whole: Whole) -> None:
    proxy, _, folder = whole
    _, fields = await form_of(whole)
    bare = {name: "none" if name.startswith("b") else value for name, value in fields.items()}
    await post(proxy, "/-/annotate", {**bare, "annotator": "anna"})
    (entry,) = load(folder / "anna")
    assert (entry.gold, entry.meta["page_spans"], entry.meta["spans"]) == ("", [], [])


async def test_another_site_cannot_keep_anything(whole: Whole) -> None:
    proxy, _, folder = whole
    _, fields = await form_of(whole)
    fields["annotator"] = "anna"
    crossed = await post(proxy, "/-/annotate", fields, "Origin: http://evil.example")
    fetched = await post(proxy, "/-/annotate", fields, "Sec-Fetch-Site: cross-site")
    forged = await post(proxy, "/-/annotate", {**fields, "page": "http://other.example/"})
    assert [answer.status for answer in (crossed, fetched, forged)] == [403, 403, 403]
    assert not folder.exists()


@pytest.mark.parametrize(
    ("change", "status"),
    [({"annotator": "../out"}, 400), ({"b1": "headline"}, 400), ({"b999": "body"}, 200)],
)
async def test_a_form_that_says_nonsense_is_refused(
    whole: Whole, change: dict[str, str], status: int
) -> None:
    proxy, _, folder = whole
    _, fields = await form_of(whole)
    answer = await post(proxy, "/-/annotate", {**fields, "annotator": "anna", **change})
    assert answer.status == status
    assert folder.exists() == (status == 200)


async def test_only_the_one_script_may_run(whole: Whole) -> None:
    proxy, origin, _ = whole
    answer = await get(proxy, f"/-/annotate?url={address(origin)}")
    policy = answer.field("content-security-policy")
    assert "default-src 'none'" in policy
    assert policy.count("script-src 'sha256-") == 1
    assert "unsafe" not in policy
    asking = await get(proxy, "/-/annotate")
    assert "script-src" not in asking.field("content-security-policy")


async def test_it_works_through_the_proxy_itself(whole: Whole) -> None:
    proxy, origin, folder = whole
    asked = f"GET http://winnow.internal/-/annotate?url={address(origin)} HTTP/1.1"
    host = "Host: winnow.internal"
    answer = await ask(proxy.port, f"{asked}\r\n{host}\r\n\r\n".encode())
    fields = {**fields_of(LexborHTMLParser(answer.body)), "annotator": "anna"}
    body = urlencode(fields).encode()
    lines = (
        "POST http://winnow.internal/-/annotate HTTP/1.1",
        host,
        "Origin: http://winnow.internal",
        f"Content-Length: {len(body)}",
    )
    kept = await ask(proxy.port, "\r\n".join(lines).encode() + b"\r\n\r\n" + body)
    assert kept.status == 200
    assert len(load(folder / "anna")) == 1


async def test_home_and_why_lead_to_it(whole: Whole) -> None:
    proxy, origin, _ = whole
    home, why = await get(proxy, "/"), await get(proxy, f"/-/why?url={address(origin)}")
    assert b'href="/-/annotate"' in home.body
    assert f'href="/-/annotate?url={address(origin)}"' in why.body.decode()


async def test_it_is_off_until_a_folder_is_named() -> None:
    async with serving(Origin()) as origin, running(settings_of(None)) as proxy:
        origin.replies["/page"] = html(PAGE.encode())
        answer = await get(proxy, "/-/annotate?url=http://127.0.0.1:1/")
        leading = [await get(proxy, "/"), await get(proxy, f"/-/why?url={address(origin)}")]
    assert answer.status == 404
    assert b"annotation.folder" in answer.body
    assert all(page.status == 200 and b"/-/annotate" not in page.body for page in leading)


def test_who_needed_no_password_may_not_annotate_from_afar() -> None:
    plain = Settings()
    access = Access(open_to=("127.0.0.0/8", "10.0.0.0/8"))
    may = annotators(replace(plain, access=access))
    asked = ("127.0.0.1", "::1", "10.1.2.3", "192.0.2.7", "")
    assert [may(client) for client in asked] == [True, True, False, True, False]
