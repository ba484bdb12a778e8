"""``python -m tests.browser.listening_delay``: how soon an article is read, and what is marked.

Chromium shows an article of 2,000 words; a stand-in for its voices notes when it is asked to speak,
and what is marked then. No voice's own delay is in these figures.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Final

from tests.browser.test_listen import LOCAL, listening

_CLICK: Final = """() => new Promise(done => {
  const now = () => [...document.querySelectorAll(".now")].map(e => e.textContent).join("");
  const speech = window.speechSynthesis, play = document.getElementById("play");
  let first = 0, same = 0, all = 0, clicked = 0;
  speech.speak = spoken => {
    first = first || performance.now() - clicked;
    all += 1;
    same += spoken.text === now().trim() ? 1 : 0;
    setTimeout(() => { spoken.onend(new Event("end"));
      if (play.textContent === play.dataset.play) done([first, same, all]); });
  };
  play.addEventListener("click", event => { clicked = event.timeStamp; }, { capture: true });
  play.click(); })"""


async def main() -> None:
    paragraph = (
        f"<p>{' '.join(f'The river rose by {cm} cm, the town says.' for cm in range(5))}</p>"
    )
    page = f"<!doctype html><html lang=en><title>A story</title><article>{paragraph * 45}</article>"
    async with listening(LOCAL, story=page) as shown:
        first, same, spoken = await shown.evaluate(_CLICK)
    sys.stdout.write(
        f"first sentence {first:.0f} ms after the click; {same} of {spoken} sentences are the "
        "one that is marked when they begin\n"
    )


if __name__ == "__main__":
    asyncio.run(main())
