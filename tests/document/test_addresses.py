"""Malformed addresses have no parts, and no module takes one apart by what raises."""

from __future__ import annotations

import ast
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from winnow.document.addresses import NO_PARTS, host_of, joined, parts_of, port_of

ROOT = Path(__file__).parents[2]
ALONE = {
    "document/addresses.py",
    "chromium/drawn_dom.py",  # what Chromium itself wrote
    "proxy/upstream/connections/parent_proxy.py",  # settings: an error there is told
    "features/redis/redis_connection.py",  # settings
    "evaluation/subjects/proxy_subject.py",  # the command line
}
MALFORMED = ("http://[", "http://[::1", "http://]/", "//[", "http://[.]/", "http://a\u2100b/")


def test_a_malformed_address_has_no_parts() -> None:
    for address in MALFORMED:
        assert (parts_of(address), host_of(address), port_of(address)) == (NO_PARTS, "", None)
        assert joined("https://a.example/", address) == ""
        assert joined(address, "b") == ""


def test_others_are_taken_apart() -> None:
    assert host_of("https://[::1]:8/") == "::1"
    assert host_of("HTTP://A.Example/") == "a.example"
    assert (port_of("http://a:8/"), port_of("http://a:99999/"), port_of("http://a/")) == (
        8,
        None,
        None,
    )
    assert joined("https://a.example/b/c", "../d?e#f") == "https://a.example/d?e#f"


@given(st.text(st.sampled_from("ht:/[]@.%1af?#\u2100 \t"), max_size=24))
def test_no_text_raises(text: str) -> None:
    assert parts_of(text).hostname in {None, host_of(text)}
    port_of(text)
    joined(text, text)


def test_no_other_module_takes_addresses_apart() -> None:
    rooms = (
        "proxy",
        "document",
        "engine",
        "features",
        "extractors",
        "winnow",
        "jobs",
        "chromium",
        "evaluation",
        "speech",
    )
    files = {path for room in rooms for path in (ROOT / room).rglob("*.py")}
    callers = {path.relative_to(ROOT).as_posix() for path in files if _takes_apart(path)}
    assert callers == ALONE


def _takes_apart(path: Path) -> bool:
    imports = (
        node
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom)
    )
    names = {name.name for node in imports if node.module == "urllib.parse" for name in node.names}
    return bool(names & {"urlsplit", "urlparse", "urljoin"})
