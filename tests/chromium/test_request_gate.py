"""A page that is drawn has so many requests, and none for what no text comes from."""

from __future__ import annotations

from winnow.chromium.request_gate import RequestGate


def test_so_many_requests_go_out_and_no_more() -> None:
    gate = RequestGate(2, lambda url, _kind: url.endswith("/ad"))
    asked = [("/ad", "Fetch"), ("/1", "Image"), ("/2", "Fetch"), ("/3", "XHR"), ("/4", "Fetch")]
    assert [gate.passes(url, kind) for url, kind in asked] == [False, False, True, True, False]
