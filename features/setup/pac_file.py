"""The proxy auto-configuration file: a browser sends Winnow only what it can read. Pure."""

from __future__ import annotations

import json
from typing import Final

from winnow.proxy.own.listening_place import ListeningAddress
from winnow.proxy.tls.interception_policy import Hosts, InterceptionPolicy

NOWHERE: Final = Hosts()
_TEMPLATE: Final = """\
// Winnow: sends to the proxy what it can read, and everything else directly.
var EVERY = %(every)s, OPENED = %(opened)s, SPARED = %(spared)s, DIRECT = %(direct)s;
var PRIVATE = new RegExp("^(127|10|192[.]168|169[.]254|172[.](1[6-9]|2[0-9]|3[01])"
  + "|100[.](6[4-9]|[7-9][0-9]|1[01][0-9]|12[0-7]))[.]");
var LOCAL = new RegExp("[.](local|localhost|localdomain|internal|intranet|private|corp|lan|home"
  + "|home[.]arpa)$");

function listed(set, host) {
  if (set.exact.hasOwnProperty(host)) { return true; }
  for (var dot = host.indexOf("."); dot > 0; dot = host.indexOf(".", dot + 1)) {
    if (set.below.hasOwnProperty(host.substring(dot + 1))) { return true; }
  }
  return false;
}

function FindProxyForURL(url, host) {
  host = host.toLowerCase();
  if (host === "winnow.internal") { return "%(proxy)s"; }
  if (isPlainHostName(host) || host.indexOf(":") >= 0 || PRIVATE.test(host)
      || LOCAL.test(host) || listed(DIRECT, host)) { return "DIRECT"; }
  if (url.substring(0, 5) === "http:") { return "%(proxy)s; DIRECT"; }
  if (url.substring(0, 6) !== "https:" || listed(SPARED, host)) { return "DIRECT"; }
  return EVERY || listed(OPENED, host) ? "%(proxy)s; DIRECT" : "DIRECT";
}
"""


def proxy_pac(
    listener: ListeningAddress, policy: InterceptionPolicy, direct: Hosts = NOWHERE
) -> str:
    """HTTP through Winnow, HTTPS where it is intercepted, private hosts and ``direct`` never.

    If Winnow does not respond, browsers connect directly.
    """
    return _TEMPLATE % {
        "every": json.dumps(policy.opened.every),
        "opened": _set(policy.opened),
        "spared": _set(policy.never),
        "direct": _set(direct),
        "proxy": f"{'HTTPS' if listener.tls else 'PROXY'} {listener.authority}",
    }


def _set(hosts: Hosts) -> str:
    return json.dumps(
        {
            "exact": dict.fromkeys(sorted(hosts.exact), 1),
            "below": dict.fromkeys(sorted(hosts.below), 1),
        },
        separators=(",", ":"),
    )
