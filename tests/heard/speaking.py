#!/usr/bin/python3
"""An output module of speech-dispatcher that writes what it is told to say: lines of JSON.

Into the file that HEARD names; each message ends as soon as it began. The protocol is that of
speech-dispatcher's own modules (its documentation, "Output Modules Programming").
"""

import html
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

TAG = re.compile(r"<[^>]*>")
ANSWERS = {
    "INIT": ("299-Written\n299 OK LOADED SUCCESSFULLY", ""),
    "SET": ("203 OK RECEIVING SETTINGS", "203 OK SETTINGS RECEIVED"),
    "AUDIO": ("207 OK RECEIVING AUDIO SETTINGS", "203 OK AUDIO INITIALIZED"),
    "LOGLEVEL": ("207 OK RECEIVING LOGLEVEL SETTINGS", "203 OK LOGLEVEL SET"),
    "LIST": ("200-written\ten\tnone\n200 OK VOICE LIST SENT", ""),
    "QUIT": ("210 OK QUIT", ""),
}
"""To a command, and to the lines that follow it; all others are messages."""
SILENT = ("STOP", "PAUSE")
SPOKEN = ("202 OK RECEIVING MESSAGE", "200 OK SPEAKING\n701 BEGIN\n702 END")


def main() -> None:
    language = ""
    with Path(os.environ["HEARD"]).open("a", encoding="utf-8") as file:
        for line in iter(sys.stdin.readline, ""):
            command = line.split()[0] if line.strip() else "STOP"
            if command in SILENT:
                continue
            first, last = ANSWERS.get(command, SPOKEN)
            answer(first)
            lines = list(block()) if last else []
            if command == "SET":
                found = [each.removeprefix("language=") for each in lines if "language=" in each]
                language = found[-1] if found else language
            elif last is SPOKEN[1]:
                text = html.unescape(TAG.sub("", "\n".join(lines)))
                file.write(json.dumps([language, text]) + "\n")
                file.flush()
            if last:
                answer(last)


def answer(lines: str) -> None:
    sys.stdout.write(f"{lines}\n")
    sys.stdout.flush()


def block() -> Iterator[str]:
    """The lines up to one with a full stop alone."""
    for line in iter(sys.stdin.readline, ".\n"):
        if not line:
            return
        yield line.rstrip("\n").removeprefix(".")


if __name__ == "__main__":
    main()
