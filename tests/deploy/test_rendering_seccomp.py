"""The seccomp profile for the image with a browser."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deploy.rendering_seccomp import ADDED, main, with_namespaces

PROFILE = {
    "defaultAction": "SCMP_ACT_ERRNO",
    "syscalls": [
        {"names": ["read", "clone"], "action": "SCMP_ACT_ALLOW"},
        {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38},
        {
            "names": ["bpf", "unshare", "setns"],
            "action": "SCMP_ACT_ALLOW",
            "includes": {"caps": ["CAP_SYS_ADMIN"]},
        },
    ],
}


def test_each_call_is_allowed_once_and_all_else_is_as_it_was() -> None:
    rules = with_namespaces(PROFILE)["syscalls"]
    names = [name for rule in rules for name in rule["names"]]
    assert sorted(names) == sorted(["read", "bpf", *ADDED])
    assert rules[0] == {"names": ["read"], "action": "SCMP_ACT_ALLOW"}
    assert rules[1]["includes"] == {"caps": ["CAP_SYS_ADMIN"]}
    assert rules[-1] == {"names": list(ADDED), "action": "SCMP_ACT_ALLOW"}
    assert with_namespaces(PROFILE)["defaultAction"] == "SCMP_ACT_ERRNO"


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "default.json"
    file.write_text(json.dumps(PROFILE))
    assert main([str(file)]) == 0
    assert json.loads(capsys.readouterr().out) == with_namespaces(PROFILE)


@pytest.mark.parametrize(("arguments", "status"), [([], 2), (["/nothing/here"], 1)])
def test_a_wrong_call_says_so(
    arguments: list[str], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == status
    assert "rendering_seccomp.py" in capsys.readouterr().err
