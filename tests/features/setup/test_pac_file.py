"""The PAC file sends through Winnow only what it can read; run by a real JavaScript engine."""

from __future__ import annotations

import json
import subprocess

import pytest
from playwright._impl._driver import compute_driver_executable

from winnow.features.setup.pac_file import NOWHERE, proxy_pac
from winnow.proxy.own.listening_place import ListeningAddress
from winnow.proxy.tls.interception_policy import Hosts, InterceptionPolicy, spared_banks

US = "PROXY 127.0.0.1:8080; DIRECT"
ALL = InterceptionPolicy(Hosts.of(["*"]), Hosts.of(["bank.example", "*.bank.example"]))
SOME = InterceptionPolicy(Hosts.of(["read.example", "*.blog.example"]))
NONE = InterceptionPolicy()
LISTENER = ListeningAddress("127.0.0.1", 8080)
_CALL = """
function isPlainHostName(host) { return host.indexOf(".") < 0; }
console.log(JSON.stringify(CASES.map(function (c) { return FindProxyForURL(c[0], c[1]); })));
"""
CASES = [
    (ALL, "http://example.com/", US),
    (ALL, "https://example.com/", US),
    (ALL, "https://bank.example/", "DIRECT"),
    (ALL, "https://www.bank.example/", "DIRECT"),
    (ALL, "http://www.bank.example/", US),
    (ALL, "wss://example.com/", "DIRECT"),
    (ALL, "ftp://example.com/", "DIRECT"),
    (ALL, "http://localhost/", "DIRECT"),
    (ALL, "http://printer/", "DIRECT"),
    (ALL, "http://127.0.0.1/", "DIRECT"),
    (ALL, "http://192.168.1.1/", "DIRECT"),
    (ALL, "http://172.20.0.1/", "DIRECT"),
    (ALL, "http://172.32.0.1/", US),
    (ALL, "http://8.8.8.8/", US),
    (ALL, "http://[::1]/", "DIRECT"),
    (ALL, "http://nas.local/", "DIRECT"),
    (ALL, "http://nas.home.arpa/", "DIRECT"),
    (ALL, "http://wiki.corp/", "DIRECT"),
    (ALL, "http://notcorp/", "DIRECT"),
    (ALL, "http://wiki.notcorp/", US),
    (ALL, "http://100.64.0.1/", "DIRECT"),
    (ALL, "http://100.128.0.1/", US),
    (ALL, "http://winnow.internal/-/setup", "PROXY 127.0.0.1:8080"),
    (ALL, "https://winnow.internal/-/check", "PROXY 127.0.0.1:8080"),
    (SOME, "https://read.example/", US),
    (SOME, "https://READ.example/", US),
    (SOME, "https://www.read.example/", "DIRECT"),
    (SOME, "https://a.blog.example/", US),
    (SOME, "https://blog.example/", "DIRECT"),
    (NONE, "https://example.com/", "DIRECT"),
    (NONE, "http://example.com/", US),
    (NONE, "https://winnow.internal/", "PROXY 127.0.0.1:8080"),
]


def _answers(policy: InterceptionPolicy, urls: list[str], direct: Hosts = NOWHERE) -> list[str]:
    """What ``FindProxyForURL`` returns for each address, as a browser calls it."""
    calls = [[url, url.split("/")[2].strip("[]")] for url in urls]
    script = f"{proxy_pac(LISTENER, policy, direct)}\nvar CASES = {json.dumps(calls)};{_CALL}"
    node = compute_driver_executable()[0]
    done = subprocess.run([node, "-"], input=script, capture_output=True, text=True, check=True)
    answers: list[str] = json.loads(done.stdout)
    return answers


@pytest.mark.parametrize("policy", [ALL, SOME, NONE], ids=["all", "some", "none"])
def test_each_address_goes_where_it_should(policy: InterceptionPolicy) -> None:
    mine = [(url, answer) for of, url, answer in CASES if of is policy]
    urls = [url for url, _ in mine]
    assert dict(zip(urls, _answers(policy, urls), strict=True)) == dict(mine)


def test_a_listener_with_tls_is_an_https_proxy() -> None:
    assert "HTTPS [::1]:8443; DIRECT" in proxy_pac(ListeningAddress("::1", 8443, tls=True), NONE)


def test_the_owners_exceptions_go_direct() -> None:
    direct = Hosts.of(["apart.example", "*.office.example"])
    urls = ["http://apart.example/", "https://a.office.example/", "http://office.example/"]
    assert _answers(ALL, urls, direct) == ["DIRECT", "DIRECT", US]


def test_the_offered_list_fits_in() -> None:
    policy = InterceptionPolicy(Hosts.of(["*"]), spared_banks())
    assert _answers(policy, ["https://www.paypal.com/", "https://example.com/"]) == ["DIRECT", US]
