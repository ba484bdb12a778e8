"""A peer as a subject: lines over pipes, and what happens when it fails, hangs or dies."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from winnow.evaluation.errors import SubjectError
from winnow.evaluation.gold.packages import PackageEntry
from winnow.evaluation.peers.process import Process

PEER = """
import base64, json, os, sys, time
for line in sys.stdin:
    request = json.loads(line)
    text = base64.b64decode(request["html"]).decode()
    if text == "die":
        os._exit(3)
    if text == "hang":
        time.sleep(600)
    answer = {"error": "ValueError: no"} if text == "fail" else {"text": text, "seconds": 0.5}
    print(json.dumps(answer), flush=True)
"""


def page(text: str) -> PackageEntry:
    return PackageEntry("page", text.encode(), "", {"language": "en", "encoding_used": "utf-8"})


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Process]:
    (tmp_path / "peer.py").write_text(PEER)
    made = Process("peer", [sys.executable, str(tmp_path / "peer.py")], deadline=120)
    yield made
    made.close()


def test_a_page_is_answered_with_text_and_the_peer_s_own_clock(process: Process) -> None:
    answer = process.answer(page("hello"))
    assert (answer.text, answer.seconds) == ("hello", 0.5)


def test_a_failure_is_reported_and_the_process_lives_on(process: Process) -> None:
    with pytest.raises(SubjectError, match="ValueError: no"):
        process.answer(page("fail"))
    assert process.answer(page("next")).text == "next"


def test_a_death_is_reported_and_the_next_page_gets_a_new_process(process: Process) -> None:
    with pytest.raises(SubjectError, match="peer died over this page"):
        process.answer(page("die"))
    assert process.answer(page("next")).text == "next"


def test_a_hang_is_ended_at_the_deadline(process: Process) -> None:
    process.answer(page("first"))
    process.deadline = 0.05
    with pytest.raises(SubjectError, match=r"gave no answer within 0\.05 s"):
        process.answer(page("hang"))
    process.deadline = 120
    assert process.answer(page("next")).text == "next"


def test_a_command_that_does_not_start_is_reported() -> None:
    with pytest.raises(SubjectError, match="could not be started"):
        Process("ghost", ["no-such-command-here"]).answer(page("hello"))
