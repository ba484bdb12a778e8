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
from winnow.proxy.own.templates.https_form import MEANING, HttpsState, https_part, undo_part
from winnow.proxy.own.templates.pac_file import ListeningAddress
from winnow.proxy.own.templates.setup_guides import GUIDES, Guide
from winnow.proxy.tls.interception_policy import Hosts, InterceptionPolicy

CHECK_PATH = "/-/check"
CHECKS_PATH = "/-/setup/checks"
CHECK_SECONDS = 4
"""Seconds after which the live check looks again."""
_YES = "✓ Yes, {} goes through Winnow."
_FRAMES = (f"http://{OWN_NAME}", f"https://{OWN_NAME}")


@dataclass(frozen=True, slots=True)
class SetupView:
    """``through`` is the scheme by which the request came through the proxy, "" if directly.

    ``replaced``: files of damaged authorities that were set aside. ``https``: the switch, None for
    who may not use it.
    """

    listener: ListeningAddress
    policy: InterceptionPolicy
    authority_name: str
    fingerprint: str
    through: str = ""
    replaced: Sequence[str] = ()
    https: HttpsState | None = None

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
        [_check(view), _step_proxy(view), _step_https(view), _step_trust(view), _meaning(view)]
    )
    headers = page_headers("en", (*_FRAMES, "'self'"))
    return own_page("Set up Winnow", main).with_headers(headers)


def checks_page(through: str = "") -> HtmlPage:
    """The live check, which loads itself again; ``through`` as in ``SetupView``."""
    page = bare_page("Is this browser using Winnow?", _answers(through), kind="framed checks")
    policy = page_headers("en", _FRAMES)["Content-Security-Policy"]
    framed = policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
    return page.with_headers(
        {**page.headers, "Content-Security-Policy": framed, "Refresh": str(CHECK_SECONDS)}
    )


def check_page(scheme: str) -> HtmlPage:
    """Shown only through the proxy. It may be framed, since it reveals nothing else."""
    page = bare_page(_YES.format(scheme.upper()), Markup(""), kind="framed")
    policy = page.headers["Content-Security-Policy"]
    return page.with_headers(
        {"Content-Security-Policy": policy.replace("frame-ancestors 'none'", "frame-ancestors *")}
    )


def _check(view: SetupView) -> Markup:
    if view.through == "https":
        inside = _answers(view.through)
    else:
        inside = Markup(
            '<object class="checks" type="text/html" data="{}" aria-label="Live check">'
            '<a href="{}">Look whether it does</a></object>\n'
            '<p class="quiet">It looks again every {} seconds.</p>'
        ).format(CHECKS_PATH, CHECKS_PATH, CHECK_SECONDS)
    return Markup(
        '<section aria-labelledby="check">\n<h2 id="check">Is this browser using Winnow?</h2>\n'
        "{}\n</section>"
    ).format(inside)


def _answers(through: str) -> Markup:
    return Markup(
        "<table>\n<tr><th scope=row>HTTP</th><td>{}</td></tr>\n"
        "<tr><th scope=row>HTTPS</th><td>{}</td></tr>\n</table>"
    ).format(
        _answer("http", bool(through), "No: this browser does not use Winnow as its proxy."),
        _answer(
            "https",
            through == "https",
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
    return Markup('<h2 id="https">2. Read HTTPS pages too</h2>\n{}').format(
        https_part(view.https) if view.https else _https_as_it_is(view.policy.opened)
    )


def _https_as_it_is(opened: Hosts) -> Markup:
    """For who cannot change it here."""
    state = "HTTPS interception is off: HTTPS pages pass through encrypted."
    if opened.every:
        state = "HTTPS interception is on for all hosts but the exceptions."
    elif opened.exact or opened.below:
        state = "HTTPS interception is on for the hosts that you listed."
    return sentences(*MEANING, state) + Markup(
        "\n<p>Whoever runs Winnow changes it on this page, or in <code>winnow.toml</code>:</p>\n"
        '<pre>[interception]\nhosts = ["*"]            # or ["example.com", "*.example.com"]\n'
        'never = ["my-clinic.example"]</pre>'
    )


def _step_trust(view: SetupView) -> Markup:
    return Markup(
        '<h2 id="trust">3. Trust Winnow\'s certificate authority</h2>\n'
        "<p>On Linux, <code>winnow setup</code> in a terminal does this and sets the proxy, for "
        "Chromium, Firefox, GNOME and KDE.</p>\n"
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


def _meaning(view: SetupView) -> Markup:
    undo = undo_part(view.https) if view.https else Markup("")
    return Markup("<h2>How to remove Winnow</h2>\n{}\n{}\n{}").format(
        undo,
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
