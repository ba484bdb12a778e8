"""Prints a container engine's seccomp profile, with what the sandbox of Winnow's browser needs.

    python3 deploy/rendering_seccomp.py /usr/share/containers/seccomp.json > winnow-rendering.json

Docker's own is in its sources (profiles/seccomp/default.json); podman's stands at the path above.
The browser puts each page's process into namespaces of its own, as an ordinary user: engines allow
that to none unless told.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ADDED = ("chroot", "clone", "clone3", "setns", "unshare")
"""System calls that make and enter namespaces; the kernel asks for capabilities within them."""


def with_namespaces(profile: Mapping[str, Any]) -> dict[str, Any]:
    """The profile with ``ADDED`` allowed whatever their arguments are; all else as it was."""
    kept = [_without(rule) for rule in profile.get("syscalls", ())]
    allowed = {"names": list(ADDED), "action": "SCMP_ACT_ALLOW"}
    return {**profile, "syscalls": [*(rule for rule in kept if rule["names"]), allowed]}


def _without(rule: Mapping[str, Any]) -> dict[str, Any]:
    return {**rule, "names": [name for name in rule["names"] if name not in ADDED]}


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1:
        sys.stderr.write("usage: rendering_seccomp.py PROFILE.json\n")
        return 2
    try:
        profile = json.loads(Path(arguments[0]).read_text("utf-8"))
    except (OSError, ValueError) as error:
        sys.stderr.write(f"rendering_seccomp.py: {arguments[0]}: {error}\n")
        return 1
    json.dump(with_namespaces(profile), sys.stdout, indent=1)
    sys.stdout.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
