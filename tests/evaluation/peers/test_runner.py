"""The script that runs in a peer's environment: requests, answers, and how pages are decoded."""

import base64
import json
import subprocess
import sys
from pathlib import Path

import pytest

from winnow.evaluation.peers import runner
from winnow.evaluation.peers.runner import PeerRequest, answered


def line(body: bytes, **told: str | None) -> str:
    known = {"url": None, "language": None, "encoding": None} | told
    return json.dumps({"html": base64.b64encode(body).decode(), **known})


def test_the_answer_has_text_and_seconds() -> None:
    answer = answered(lambda request: request.markup.upper(), line(b"<p>hi"))
    assert answer["text"] == "<P>HI"
    assert isinstance(answer["seconds"], float)


def test_a_peer_s_failure_is_an_answer() -> None:
    def failing(_request: PeerRequest) -> str:
        raise ValueError("no")

    assert answered(failing, line(b"")) == {"error": "ValueError: no"}


@pytest.mark.parametrize(
    ("body", "encoding", "expected"),
    [
        ("naïve".encode(), None, "naïve"),
        ("中文".encode("gb18030"), "gb18030", "中文"),
        (b"\xff", "utf-8", "\ufffd"),
        (b'<?xml version="1.0" encoding="utf-8"?><html>', "utf-8", "<html>"),
    ],
)
def test_markup_is_rightly_decoded(body: bytes, encoding: str | None, expected: str) -> None:
    assert PeerRequest(body, None, None, encoding).markup == expected


@pytest.mark.parametrize(
    ("body", "language", "expected"),
    [
        (b"<html lang='de-AT'>", "fr", "fr"),
        (b"<html class=x lang=de-AT>", None, "de"),
        (b"<p>", None, "en"),
    ],
)
def test_the_language_is_given_or_declared_or_english(
    body: bytes, language: str | None, expected: str
) -> None:
    assert PeerRequest(body, None, language, None).tongue == expected


def test_as_a_program_it_answers_lines_and_keeps_chatter_away(tmp_path: Path) -> None:
    (tmp_path / "inscriptis.py").write_text(
        "def get_text(markup):\n    print('chatter')\n    return markup[3:]\n"
    )
    program = [sys.executable, str(runner.__file__), "inscriptis"]
    done = subprocess.run(
        program,
        input=line(b"<p>one") + "\n" + line(b"<p>two") + "\n",
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(tmp_path)},
    )
    assert [json.loads(answer)["text"] for answer in done.stdout.splitlines()] == ["one", "two"]
    assert done.stderr.split() == ["chatter", "chatter"]
