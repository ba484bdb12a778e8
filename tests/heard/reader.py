# mypy: ignore-errors
# Orca, pyatspi and speechd are the system's, without types.
"""Starts Orca with the settings in a folder (its argument). Run by the system's Python, as Orca is.

Orca finds out the language of what it says and asks for a voice of it, and then says it in its
default voice: "other arguments can be passed in for future decision making" (its speech_generator).
Here the voice that it asked for is used. Noted in the file HEARD, as if they were languages: what
begins and ends reading a page, and a control of which its kind alone is said.
"""

import json
import os
import sys
import threading
from pathlib import Path

import pyatspi
from orca import orca, speech, speech_generator, speechserver
from orca.acss import ACSS
from orca.scripts.web.speech_generator import SpeechGenerator
from speechd.client import _CallbackHandler

CONTROLS = {
    pyatspi.ROLE_LINK, pyatspi.ROLE_PUSH_BUTTON, pyatspi.ROLE_TOGGLE_BUTTON, pyatspi.ROLE_ENTRY,
    pyatspi.ROLE_COMBO_BOX, pyatspi.ROLE_CHECK_BOX, pyatspi.ROLE_RADIO_BUTTON, pyatspi.ROLE_SLIDER,
}  # fmt: skip
asked = speech_generator.SpeechGenerator.voice
generated = SpeechGenerator.generateSpeech
read = speech.sayAll
told, added = _CallbackHandler.__call__, _CallbackHandler.add_callback
early, lock = {}, threading.RLock()


def voice(self, key=None, **given):
    [found] = asked(self, key, **given)
    if language := given.get("language"):
        family = {speechserver.VoiceFamily.LANG: language}
        found[ACSS.FAMILY] = speechserver.VoiceFamily(family)
    return [found]


def controls(self, obj, **given):
    found = generated(self, obj, **given)
    kind = self.getLocalizedRoleName(obj)
    words = list(spoken(found))
    if words and obj.getRole() in CONTROLS and not any(each != kind for each in words):
        note("nameless", kind)
    return found


def note(*words):
    with Path(os.environ["HEARD"]).open("a", encoding="utf-8") as file:
        file.write(json.dumps(words) + "\n")


def whole(lines):
    note("begin", "")
    yield from lines
    note("end", "")


def spoken(found):
    """The texts of nested lists in which voices stand too."""
    for each in found:
        if isinstance(each, str):
            yield each
        elif isinstance(each, list):
            yield from spoken(each)


def tell(self, number, *event, **given):
    """A message that ends at once may end before its client listens: speechd loses that event."""
    with lock:
        if number in self._callbacks:
            told(self, number, *event, **given)
        else:
            early.setdefault(number, []).append((event, given))


def add(self, number, *listener):
    with lock:
        added(self, number, *listener)
        for event, given in early.pop(number, ()):
            told(self, number, *event, **given)


_CallbackHandler.__call__, _CallbackHandler.add_callback = tell, add
speech_generator.SpeechGenerator.voice = voice
SpeechGenerator.generateSpeech = controls
speech.sayAll = lambda lines, progress: read(whole(lines), progress)
orca.getSettingsManager().activate(sys.argv[1], {"enableBraille": False, "enableSound": False})
sys.path.insert(0, sys.argv[1])
sys.exit(orca.main())
