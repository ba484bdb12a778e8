"""What a browser without its sandbox says."""

from __future__ import annotations

import pytest

from winnow.chromium.errors import names_sandbox


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("[FATAL:zygote_host_impl_linux.cc:128] No usable sandbox! If you are running on", True),
        ("Failed to move to new namespace: PID namespaces supported", True),
        ('Check failed: sys_chroot("/proc/self/fdinfo/") == 0', True),
        ("[FATAL:zygote_host_impl_linux.cc:221] Check failed: . : No such file", True),
        ("Trace/breakpoint trap", False),
        ("net::ERR_PROXY_CONNECTION_FAILED", False),
    ],
)
def test_lines_of_real_browsers(line: str, wanted: bool) -> None:
    assert names_sandbox(line) is wanted
