"""A browser's tree becomes markup: shadow trees, slots and frames in their places, no script."""

from __future__ import annotations

from typing import Any

from winnow.chromium.drawn_dom import markup_of


def element(name: str, *children: Any, **more: Any) -> dict[str, Any]:
    attributes = more.pop("attributes", {})
    flat = [part for pair in attributes.items() for part in pair]
    found = {"nodeType": 1, "localName": name, "attributes": flat, "children": list(children)}
    return {**found, **more}


def text(value: str) -> dict[str, Any]:
    return {"nodeType": 3, "nodeValue": value}


def document(*children: Any, url: str = "https://a.test/") -> dict[str, Any]:
    return {"nodeType": 9, "documentURL": url, "children": list(children)}


def shadow(*children: Any, kind: str = "open") -> dict[str, Any]:
    return {"nodeType": 11, "shadowRootType": kind, "children": list(children)}


def shown(*children: Any) -> str:
    body = element("html", element("body", *children))
    found = markup_of(document(body)).removeprefix("<!doctype html><html><body>")
    return found.removesuffix("</body></html>")


def test_texts_and_attributes_are_escaped() -> None:
    assert shown(element("p", text("a < b & c"), attributes={"title": 'x"><b>'})) == (
        '<p title="x&quot;&gt;&lt;b&gt;">a &lt; b &amp; c</p>'
    )


def test_scripts_have_run_but_data_stays() -> None:
    data = element("script", text('{"a":1}'), attributes={"type": "application/ld+json"})
    assert shown(element("script", text("x()")), data) == (
        '<script type="application/ld+json">{"a":1}</script>'
    )


def test_a_shadow_tree_stands_in_its_host_with_what_is_slotted() -> None:
    tree = shadow(
        element("h2", element("slot", attributes={"name": "title"})),
        element("slot", element("p", text("nothing given"))),
    )
    given = element("b", text("Title"), attributes={"slot": "title"})
    host = element("x-card", given, text("Body"), shadowRoots=[tree])
    assert shown(host) == '<x-card><h2><b slot="title">Title</b></h2>Body</x-card>'


def test_a_browser_s_own_shadow_trees_are_none_of_the_page() -> None:
    inner = shadow(element("div", text("control")), kind="user-agent")
    assert shown(element("video", shadowRoots=[inner])) == "<video></video>"


def test_a_frame_of_the_same_origin_is_shown_in_its_place_and_another_is_not() -> None:
    inside = element("html", element("body", element("p", text("inside"))))
    own = element("iframe", contentDocument=document(inside, url="https://a.test/frame"))
    other = element("iframe", contentDocument=document(inside, url="https://b.test/frame"))
    assert shown(own) == "<section><p>inside</p></section>"
    assert shown(other) == "<iframe></iframe>"


def test_void_elements_have_no_end_tag_and_what_is_too_deep_is_left_out() -> None:
    assert shown(element("br")) == "<br>"
    deep: dict[str, Any] = element("i", text("deepest"))
    for _ in range(600):
        deep = element("div", deep)
    assert "deepest" not in shown(deep)
