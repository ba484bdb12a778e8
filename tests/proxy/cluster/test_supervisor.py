"""The supervisor replaces processes that end or hang, and stops those that still start."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from winnow.proxy.cluster.supervisor import ProcessNotStartedError, Supervisor, SupervisorPlan

WORKER = """
import json, socket, sys, threading, time
side = socket.socket(fileno=int(sys.argv[-1]))
job = json.loads(socket.recv_fds(side, 1 << 20, 9)[0])["job"]
def say(**message): side.send(json.dumps(message).encode())
if job == "hang": time.sleep(600)
say(do="joins")
if job == "asks":
    say(do="ask", number=0, subject="others", payload={"subject": "figures", "payload": None})
    while json.loads(side.recv(1 << 20)).get("number") != 0: pass
say(do="begun", failure="no disk" if job == "fail" else "")
if job == "changed": say(do="reload")
def beat():
    while True: say(do="figures", payload={}); time.sleep(0.1)
threading.Thread(target=beat, daemon=True).start()
while (message := side.recv(1 << 20)) and json.loads(message)["do"] != "stop": pass
"""
COMMAND = (sys.executable, "-S", "-c", WORKER)


def no_sum(_figures: Any) -> None:
    return None


def plan(*jobs: str) -> SupervisorPlan:
    return SupervisorPlan(COMMAND, lambda number, _: jobs[number], no_sum, grace=600, silent=60)


@asynccontextmanager
async def supervised(made: SupervisorPlan) -> AsyncIterator[Supervisor]:
    supervisor = Supervisor(made)
    try:
        yield supervisor
    finally:
        await supervisor.stop()


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(120):
        while not holds():  # noqa: ASYNC110 - no event of another process reaches us
            await asyncio.sleep(0.02)


async def test_a_frozen_worker_is_replaced() -> None:
    """Issue 20, fault 7: it kept its place in the port's group for ever."""
    async with supervised(replace(plan("works", "works"), silent=2)) as supervisor:
        await supervisor.start(2)
        frozen = supervisor.pids[0]
        os.kill(frozen, signal.SIGSTOP)
        await until(lambda: frozen not in supervisor.pids and len(supervisor.pids) == 2)
        assert supervisor.restarts == 1


async def test_a_worker_that_ends_is_replaced() -> None:
    async with supervised(plan("works")) as supervisor:
        await supervisor.start(1)
        killed = supervisor.pids[0]
        os.kill(killed, signal.SIGKILL)
        await until(lambda: supervisor.pids and killed not in supervisor.pids)


async def test_a_worker_whose_settings_were_changed_has_all_reload() -> None:
    """It told its parent by SIGHUP, which is process 1 where the supervisor has just died."""
    reload = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, reload.set)
    async with supervised(plan("changed")) as supervisor, asyncio.timeout(60):
        await supervisor.start(1)
        await reload.wait()


async def test_a_stop_does_not_wait_for_a_worker_that_starts() -> None:
    """Issue 20, fault 5; with the fault this ends after the grace of ten minutes."""
    async with supervised(plan("works", "hang")) as supervisor:
        starting = asyncio.create_task(supervisor.start(2))
        await until(lambda: supervisor.pids)
        starting.cancel()
        async with asyncio.timeout(60):
            await supervisor.stop()


async def test_nobody_waits_for_the_reply_of_a_worker_that_starts() -> None:
    """Issue 20, fault 6: it asks the others while one of them does not read yet."""
    async with supervised(plan("works", "hang", "asks")) as supervisor:
        starting = asyncio.create_task(supervisor.start(3))
        await until(lambda: len(supervisor.pids) == 2)
        assert len(supervisor.hub.members) == 2
        starting.cancel()


async def test_the_error_of_the_first_start_is_raised() -> None:
    async with supervised(plan("fail")) as supervisor:
        with pytest.raises(ProcessNotStartedError, match="no disk"):
            await supervisor.start(1)
