"""A newer process takes over: both sides of it.

The older one starts the newer one, which says ``opens`` before it opens a store. From then on the
older one accepts nothing and changes nothing stored, and passes its listening sockets themselves
(SCM_RIGHTS), in which connections wait until the newer one answers and says ``begun``. From then on
the newer one says what its settings let in (``admits``) to all that run still: it gets the older
one's sides of the channels to those before. Where it has ended, the latest of these reads that from
the settings itself, every few seconds.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import signal
import socket
import sys
from collections.abc import Callable, Coroutine, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Protocol

from winnow.compose.process.service_manager import inherited_sockets, notify
from winnow.config.errors import ConfigError
from winnow.config.settings import Settings
from winnow.data_folder import data_folder
from winnow.proxy.access.credentials.withdrawal import Admits, Tell, tell_nobody
from winnow.proxy.cluster.channel import Channel, Message, pair
from winnow.proxy.server.sockets import opened
from winnow.proxy.stores.files import note_process

_LOG = logging.getLogger("winnow.compose.process.succession")
FILE: Final = "WINNOW_HANDOVER_FILE"
"""The variable that names the newer one's side of the channel."""
START_SECONDS: Final = 120.0
ALONE_SECONDS: Final = 5.0
"""How often a process whose newer one has ended reads who is let in."""
Received = tuple[Message, list[int]]
_ENDED: Final[Received] = ({"do": "ended"}, [])


class Older(Protocol):
    """What can be taken over."""

    @property
    def sockets(self) -> Sequence[socket.socket]:
        """Those that it accepts from."""
        ...

    async def rest(self) -> None:
        """Accept nothing more and change nothing stored."""
        ...

    async def resume(self) -> None:
        """Go on after all."""
        ...

    def withdraw(self, later: Admits) -> None:
        """Break off what serves those who are not let in any more."""
        ...


@dataclass(frozen=True)
class Identity:
    """What both processes have in common: the instance's name, and the key of its forms, in hex."""

    name: str = field(default_factory=lambda: f"winnow-{secrets.token_hex(4)}")
    key: str = field(default_factory=lambda: secrets.token_hex(32))


def _line(side: socket.socket, tell: Tell = tell_nobody) -> tuple[Channel, asyncio.Queue[Received]]:
    """``tell`` hears what a newer process lets in; all else is in the queue."""
    inbox: asyncio.Queue[Received] = asyncio.Queue()

    def on_message(message: Message, files: list[int]) -> None:
        if message["do"] == "admits":
            tell(message["later"])
        else:
            inbox.put_nowait((message, files))

    return Channel(side, on_message, lambda: inbox.put_nowait(_ENDED)), inbox


def command() -> Sequence[str]:
    """This program's own command line: what is installed there now may be newer."""
    script = sys.argv[0]
    is_program = os.access(script, os.X_OK)
    return sys.argv if is_program else (sys.executable, *sys.orig_argv[1:])


async def hand_over(older: Older, this: Newer) -> str:
    """Have a newer process answer from now on; why it does not, "" if it does.

    ``older`` hears then what that lets in, and once it has ended what ``this.read`` reads.
    """
    ours, theirs = pair()
    with theirs:
        await _start(theirs)
    channel, inbox = _line(ours, older.withdraw)
    newer, (message, _) = 0, _ENDED
    try:
        async with asyncio.timeout(START_SECONDS):
            message, _ = await inbox.get()
            if message["do"] == "opens":
                newer = message["pid"]
                await older.rest()
                before = [each.fileno() for each in this.channels if each.fileno() >= 0]
                files = [each.fileno() for each in older.sockets]
                take = {"do": "take", **asdict(this.identity), "before": len(before)}
                channel.send(take, [*files, *before])
                message, _ = await inbox.get()
    except TimeoutError:
        if newer:  # one that has not opens nothing any more; 0 is our own process group
            with suppress(ProcessLookupError):
                os.kill(newer, signal.SIGKILL)
    finally:
        if message["do"] != "begun":
            channel.close()
    if message["do"] == "begun":
        notify(f"MAINPID={newer}")
        os.environ.pop("NOTIFY_SOCKET", None)  # from now on the newer one's
        this.beside.append(asyncio.create_task(_left_alone(inbox, older, this)))
        return ""
    await older.resume()
    return "the new process ended or did not answer; the log says why"


async def _left_alone(inbox: asyncio.Queue[Received], older: Older, this: Newer) -> None:
    """Once the newer process has ended: tell what the settings let in, here and to those before."""
    while (await inbox.get())[0]["do"] != "ended":
        continue
    _LOG.warning("The newer process has ended: this one reads itself who is let in.")
    while True:
        try:
            later = this.read()
        except ConfigError as error:
            _LOG.error("The settings were not applied: %s", error)
        else:
            older.withdraw(later)
            this.tell(later)
        await asyncio.sleep(ALONE_SECONDS)


async def _start(side: socket.socket) -> None:
    """Start it as a child of the system's first process, which will wait for it as for this one."""
    environment = {**os.environ, FILE: str(side.fileno())}
    environment.pop("WATCHDOG_PID", None)
    shell = ("/bin/sh", "-c", '"$@" &', "sh", *command())
    starter = await asyncio.create_subprocess_exec(
        *shell, pass_fds=[side.fileno()], env=environment
    )
    await starter.wait()


async def until_taken_over(
    older: Older,
    this: Newer,
    renew: asyncio.Event,
    note: Callable[[str], None],
    beside: Coroutine[Any, Any, None],
) -> None:
    """Do ``beside`` until a newer process has taken over, which is tried at each ``renew``.

    ``note`` is told why a try failed. Raises the error of ``beside``.
    """

    async def tries() -> None:
        while await renew.wait():
            renew.clear()
            _LOG.info("A new process starts to take over.")
            failure = await hand_over(older, this)
            if not failure:
                break
            _LOG.error("No hand-over: %s", failure)
            note(failure)
        _LOG.info("A new process has taken over; this one ends what has begun.")

    tasks = [asyncio.ensure_future(beside), asyncio.create_task(tries())]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        done.pop().result()
    finally:
        for each in tasks:
            each.cancel()


@dataclass(frozen=True)
class Newer:
    """This process, where it was started to take over, or by nobody of ours.

    ``read``: what the settings let in now. Raises ConfigError.
    """

    read: Callable[[], Admits]
    channels: Sequence[Channel] = ()
    """To those that were here before; the last one hands over."""
    identity: Identity = field(default_factory=Identity)
    sockets: Sequence[socket.socket] = ()
    beside: list[asyncio.Task[None]] = field(default_factory=list)

    @classmethod
    async def of(cls, environment: MutableMapping[str, str], read: Callable[[], Admits]) -> Newer:
        """The sockets of the older process, or systemd's. Raises OSError if the older one ended."""
        number = environment.pop(FILE, "")
        if not number:
            return cls(read, sockets=inherited_sockets(environment, os.getpid()))
        channel, inbox = _line(opened([int(number)])[0])
        channel.send({"do": "opens", "pid": os.getpid()})
        message, files = await inbox.get()
        if message["do"] != "take":
            raise ConnectionError("the process that was to hand over has ended")
        identity, taken = Identity(message["name"], message["key"]), opened(files)
        accepting = len(taken) - message["before"]
        before = (_line(each)[0] for each in taken[accepting:])
        return cls(read, (*before, channel), identity, taken[:accepting])

    def begun(self, admits: Admits) -> None:
        """Tell the older one and systemd that this one answers, and what it lets in."""
        for each in self.channels[-1:]:
            each.send({"do": "begun"})
        self.tell(admits)
        notify("READY=1")

    def tell(self, admits: Admits) -> None:
        """Tell those that still run what is let in now."""
        for each in self.channels:
            each.send({"do": "admits", "later": admits})


def noting(settings: Settings, identity: Identity) -> Callable[[str], None]:
    """Note in the data folder that this process answers; the result adds why no other does."""

    def note(failure: str = "") -> None:
        note_process(data_folder(settings), identity.name, f"{os.getpid()}\n{failure}")

    note()
    return note
