"""Sockets that another process passed are this one's alone, and no call of theirs waits."""

from __future__ import annotations

import os
import socket

from winnow.proxy.server.sockets import opened


def test_passed_sockets_neither_wait_nor_go_to_child_processes() -> None:
    with socket.create_server(("127.0.0.1", 0)) as own:
        number = os.dup(own.fileno())
        os.set_inheritable(number, True)  # as one is that was passed
        (passed,) = opened([number])
        with passed:
            assert not passed.getblocking()
            assert not passed.get_inheritable()
            assert passed.getsockname() == own.getsockname()
