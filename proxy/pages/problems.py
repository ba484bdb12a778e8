"""Pages that say why there is no page: a bad certificate, a refusal, a server that does not answer.

Pure. Knows plain words for each; refuses to know how a failure was found.
"""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from enum import Enum

from markupsafe import Markup

from proxy.pages.frame import OwnPage, listed, own_page, sentences


class Certificate(Enum):
    """What is wrong with a server's certificate, and what that means."""

    EXPIRED = "It was valid only until a day that has passed: perhaps nobody looked after it."
    NOT_YET_VALID = "It is valid only from a later day on: perhaps this computer's clock is wrong."
    SELF_SIGNED = "The server vouches for itself: anybody can make such a certificate."
    UNKNOWN_AUTHORITY = "No authority that this computer trusts vouches for it."
    OTHER_NAME = "It belongs to another host: perhaps you were led to the wrong server."
    REVOKED = "Its authority has withdrawn it."
    WEAK = "It is signed in a way that can be forged today."
    OTHER = "It cannot be verified."


_BY_CODE = {
    9: Certificate.NOT_YET_VALID,
    10: Certificate.EXPIRED,
    18: Certificate.SELF_SIGNED,
    19: Certificate.SELF_SIGNED,
    2: Certificate.UNKNOWN_AUTHORITY,
    20: Certificate.UNKNOWN_AUTHORITY,
    21: Certificate.UNKNOWN_AUTHORITY,
    23: Certificate.REVOKED,
    62: Certificate.OTHER_NAME,
    64: Certificate.OTHER_NAME,
    66: Certificate.WEAK,
    67: Certificate.WEAK,
    68: Certificate.WEAK,
}
"""OpenSSL's X509_V_ERR_* (x509_vfy.h)."""


def certificate_fault(error: ssl.SSLCertVerificationError) -> Certificate:
    """What ``error`` says of the certificate."""
    return _BY_CODE.get(getattr(error, "verify_code", 0), Certificate.OTHER)


def certificate_page(host: str, fault: Certificate, detail: str) -> OwnPage:
    """Tells that the connection to ``host`` was not made, and what the reader can do.

    ``detail`` is OpenSSL's own sentence, for who has to mend it.
    """
    main = Markup("{}\n<h2>What you can do</h2>\n{}\n{}").format(
        sentences(
            f"The server that answers as {host} showed a certificate that cannot be trusted.",
            fault.value,
            "Somebody could be reading or changing what you see, so Winnow did not go on.",
        ),
        listed(
            (
                "Try again later, or tell those who run the site.",
                "On a network that wants you to sign in first, sign in and load the page again.",
                Markup(
                    "If you know the server, add <code>{}</code> to <code>never</code> under "
                    "<code>[interception]</code>: your browser then judges the certificate itself."
                ).format(host),
                Markup(
                    "If the server's authority is your own, name its file as <code>ca_bundle</code>"
                    " under <code>[upstream]</code>."
                ),
            )
        ),
        Markup('<p class="quiet">{}</p>').format(detail),
    )
    page = own_page("This connection is not safe", main, status=502)
    return page.with_headers({"Proxy-Status": "winnow; error=tls_certificate_error"})


@dataclass(frozen=True, slots=True)
class Problem:
    """A refusal or failure: its status, title, sentences, and RFC 9209's name for it (or "")."""

    status: int
    title: str
    says: tuple[str, ...]
    error: str = ""


def problem_page(problem: Problem) -> OwnPage:
    """Tells one problem in plain words."""
    page = own_page(problem.title, sentences(*problem.says), status=problem.status)
    if not problem.error:
        return page
    return page.with_headers({"Proxy-Status": f"winnow; error={problem.error}"})


def unreachable(host: str) -> Problem:
    """No address, or no connection."""
    return Problem(
        502,
        "The server cannot be reached",
        (
            f"Winnow found no way to {host}.",
            "Look at the address for a typing mistake, and whether this computer is online.",
        ),
        "destination_unavailable",
    )


def unknown_host(host: str) -> Problem:
    """The name does not resolve."""
    return Problem(
        502,
        "There is no such server",
        (f"Nobody knows the name {host}.", "Look at the address for a typing mistake."),
        "dns_error",
    )


def too_slow(host: str) -> Problem:
    """No answer in time."""
    return Problem(
        504,
        "The server takes too long",
        (f"{host} did not answer in time.", "Try again in a moment."),
        "http_response_timeout",
    )


def private_address(host: str) -> Problem:
    """A stranger asked for an address of this network."""
    return Problem(
        403,
        "This address is private",
        (
            f"{host} is an address inside the network that Winnow runs in.",
            "Winnow reaches such addresses only for programs on its own computer. Whoever runs it "
            "can change that with private_addresses under [access].",
        ),
        "destination_ip_prohibited",
    )


def looped() -> Problem:
    """The request came back to us."""
    return Problem(
        508,
        "Winnow was asked to fetch from itself",
        ("The request went round in a circle.", "Look at upstream.proxy and at the address."),
        "proxy_loop_detected",
    )


def password_needed(wait: int) -> Problem:
    """The client did not say who it is, or guessed too often."""
    says = ["Winnow needs your name and password here.", "Your browser asks you for them."]
    if wait:
        says.append(f"There were too many wrong ones: try again in {-(-wait // 60)} minutes.")
    return Problem(429 if wait else 407, "Who are you?", tuple(says))
