"""What the documentation lists is what the program says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from winnow.cli import COMMANDS
from winnow.proxy.http import proxy_errors
from winnow.proxy.http.reasons import Reason, WinnowAction
from winnow.proxy.tls.interception_policy import SparedReason

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
REASONS = (ROOT / "docs" / "reasons.md").read_text()
ROWS = dict(re.findall(r"^\| `([a-z-]+)` \| (.+) \|$", REASONS, re.MULTILINE))
FAULTS = [
    kind
    for kind in vars(proxy_errors).values()
    if isinstance(kind, type)
    and issubclass(kind, proxy_errors.ProxyError)
    and "reason" in vars(kind)
]


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_is_explained_in_the_programs_own_words(reason: Reason) -> None:
    assert ROWS[reason] == reason.meaning


@pytest.mark.parametrize("reason", [*SparedReason, "intercepted", "password", "too-many-failures"])
def test_every_reason_of_a_tunnel_and_of_the_gate_is_explained(reason: str) -> None:
    assert reason in ROWS


@pytest.mark.parametrize("action", WinnowAction)
def test_every_action_is_explained(action: WinnowAction) -> None:
    assert action in ROWS


@pytest.mark.parametrize(
    "reason", sorted({kind.reason for kind in FAULTS if kind is not proxy_errors.ProxyError})
)
def test_every_fault_of_an_origin_or_a_worker_is_explained(reason: str) -> None:
    assert reason in ROWS


@pytest.mark.parametrize("command", re.findall(r"winnow ([a-z]+)\b", README))
def test_every_command_that_the_readme_names_is_there(command: str) -> None:
    assert command in COMMANDS


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#:]+)\)", README))
def test_every_link_of_the_readme_leads_somewhere(link: str) -> None:
    assert (ROOT / link).exists()


def test_every_make_target_that_the_readme_names_is_there() -> None:
    targets = re.findall(r"`?make ([a-z-]+)", README)
    makefile = (ROOT / "Makefile").read_text()
    assert targets
    assert all(f"\n{target}:" in makefile for target in targets)


def test_every_complaint_about_a_request_is_explained() -> None:
    sources = [*ROOT.glob("proxy/**/*.py"), *ROOT.glob("engine/*.py")]
    words = {token for path in sources for token in re.findall(r'"(bad-[a-z]+)"', path.read_text())}
    words -= {"bad-certificate"}  # of TLS alerts, which go to the log
    named = {f"bad-{name}" for name in ("mode", "format", "profile")}
    assert {"bad-level", "bad-parameter"} <= words
    assert [token for token in words | named if f"`{token}`" not in REASONS] == []
