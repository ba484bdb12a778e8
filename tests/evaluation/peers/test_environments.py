"""Environments are made once, outside the tree, and asked for by what they hold."""

import sys
import threading
from pathlib import Path

import pytest

from winnow.evaluation.errors import SubjectError
from winnow.evaluation.peers import environments
from winnow.evaluation.peers.catalogue import PEERS as CATALOGUE
from winnow.evaluation.peers.catalogue import Peer, PeerKind, named
from winnow.evaluation.peers.runner import PEERS as RUN

PEER = Peer("trafilatura", ("trafilatura==1",))


def recorded(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    calls: list[list[str]] = []
    monkeypatch.setattr(environments, "_run", lambda _peer, arguments: calls.append(arguments))
    return calls


def test_an_environment_is_made_at_the_first_asking_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = recorded(monkeypatch)
    first = environments.command(PEER, tmp_path)
    assert [call[1:3] for call in calls] == [["-m", "venv"], ["-m", "pip"]]
    assert calls[1][-1] == "trafilatura==1"
    assert environments.command(PEER, tmp_path) == first
    assert len(calls) == 2
    assert first[0].startswith(str(tmp_path / "trafilatura-"))


def test_two_that_need_a_peer_at_once_make_its_environment_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second waits: it would else take the first's folder away and both would fail."""
    calls: list[list[str]] = []
    other = threading.Thread(target=environments.home_of, args=(PEER, tmp_path))

    def install(_peer: Peer, arguments: list[str]) -> None:
        calls.append(arguments)
        if not other.ident:
            other.start()
            other.join(0.2)

    monkeypatch.setattr(environments, "_run", install)
    environments.home_of(PEER, tmp_path)
    other.join()
    assert len(calls) == 2


def test_other_requirements_are_another_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(monkeypatch)
    newer = Peer("trafilatura", ("trafilatura==2",))
    assert environments.command(PEER, tmp_path)[0] != environments.command(newer, tmp_path)[0]


def test_a_node_peer_is_installed_by_npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = recorded(monkeypatch)
    peer = Peer("readability-js", ("@mozilla/readability@1", "jsdom@2"), PeerKind.NODE)
    node, script, dom = environments.command(peer, tmp_path)
    assert (node, dom) == ("node", "jsdom")
    assert Path(script).is_file()
    assert calls[0][0] == "npm"


def test_a_failed_installation_is_reported() -> None:
    peer = Peer("broken", ())
    with pytest.raises(SubjectError, match="broken could not be installed: no"):
        environments._run(peer, [sys.executable, "-c", "raise SystemExit('no')"])
    with pytest.raises(SubjectError, match="broken needs no-such-program"):
        environments._run(peer, ["no-such-program"])


def test_every_peer_of_the_catalogue_can_be_run() -> None:
    listed = {peer.name for peer in CATALOGUE if peer.kind is PeerKind.PYTHON}
    assert listed | {"winnow"} == set(RUN)


def test_an_unknown_peer_is_answered_with_the_known_ones() -> None:
    with pytest.raises(SubjectError, match="There is no peer tral: the peers are trafilatura"):
        named("tral")
