"""The live check of a browser's proxy and certificate, without scripts. Pure."""

from __future__ import annotations

from markupsafe import Markup, escape

from winnow.jobs.small_gateway import OWN_NAME
from winnow.proxy.own.templates.base_page import HtmlPage, bare_page, page_headers
from winnow.proxy.own.translation import N_, _
from winnow.proxy.tls.interception_policy import Hosts

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
    page = bare_page(_(CHECK), answers(through, opened) + _again(), kind="framed checks")
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


def _again() -> Markup:
    text = _("It checks again every {seconds} seconds.").format(seconds=CHECK_SECONDS)
    return Markup('\n<p class="quiet">{}</p>').format(text)


def answers(through: str, opened: Hosts) -> Markup:
    """Whether HTTP and HTTPS go through Winnow: known here, or asked by frames."""
    return _rows(
        *(
            _answer(scheme, passed, otherwise)
            for scheme, (passed, otherwise) in _texts(through, opened).items()
        )
    )


def place(through: str, opened: Hosts) -> Markup:
    """The same words without frames: as high as the live check that is laid over them."""
    texts = _texts(through, opened).values()
    rows = _rows(*(escape(passed or otherwise) for passed, otherwise in texts))
    return Markup('<div aria-hidden="true">{}{}</div>').format(rows, _again())


def _texts(through: str, opened: Hosts) -> dict[str, tuple[str, str]]:
    """By scheme what is said of a request that came through, "" if none is known; and otherwise."""
    untrusted = _("No: the proxy is not set, or its certificate authority is not trusted yet.")
    return {
        "http": (
            _passed("http", opened) if through else "",
            _("No: this browser does not use Winnow as its proxy."),
        ),
        "https": (
            _passed("https", opened) if through == "https" else "",
            untrusted if opened else _("No: HTTPS is off (step 2)."),
        ),
    }


def _rows(http: Markup, https: Markup) -> Markup:
    return Markup(
        "<table>\n<tr><th scope=row>HTTP</th><td>{}</td></tr>\n"
        "<tr><th scope=row>HTTPS</th><td>{}</td></tr>\n</table>"
    ).format(http, https)


def _passed(scheme: str, opened: Hosts) -> str:
    """What it means that a request came through the proxy."""
    if scheme == "https" and not opened:
        return _(_SWITCHED_OFF)
    return _(_YES).format(scheme=scheme.upper())


def _answer(scheme: str, passed: str, otherwise: str) -> Markup:
    if passed:
        return Markup('<span class="good">{}</span>').format(passed)
    return Markup('<object type="text/html" data="{}" aria-label="{}">{}</object>').format(
        f"{scheme}://{OWN_NAME}{CHECK_PATH}",
        _("Answer for {scheme}").format(scheme=scheme.upper()),
        otherwise,
    )
