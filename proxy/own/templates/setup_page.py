"""The setup page: guides for each system, and a live check without scripts. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from winnow.jobs.small_gateway import OWN_NAME
from winnow.proxy.own.templates.base_page import (
    HtmlPage,
    bare_page,
    listed,
    own_page,
    page_headers,
    sentences,
)
from winnow.proxy.own.templates.pac_file import ListeningAddress
from winnow.proxy.own.templates.setup_guides import GUIDES, Guide
from winnow.proxy.tls.interception_policy import InterceptionPolicy

CHECK_PATH = "/-/check"
_YES = "✓ Yes, {} goes through Winnow."
_FRAMES = (f"http://{OWN_NAME}", f"https://{OWN_NAME}")


@dataclass(frozen=True, slots=True)
class SetupView:
    """``through`` is the scheme by which the request came through the proxy, "" if directly.

    ``replaced``: files of damaged authorities that were set aside.
    """

    listener: ListeningAddress
    policy: InterceptionPolicy
    authority_name: str
    fingerprint: str
    through: str = ""
    replaced: Sequence[str] = ()

    @property
    def names(self) -> dict[str, str]:
        """The values for the names in braces of the guides."""
        base = f"{'https' if self.listener.tls else 'http'}://{self.listener.authority}"
        return {
            "host": self.listener.host,
            "port": str(self.listener.port),
            "pac": f"{base}/-/proxy.pac",
            "certificate": f"{base}/-/ca.crt",
            "name": self.authority_name,
        }


def setup_page(view: SetupView) -> HtmlPage:
    """The whole page, in the order in which a new user needs it."""
    main = Markup("\n").join(
        [_check(view), _step_proxy(view), _step_https(view), _step_trust(view), _meaning()]
    )
    headers = page_headers("en", _FRAMES)
    return own_page("Set up Winnow", main).with_headers(headers)


def check_page(scheme: str) -> HtmlPage:
    """Shown only through the proxy. It may be framed, since it reveals nothing else."""
    page = bare_page(_YES.format(scheme.upper()), Markup(""), kind="framed")
    policy = page.headers["Content-Security-Policy"]
    return page.with_headers(
        {"Content-Security-Policy": policy.replace("frame-ancestors 'none'", "frame-ancestors *")}
    )


def _check(view: SetupView) -> Markup:
    return Markup(
        '<section aria-labelledby="check">\n<h2 id="check">Is this browser using Winnow?</h2>\n'
        "<table>\n<tr><th scope=row>HTTP</th><td>{}</td></tr>\n"
        "<tr><th scope=row>HTTPS</th><td>{}</td></tr>\n</table>\n"
        '<p class="quiet">Reload this page after each step.</p>\n</section>'
    ).format(
        _answer("http", bool(view.through), "No: this browser does not use Winnow as its proxy."),
        _answer(
            "https",
            view.through == "https",
            "No: the proxy is not set, or its certificate authority is not trusted yet.",
        ),
    )


def _answer(scheme: str, passed: bool, otherwise: str) -> Markup:
    if passed:
        return Markup('<span class="good">{}</span>').format(_YES.format(scheme.upper()))
    return Markup('<object type="text/html" data="{}" aria-label="{}">{}</object>').format(
        f"{scheme}://{OWN_NAME}{CHECK_PATH}", f"Answer for {scheme.upper()}", otherwise
    )


def _step_proxy(view: SetupView) -> Markup:
    return Markup("<h2>1. Use Winnow as the proxy</h2>\n{}\n{}").format(
        Markup(
            "<p>For automatic proxy configuration use <code>{}</code>: only pages that Winnow can "
            "read go through it. Otherwise use <code>{}</code>, port <code>{}</code>, "
            "for HTTP and HTTPS.</p>"
        ).format(view.names["pac"], view.listener.host, view.listener.port),
        _guides(view, "proxy"),
    )


def _step_https(view: SetupView) -> Markup:
    opened = view.policy.opened
    state = "HTTPS interception is off: HTTPS pages pass through encrypted."
    if opened.every:
        state = "HTTPS interception is on for all hosts but the exceptions."
    elif opened.exact or opened.below:
        state = "HTTPS interception is on for the hosts that you listed."
    return Markup("<h2>2. Choose HTTPS interception</h2>\n{}\n{}").format(
        sentences(
            "Most sites use HTTPS, encrypted between site and browser. To extract articles, "
            "Winnow decrypts these pages on this computer, with certificates that it signs itself, "
            "and connects to the site over HTTPS, verifying the site's certificate.",
            "",
            state,
        ),
        Markup(
            "<p>To change it, edit <code>winnow.toml</code>:</p>\n"
            '<pre>[interception]\nhosts = ["*"]            # or ["example.com", "*.example.com"]\n'
            'never = ["my-clinic.example"]</pre>\n'
            "<p>Banks, payment and tax services are never intercepted unless you set "
            "<code>exclude_banks = false</code>.</p>"
        ),
    )


def _step_trust(view: SetupView) -> Markup:
    return Markup(
        "<h2>3. Trust Winnow's certificate authority</h2>\n"
        '<p><a href="/-/ca.crt" download="winnow-ca.crt">Download the certificate</a> of “{}”. '
        "It was created on this computer, and its key never leaves it. Before you trust it, "
        "compare the SHA-256 fingerprint:</p>\n<pre>{}</pre>\n{}"
    ).format(view.authority_name, view.fingerprint, _guides(view, "trust")) + _replaced(view)


def _replaced(view: SetupView) -> Markup:
    if not view.replaced:
        return Markup("")
    return sentences(
        "An earlier authority of this computer was damaged and set aside, and this one is new: "
        "every device that trusted the earlier one must trust this one instead. In Winnow's data "
        f"folder: {', '.join(view.replaced)}."
    )


def _guides(view: SetupView, part: str) -> Markup:
    return Markup("\n").join(
        Markup("<details><summary>{}</summary>\n{}\n</details>").format(
            guide.system, listed(_steps(guide, part, view.names), ordered=True)
        )
        for guide in GUIDES
    )


def _steps(guide: Guide, part: str, names: dict[str, str]) -> tuple[Markup, ...]:
    steps = guide.proxy if part == "proxy" else (*guide.trust, f"To remove it: {guide.undo}")
    return tuple(escape(step.format(**names)) for step in steps)


def _meaning() -> Markup:
    return Markup("<h2>How to remove Winnow</h2>\n{}\n{}").format(
        sentences(
            "Remove the proxy from your system's settings, and remove the certificate authority:"
        ),
        listed(
            (
                "Each guide above ends with the steps to remove it.",
                "The file authority.pem in Winnow's data folder contains its key: without it no "
                "certificate can be signed any more.",
            )
        ),
    )
