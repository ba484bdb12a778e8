"""``winnow setup``: records, links, names and folders that somebody else has made."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from tests.attack.attempts import Attempt
from tests.attack.worlds import World
from tests.programs import require_program

STAND_IN: Final = '#!/bin/sh\n[ "$1" = get ] && echo "\'none\'"\nexit 0\n'
RECORDS: Final[dict[str, Any]] = {
    "a program": [["touch", "{mark}"]],
    "a program by its path": [["/bin/sh", "-c", "touch {mark}"]],
    "a shell": [["sh", "-c", "touch {mark}"]],
    "behind our own script": [["sh", "-c", "true", "touch {mark}"]],
    "another setting": [["gsettings", "set", "org.gnome.shell", "enabled-extensions", "{mark}"]],
    "another key": [["gsettings", "set", "org.gnome.system.proxy", "ignore-hosts", "{mark}"]],
    "a writer elsewhere": [
        ["{bin}/../kwriteconfig6", "--file", "kioslaverc", "--group", "Proxy Settings", "--key",
         "ProxyType", "0"],
    ],
    "another file of KDE": [
        ["kwriteconfig6", "--file", "kdeglobals", "--group", "Proxy Settings", "--key",
         "ProxyType", "0"],
    ],
    "another file": [["rm", "-f", "{victim}"]],
    "a certificate of others": [["certutil", "-d", "sql:{bin}", "-D", "-n", "bank"]],
    "certutil as a writer": [["certutil", "-A", "-d", "sql:{bin}", "-n", "evil", "-i", "{victim}"]],
    "one good, one bad": [["update-ca-certificates", "--fresh"], ["touch", "{mark}"]],
    "no commands": [[]],
    "numbers": [[1, 2]],
    "words": ["touch {mark}"],
}  # fmt: skip
DAMAGED: Final = {
    "no JSON": "{", "a list of lists": "[[]]", "an object": '{"what": 1}', "null": "null",
    "no undoing": '[{"what": "x"}]', "deep": "[" * 5000, "binary": "\0\1",
}  # fmt: skip
LINKS: Final = ("winnow-ca.crt", "setup.json", "agent-ca.pem")
FOLDERS: Final = (
    "$(touch {mark})", "`touch {mark}`", "a; touch {mark}", "a\ntouch {mark}",
    "a' ; touch {mark} '", 'a" ; touch {mark} "', "a && touch {mark}", "a | touch {mark}",
    "-e", "a b", "\\", "*",
    "\u202e", "a\\'; touch {mark} #",
)  # fmt: skip
HOSTS: Final = (
    "a'b", "$(touch {mark})", "a;touch {mark}", "evil.example/", "evil.example#",
    "user@evil.example", "a\nb", "::1' 'x", "evil.example:80/?", "[::1",
)  # fmt: skip


class Place:
    """A user's home and data folder, stand-ins of programs, and what must not come."""

    def __init__(self, folder: Path, data: str = "data") -> None:
        self.home, self.bin = folder / "home", folder / "bin"
        self.mark, self.victim = folder / "mark", folder / "victim"
        self.data = folder / data.replace("/", "_")
        for each in (self.home, self.bin):
            each.mkdir(parents=True, exist_ok=True)
        self.victim.write_text("[]")
        for name in ("gsettings", "kwriteconfig6", "kreadconfig6", "update-ca-certificates"):
            program = self.bin / name
            program.write_text(STAND_IN if name == "gsettings" else "#!/bin/sh\nexit 0\n")
            program.chmod(0o755)
        for name in ("sh", "touch", "rm", "cp"):
            (self.bin / name).unlink(missing_ok=True)
            (self.bin / name).symlink_to(require_program(name))
        stray = folder / "kwriteconfig6"
        stray.write_text(f"#!/bin/sh\n{require_program('touch')} {self.mark}\n")
        stray.chmod(0o755)

    def filled(self, text: str) -> str:
        for name in ("mark", "bin", "victim"):
            text = text.replace(f"{{{name}}}", str(getattr(self, name)))
        return text

    async def run(self, *words: str, more: Mapping[str, str] = {}) -> tuple[str, str]:
        """What ``winnow`` prints and complains of."""
        environment = {
            "HOME": str(self.home),
            "PATH": str(self.bin),
            "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
            "DISPLAY": ":0",
            "WINNOW_STORAGE__FOLDER": str(self.data),
            "WINNOW_SERVER__PORT": "9",
            **more,
        }
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "winnow", *words),
            env=environment,
            cwd=self.home,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        said, complained = await process.communicate()
        return said.decode(errors="replace"), complained.decode(errors="replace")

    def harmed(self, complained: str = "") -> str:
        if self.mark.exists():
            return "a command of the attacker's was run"
        if not self.victim.exists() or self.victim.read_text() != "[]":
            return "another file was changed"
        return f"a traceback: {complained[-200:]!r}" if "Traceback" in complained else ""


def place(world: World, *words: object, data: str = "data") -> Place:
    return Place(world.folder / f"setup{abs(hash(words)):x}", data)


async def recorded(world: World, name: str) -> str:
    """A record of what is to be undone runs nothing but what this program writes there."""
    here = place(world, name)
    here.data.mkdir(parents=True)
    text = json.dumps([{"what": "proxy", "undo": RECORDS[name]}])
    (here.data / "setup.json").write_text(here.filled(text))
    _, complained = await here.run("setup", "--undo")
    return here.harmed(complained)


async def damaged(world: World, name: str) -> str:
    here = place(world, "damaged", name)
    here.data.mkdir(parents=True)
    (here.data / "setup.json").write_text(DAMAGED[name])
    for words in (("setup", "--undo"), ("setup",)):
        _, complained = await here.run(*words)
        if through := here.harmed(complained):
            return through
    return ""


async def linked(world: World, name: str, words: tuple[str, ...]) -> str:
    """A link that another user laid in the data folder is not written through."""
    here = place(world, "linked", name, words)
    here.data.mkdir(parents=True)
    (here.data / name).symlink_to(here.victim)
    _, complained = await here.run(*words)
    return here.harmed(complained)


async def evaluated(world: World, name: str) -> str:
    """What is printed for a shell sets variables and does no more, whatever the folder's name."""
    here = place(world, "evaluated", name)
    here.data = here.home / name.replace("{mark}", "mark")
    said, complained = await here.run("setup", "--agent")
    process = await asyncio.create_subprocess_exec(
        require_program("sh"), "-c", said, cwd=here.home, env={"PATH": str(here.bin)},
        stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    await process.wait()
    if "export" not in said:
        return f"nothing was set: {complained[-200:]}"
    return "a command was run" if (here.home / "mark").exists() else here.harmed(complained)


async def hosted(world: World, name: str) -> str:
    """A listener's name that closes a quote or leads elsewhere is no command and no setting."""
    here = place(world, "hosted", name)
    log = here.bin / "said"
    (here.bin / "gsettings").write_text(f'#!/bin/sh\necho "$@" >> {log}\necho "\'none\'"\n')
    said, complained = await here.run("setup", more={"WINNOW_SERVER__HOST": here.filled(name)})
    process = await asyncio.create_subprocess_exec(
        require_program("sh"), "-n", "-c", said, stderr=asyncio.subprocess.DEVNULL
    )
    await process.wait()
    for line in log.read_text().splitlines() if log.exists() else ():
        if "autoconfig-url" in line and line.startswith("set") and line.count("'") != 2:
            return f"GNOME is given {line!r}"
    return here.harmed(complained)


def attempts() -> Iterator[Attempt]:
    family = "winnow setup"
    for name in RECORDS:
        yield Attempt(family, f"a record of {name}", partial(recorded, name=name))
    for name in DAMAGED:
        yield Attempt(family, f"a record that is {name}", partial(damaged, name=name))
    for name in LINKS:
        for words in (("setup",), ("setup", "--agent")):
            run = partial(linked, name=name, words=words)
            yield Attempt(family, f"a link for {name}, {words[-1]}", run)
    for name in FOLDERS:
        yield Attempt(family, f"a folder {name!r}", partial(evaluated, name=name))
    for name in HOSTS:
        yield Attempt(family, f"a host {name!r}", partial(hosted, name=name))
