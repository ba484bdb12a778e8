"""The offered list of hosts whose TLS is never opened; reads it, and knows no other host."""

from __future__ import annotations

from importlib.resources import files

from winnow.proxy.tls.interception_policy import Hosts


def spared_banks() -> Hosts:
    """Banks, payment and tax services password managers: what ``spared_hosts.txt`` lists."""
    lines = files("winnow.proxy.tls").joinpath("spared_hosts.txt").read_text("utf-8").splitlines()
    return Hosts.of(line for line in lines if not line.startswith("#"))
