"""``winnow mcp``: the Model Context Protocol on stdio, answered by the running Winnow.

Each line is a message and goes to ``/-/mcp``. Stdout carries replies alone.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from threading import Lock
from typing import Final

from winnow.balancers import balancers_of
from winnow.config.server_settings import Server
from winnow.running_server import at, connection_to, declare_address, settings_of

KEY: Final = "WINNOW_MCP_KEY"
SECONDS: Final = 120.0
"""More than the settings' deadlines together."""
LARGEST: Final = 64 * 1024
_AT_ONCE: Final = 4
_VERSION: Final = "io.modelcontextprotocol/protocolVersion"
_FAILED: Final = -32000


def declare(parser: argparse.ArgumentParser) -> None:
    declare_address(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    server, writing = settings_of(arguments).server, Lock()

    def answer(line: bytes) -> None:
        if reply := replied(server, line):
            with writing:
                sys.stdout.buffer.write(reply + b"\n")
                sys.stdout.buffer.flush()

    with ThreadPoolExecutor(_AT_ONCE) as threads:
        while line := sys.stdin.buffer.readline(LARGEST):
            if line.strip():
                threads.submit(answer, line)
    return 0


def replied(server: Server, line: bytes) -> bytes:
    """The reply to a message, on one line; b"" where it wants none."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    asked = message if isinstance(message, dict) else {}
    try:
        status, kind, body = _posted(server, line, _fields(asked))
    except (OSError, HTTPException) as error:
        return _error(asked, f"Winnow at {at(server)} does not respond: {error}")
    if kind == "application/json" or not body:
        return body
    return _error(asked, f"{status}: {body.decode('utf-8', 'replace')[:500]}")


def _posted(server: Server, line: bytes, fields: dict[str, str]) -> tuple[int, str, bytes]:
    connection = connection_to(server, balancers_of(server), SECONDS)
    try:
        connection.request("POST", "/-/mcp", line, fields)
        response = connection.getresponse()
        return response.status, response.headers.get_content_type(), response.read()
    finally:
        connection.close()


def _fields(asked: dict[str, object]) -> dict[str, str]:
    """Those of the request: what the message says is repeated there, as 2026-07-28 has it."""
    params = asked.get("params")
    params = params if isinstance(params, dict) else {}
    meta = params.get("_meta")
    said = {
        "MCP-Protocol-Version": meta.get(_VERSION) if isinstance(meta, dict) else None,
        "Mcp-Method": asked.get("method"),
        "Mcp-Name": params.get("name"),
        "Authorization": f"Bearer {os.environ[KEY]}" if KEY in os.environ else None,
    }
    text = {name: value for name, value in said.items() if isinstance(value, str) and value}
    safe = {name: value for name, value in text.items() if value.isascii() and value.isprintable()}
    return {"Content-Type": "application/json", **safe}


def _error(asked: dict[str, object], message: str) -> bytes:
    if "id" not in asked:
        return b""
    failure = {"code": _FAILED, "message": message}
    return json.dumps({"jsonrpc": "2.0", "id": asked["id"], "error": failure}).encode()
