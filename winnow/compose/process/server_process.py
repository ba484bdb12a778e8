"""One of several server processes: the proxy on the supervisor's sockets; ends when that does."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from winnow.commands.serve import runner
from winnow.compose.process import logs
from winnow.compose.process.service import freeze_heap, reloaded
from winnow.compose.process.shares import SharedState
from winnow.compose.running import Running, listening
from winnow.config.errors import ConfigError
from winnow.config.sources.settings_source import SettingsSource
from winnow.config.sources.source_precedence import Loaded
from winnow.feature_list import sections_of
from winnow.jobs.job_types import JobError
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.cluster.bus import MessageLine, ProcessBus
from winnow.proxy.cluster.channel import Channel, Message
from winnow.proxy.http.proxy_errors import ProxyError
from winnow.proxy.server.sockets import opened
from winnow.proxy.stores.store_errors import StoreError
from winnow.proxy.tls.tls_errors import TlsError

EVERY: Final = 2.0
"""Seconds between reports of figures to the supervisor."""
_REPORTED: Final = (ConfigError, JobError, OSError, ProxyError, StoreError, TlsError)
Received = tuple[Message, list[int]]
STOP: Final[Received] = ({"do": "stop"}, [])


async def work(side: socket.socket) -> None:
    """Follow the messages at ``side``, until it says stop or is closed."""
    inbox: asyncio.Queue[Received] = asyncio.Queue()

    def on_message(message: Message, files: list[int]) -> None:
        if not line.take(message):
            inbox.put_nowait((message, files))

    channel = Channel(side, on_message, lambda: inbox.put_nowait(STOP))
    line = MessageLine(channel.send)
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, inbox.put_nowait, STOP)
    message, files = await inbox.get()
    if message["do"] == "serve":
        try:
            await serve(message["job"], opened(files), channel, line, inbox)
        except _REPORTED as error:
            channel.send({"do": "begun", "failure": str(error)})
    channel.close()


async def serve(
    job: Message,
    sockets: Sequence[socket.socket],
    channel: Channel,
    line: MessageLine,
    inbox: asyncio.Queue[Received],
) -> None:
    """The proxy from its settings to its end. Raises what ``listening`` raises."""
    source, bus = source_of(job), ProcessBus(line)
    tokens, loaded = FormTokens(bytes.fromhex(job["key"])), source.load()
    reload_all = partial(channel.send, {"do": "reload"})
    shared = SharedState(job["name"], tokens, bus, job["processes"], source, reload_all)
    channel.send({"do": "joins"})  # before the stores are read: later changes are not missed
    async with listening(loaded.settings, None, loaded.origins, shared, sockets) as proxy:
        line.subscribe("reload", lambda processes: reloaded(proxy, source.load, processes))
        line.subscribe("rest", lambda _: proxy.rest())
        line.subscribe("resume", lambda _: proxy.resume())
        line.subscribe("leave", lambda _: proxy.leave())
        sending = asyncio.create_task(_send_figures(proxy, channel))
        beginning = asyncio.create_task(_begin(proxy, channel))
        await _accept_until_stopped(proxy, inbox)
        for task in (sending, beginning):
            task.cancel()
    channel.send(figures(proxy))


def source_of(job: Message) -> SettingsSource:
    """The supervisor's source of settings; loading them sets up this process's log."""

    def configure_log(loaded: Loaded) -> None:
        server = loaded.settings.server
        logs.configure(server.log_level, server.log_format, process=job["number"])

    config = Path(job["config"]) if job["config"] else None
    return SettingsSource(config, job["flags"], configure_log, sections_of)


async def _accept_until_stopped(proxy: Running, inbox: asyncio.Queue[Received]) -> None:
    """Accept for processes that have ended, until the message to stop."""
    while True:
        message, files = await inbox.get()
        match message["do"]:
            case "adopt":
                proxy.listening.accept(opened(files), group=1 + message["number"])
            case "release":
                proxy.listening.leave(1 + message["number"])
            case "withdraw":
                proxy.withdraw(message["later"])
            case "drain":
                proxy.state.handover.drain()
            case "stop":
                return


async def _begin(proxy: Running, channel: Channel) -> None:
    await proxy.begin(proxy.loaded.settings.extraction.start_seconds)
    freeze_heap()
    channel.send({"do": "begun"})


async def _send_figures(proxy: Running, channel: Channel) -> None:
    while True:
        await asyncio.sleep(EVERY)
        channel.send(figures(proxy))


def figures(proxy: Running) -> dict[str, Any]:
    """The counts as a message without an answer."""
    return {"do": "figures", "payload": proxy.state.observability.lasting()}


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all; the supervisor sends stop
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    number = int(sys.argv[1])
    os.set_inheritable(number, False)
    runner()(work(socket.socket(fileno=number)))


if __name__ == "__main__":
    main()
