"""``winnow mcp``: stdout has replies alone, whatever happens."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("lines", "numbers"),
    [
        (b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n', [1]),
        (b'{"jsonrpc":"2.0","id":"a","method":"ping"}\n\n{"jsonrpc":"2.0","method":"x"}\n', ["a"]),
        (b"\xff no message\n", []),
    ],
)
def test_without_a_server_each_request_gets_an_error(lines: bytes, numbers: list[object]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "winnow", "mcp", "--host", "127.0.0.1", "--port", "9"],
        input=lines,
        capture_output=True,
        timeout=60,
        check=False,
    )
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert [reply["id"] for reply in replies] == numbers
    assert all("127.0.0.1:9 does not respond" in reply["error"]["message"] for reply in replies)
