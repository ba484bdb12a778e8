"""``python -m tests.attack.guards``: remove each guard once and see the test named for it fail.

Each guard is a small edit of one file. It is made in a copy of the tree, compiled parts included,
and the test is run there; first once in a copy without an edit, where it must pass.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
SKIPPED: Final = shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache", "build")
SECONDS: Final = 300
ATTACK: Final = "tests/attack/test_attack.py::test_nothing_gets_through"


@dataclass(frozen=True)
class Guard:
    """``old`` stands once in ``file`` and is replaced by ``new``; ``test`` must fail then."""

    name: str
    file: str
    old: str
    new: str
    test: str


GUARDS: Final = (
    Guard(
        "control characters in addresses",
        "proxy/http/origins.py",
        r'_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")',
        '_CONTROL: Final = re.compile(r"(?!)")',
        "tests/proxy/http/test_origins.py",
    ),
    Guard(
        "line ends in heads",
        "proxy/http/messages.py",
        'if text.count("\\n") != lines or text.count("\\r") != lines or "\\0" in text:',
        "if False:",
        "tests/proxy/http/test_messages.py",
    ),
    Guard(
        "requests of other sites",
        "proxy/access/own_faces.py",
        "if _is_of_another_site(request) or (",
        "if (",
        f"{ATTACK}[framing and CORS]",
    ),
    Guard(
        "requests of other sites, seen from outside",
        "proxy/access/own_faces.py",
        "return Allowed(Reach.CLIENT if _is_for_the_client(request) else Reach.PUBLIC)",
        "return Allowed(Reach.CLIENT)",
        f"{ATTACK}[SSRF spellings]",
    ),
    Guard(
        "WebSockets of other sites",
        "proxy/access/own_faces.py",
        "or (request.is_upgrade and not _may_upgrade(request))",
        "or False",
        "tests/docs/test_own_faces.py",
    ),
    Guard(
        "names that are not ours",
        "proxy/access/own_faces.py",
        "    if not request.is_own_host:\n",
        "    if False:\n",
        f"{ATTACK}[own pages by a foreign Host]",
    ),
    Guard(
        "foreign Origin of forms",
        "proxy/access/own_faces.py",
        "    if _has_foreign_origin(request):",
        "    if False:",
        "tests/docs/test_own_faces.py",
    ),
    Guard(
        "the address that is connected to is permitted",
        "proxy/upstream/connector.py",
        "allowed = [info for info in found if permit(peer_address(info[4]), origin.port)]",
        "allowed = list(found)",
        f"{ATTACK}[DNS rebinding]",
    ),
    Guard(
        "ports of mail and databases",
        "proxy/upstream/connector.py",
        "if origin.port in self._refused_ports:",
        "if False:",
        f"{ATTACK}[CONNECT to odd ports]",
    ),
    Guard(
        "common names in certificates",
        "proxy/http/client_context.py",
        "context.hostname_checks_common_name = False",
        "context.hostname_checks_common_name = True",
        "tests/proxy/http/test_client_context.py",
    ),
    Guard(
        "Set-Cookie in a shared cache",
        "proxy/caching/storing.py",
        "return reply.without(SET_COOKIE)",
        "return reply",
        "tests/proxy/caching/test_shared_rules.py",
    ),
    Guard(
        "lifetimes guessed for requests with a cookie",
        "proxy/caching/storing.py",
        "return not _has_credentials(request) or _has_lifetime(stored)",
        "return True",
        "tests/proxy/caching/test_shared_rules.py",
    ),
    Guard(
        "keep and drop in the fingerprint",
        "jobs/rendering_key.py",
        '        ("MethodOptions", "ads"):',
        '        ("Recipe", "keep"): "", ("Recipe", "drop"): "",\n'
        '        ("MethodOptions", "ads"):',
        "tests/jobs/test_rendering_key.py",
    ),
    Guard(
        "part size in the fingerprint",
        "jobs/rendering_key.py",
        '        ("MethodOptions", "ads"):',
        '        ("PartLimits", "size"): "",\n        ("MethodOptions", "ads"):',
        "tests/jobs/test_rendering_key.py",
    ),
    Guard(
        "the worker's memory",
        "engine/worker.py",
        "    bound_memory(options.max_memory)\n",
        "",
        "tests/winnow/test_worker_memory.py",
    ),
    Guard(
        "guessing of passwords, by /64",
        "proxy/access/request_head.py",
        "return str(IPv6Address(int(parsed) >> _NETWORK_BITS << _NETWORK_BITS))",
        "return address",
        "tests/proxy/access/test_authentication.py",
    ),
    Guard(
        "content codings in a row",
        "proxy/http/content_coding.py",
        "if len(codings) > MAX_CODINGS:",
        "if False:",
        "tests/proxy/http/test_content_coding.py",
    ),
    Guard(
        "the bound of a head",
        "proxy/server/connection.py",
        "if self._head > MAX_HEAD:",
        "if False:",
        "tests/proxy/server/test_request_parser.py",
    ),
    Guard(
        "icons of refused pages",
        "proxy/decisions/routing.py",
        "if own.path in _OURS or own",
        'if own.path == "/" or own',
        "tests/proxy/decisions/test_routing.py",
    ),
    Guard(
        "pages that cost the parser too much",
        "document/parse.py",
        "    if limit:\n",
        "    if False:\n",
        "tests/document/test_parser_limits.py",
    ),
    Guard(
        "records of a ClientHello",
        "proxy/tls/client_hello.py",
        "if records > MAX_RECORDS:",
        "if False:",
        "tests/proxy/tls/test_client_hello.py",
    ),
    Guard(
        "trailers without end",
        "proxy/upstream/response_parser.py",
        "if self._trailer_size > MAX_HEAD:",
        "if False:",
        "tests/proxy/upstream/test_response_parser.py",
    ),
    Guard(
        "half-closed tunnels",
        "proxy/forwarding/tunnel.py",
        "limit = limits.idle if len(pending) == len(ways) else limits.half_closed",
        "limit = limits.idle",
        "tests/proxy/forwarding/test_tunnel.py",
    ),
    Guard(
        "clients that read nothing",
        "proxy/server/sockets.py",
        "connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(seconds * 1000))",
        "del connection, seconds",
        "tests/proxy/server/test_slow_clients.py",
    ),
    Guard(
        "two instances on one data folder",
        "proxy/stores/files.py",
        "            notices.add(_SHARED)\n",
        "            pass\n",
        "tests/proxy/stores/test_two_instances.py",
    ),
)


def edited(guard: Guard, tree: Path) -> None:
    """Raises ValueError if the guard's text does not stand in its file exactly once."""
    file = tree / guard.file
    text = file.read_text()
    if text.count(guard.old) != 1:
        raise ValueError(f"{guard.file} holds {guard.old!r} {text.count(guard.old)} times")
    file.write_text(text.replace(guard.old, guard.new))


def code(guard: Guard, folder: Path, *, removed: bool) -> int:
    """How pytest ended: 0 if all tests passed, 1 if some failed, else none was run."""
    tree = folder / "tree"
    shutil.copytree(ROOT, tree, ignore=SKIPPED, symlinks=True)
    try:
        if removed:
            edited(guard, tree)
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", guard.test]
        environment = {**os.environ, "PYTHONPATH": str(tree)}
        run = subprocess.run(
            command, cwd=tree, env=environment, capture_output=True, timeout=SECONDS, check=False
        )
        return run.returncode
    finally:
        shutil.rmtree(tree)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.attack.guards", description=__doc__)
    parser.add_argument("name", nargs="*", help="only guards whose name holds this")
    chosen = parser.parse_args().name
    unnoticed = 0
    for guard in GUARDS:
        if chosen and not any(word in guard.name for word in chosen):
            continue
        with tempfile.TemporaryDirectory(prefix="winnow-guards-") as folder:
            codes = [code(guard, Path(folder), removed=removed) for removed in (False, True)]
        unnoticed += codes != [0, 1]
        verdict = "fails" if codes == [0, 1] else f"{codes}"
        sys.stdout.write(f"{guard.name:<46}{guard.file:<34}{verdict:<8}{guard.test}\n")
        sys.stdout.flush()
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
