"""The live check of a browser's proxy and certificate, without scripts. Pure."""

from __future__ import annotations

from typing import Final, NamedTuple

from markupsafe import Markup

from winnow.jobs.small_gateway import OWN_NAME
from winnow.proxy.own.checked_values import Address
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.templates.base_page import HtmlPage, bare_page, page_headers
from winnow.proxy.own.translation import N_, _
from winnow.proxy.tls.interception_policy import Hosts

_TEMPLATE: Final = page_template(__package__, "setup_check.html")
CHECK_PATH = "/-/check"
CHECKS_PATH = "/-/setup/checks"
CHECK_SECONDS = 4
"""Seconds after which the live check looks again."""
_YES = N_("✓ Yes, {scheme} goes through Winnow.")
_SWITCHED_OFF = N_("This browser trusts Winnow’s certificate, but HTTPS is off.")
CHECK = N_("Is this browser using Winnow?")
FRAMES = (f"http://{OWN_NAME}", f"https://{OWN_NAME}")


def checks_page(through: str, opened: Hosts) -> HtmlPage:
    """The live check, which loads itself again; ``through`` as in ``SetupView``."""
    main = answers(through, opened, seconds=CHECK_SECONDS)
    page = bare_page(_(CHECK), main, kind="framed checks")
    policy = page_headers(FRAMES)["Content-Security-Policy"]
    framed = policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
    return page.with_headers(
        {**page.headers, "Content-Security-Policy": framed, "Refresh": str(CHECK_SECONDS)}
    )


def check_page(scheme: str, opened: Hosts) -> HtmlPage:
    """Shown only through the proxy. It may be framed, since it reveals nothing else."""
    return framed_anywhere(bare_page(_passed(scheme, opened), Markup(""), kind="framed"))


def framed_anywhere(page: HtmlPage) -> HtmlPage:
    """The page, which a page of any site may show: it reveals nothing that matters."""
    policy = page.headers["Content-Security-Policy"]
    return page.with_headers(
        {"Content-Security-Policy": policy.replace("frame-ancestors 'none'", "frame-ancestors *")}
    )


def answers(through: str, opened: Hosts, *, framed: bool = True, seconds: int = 0) -> Markup:
    """Whether HTTP and HTTPS go through Winnow: known here, or asked by frames (``framed``)."""
    said = {"http": _http(through, opened), "https": _https(through, opened)}
    return _TEMPLATE(answers=said, framed=framed, seconds=seconds)


def place(through: str, opened: Hosts) -> Markup:
    """The same words without frames: as high as the live check that is laid over them."""
    words = answers(through, opened, framed=False, seconds=CHECK_SECONDS)
    return Markup('<div aria-hidden="true">{}</div>').format(words)


class _Answer(NamedTuple):
    """``passed``: what is said of a request that came through, "" if none is known."""

    passed: str
    otherwise: str
    frame: Address


def _http(through: str, opened: Hosts) -> _Answer:
    otherwise = _("No: this browser does not use Winnow as its proxy.")
    return _Answer(_passed("http", opened) if through else "", otherwise, _frame("http"))


def _https(through: str, opened: Hosts) -> _Answer:
    untrusted = _("No: the proxy is not set, or its certificate authority is not trusted yet.")
    otherwise = untrusted if opened else _("No: HTTPS is off (step 2).")
    passed = _passed("https", opened) if through == "https" else ""
    return _Answer(passed, otherwise, _frame("https"))


def _frame(scheme: str) -> Address:
    return Address(f"{scheme}://{OWN_NAME}{CHECK_PATH}")


def _passed(scheme: str, opened: Hosts) -> str:
    """What it means that a request came through the proxy."""
    if scheme == "https" and not opened:
        return _(_SWITCHED_OFF)
    return _(_YES).format(scheme=scheme.upper())
