"""A day of browsing as a script: 80 navigations, with articles to read and tasks to do.

python -m tests.browser.day         # what went wrong, line by line; exit 1 if anything did
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.async_api import Error, Frame, Page

from tests.browser.day_sites import SUBJECTS, paragraphs
from tests.browser.day_town import visited_town

PATIENCE = 60_000
"""Milliseconds in which what a person looks for must be there, on a busy machine too."""


@dataclass
class Person:
    """Somebody at a tab; ``failures`` has what could not be read or done.

    ``detours`` has what could be done on the original only, one click away.
    """

    tab: Page
    navigations: int = 0
    failures: list[str] = field(default_factory=list)
    detours: list[str] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.watch()

    def watch(self) -> None:
        """Count the navigations of the tab."""
        self.tab.set_default_timeout(PATIENCE)
        self.tab.on("framenavigated", self._count)

    def _count(self, frame: Frame) -> None:
        self.navigations += frame == self.tab.main_frame

    async def open(self, url: str) -> None:
        begun = time.perf_counter()
        await self.tab.goto(url, wait_until="load")
        self.milliseconds.append((time.perf_counter() - begun) * 1000)

    async def _expect(self, texts: list[str], gone: str = "") -> None:
        shown = await self.tab.inner_text("body")
        lost = [text[:50] for text in texts if text not in shown]
        if lost or (gone and gone in shown):
            self.failures.append(f"{self.tab.url}: lost {lost}, or {gone!r} is still there")

    async def reads(self, subject: str) -> None:
        """The whole article, without the clutter around it."""
        await self._expect(paragraphs(subject), "Most read number 3")

    async def sees(self, *texts: str) -> None:
        await self._expect(list(texts))

    @asynccontextmanager
    async def trying(self, what: str) -> AsyncIterator[None]:
        """What cannot be done is noted, and the day goes on."""
        try:
            yield
        except Error as error:
            self.failures.append(f"{self.tab.url}: {what}: {str(error)[:60]}")

    async def press(self, selector: str) -> None:
        """Click what leads to another page."""
        async with (
            self.trying(f"press {selector}"),
            self.tab.expect_navigation(wait_until="load"),
        ):
            await self.tab.click(selector)

    async def looks_for(self, selector: str) -> None:
        """Unfold what is looked for; ask for the original where it is not on the page."""
        if not await self.tab.locator(selector).count():
            self.detours.append(f"{self.tab.url}: {selector}")
            await self.press("#winnow-bar a:has-text('Original')")
        elif not await self.tab.locator(selector).first.is_visible():
            await self.tab.click(f"details:has({selector}) > summary")

    async def send(self, button: str, fields: Mapping[str, str] | None = None) -> None:
        """Fill in the fields with these labels, and press the button."""
        async with self.trying("fill in"):
            await self.looks_for(f"button:has-text('{button}')")
            for label, value in (fields or {}).items():
                await self.tab.get_by_label(label, exact=True).fill(value)
            await self.press(f"button:has-text('{button}')")


async def morning(person: Person) -> None:
    """The news: 20 navigations."""
    await person.open("http://news.example/")
    await person.sees(*(f"The {each} opens" for each in SUBJECTS))
    await person.press("text=The ferry opens")
    await person.reads("ferry")
    for subject in SUBJECTS[1:12]:
        await person.open(f"http://news.example/{subject}")
        await person.reads(subject)
    await person.tab.go_back()
    await person.reads(SUBJECTS[10])
    await person.tab.reload()
    await person.reads(SUBJECTS[10])
    await person.press("#winnow-bar a:has-text('Original')")
    await person.sees("Most read number 3", "Winnow is off for this page")
    await person.tab.reload()
    await person.sees("Most read number 3")
    await person.press("#winnow-notice a:has-text('Read')")
    await person.reads(SUBJECTS[10])
    await person.send("Send comment", {"Your comment": "How good"})
    await person.sees("Thank you", "text=How good")


async def noon(person: Person) -> None:
    """Looking things up, some of it over HTTPS, and a cake: 20 navigations."""
    await person.open("https://docs.example/")
    for subject in SUBJECTS[:4]:
        await person.open(f"https://docs.example/guide/{subject}")
        await person.reads(subject)
    await person.press("#winnow-bar a:has-text('Original')")
    await person.sees("Most read number 3", "Winnow is off for this page")
    await person.press("#winnow-notice a:has-text('Read')")
    await person.reads(SUBJECTS[3])
    await person.open("http://forum.example/")
    await person.press("text=Where to swim?")
    await person.sees(paragraphs("ferry")[0], paragraphs("library")[1], "Dora")
    await person.send("Reply", {"Answer": "In the canal"})
    await person.sees("text=In the canal")
    await person.open("http://search.example/")
    await person.send("Go", {"Words": "bridge"})
    await person.press("text=The bridge opens")
    await person.reads("bridge")
    await person.tab.go_back()
    await person.sees("Results for bridge")
    await person.open("http://recipes.example/")
    await person.sees("300 g flour", "2 eggs", "1 kg plums", "Roll it out")
    await download(person)
    await play(person)


async def download(person: Person) -> None:
    await person.open("http://files.example/")
    await person.reads("report")
    async with person.trying("download"):
        await person.looks_for("text=Download the figures")
        async with person.tab.expect_download() as waiting:
            await person.tab.click("text=Download the figures")
        file = await (await waiting.value).path()
        if await asyncio.to_thread(Path(file).read_text) != "a,b\n1,2\n":
            person.failures.append("The download is not the file.")


async def play(person: Person) -> None:
    await person.open("http://radio.example/")
    await person.sees(*paragraphs("radio"))
    await person.looks_for("audio")
    length = await person.tab.evaluate(
        """async () => { const audio = document.querySelector('audio');
        if (!audio) return 0; await audio.play(); return audio.duration }"""
    )
    if length != 1:
        person.failures.append(f"The talk does not play: {length}")


async def afternoon(person: Person) -> None:
    """Over HTTPS: an account, a kettle, mail: 15 navigations."""
    await person.open("https://accounts.example/")
    await person.send("Log in", {"Name": "anna", "Password": "wrong"})
    await person.send("Log in", {"Name": "anna", "Password": "secret"})
    await person.sees("Hello anna")
    await person.open("https://accounts.example/signup")
    async with person.trying("agree"):
        await person.tab.check("input[name=agreed]")
    await person.send("Sign up", {"Name": "ben", "E-mail": "b@b.example", "Password": "long"})
    await person.open("https://accounts.example/inside")
    await person.sees("Hello anna")
    await person.open("https://shop.example/")
    await person.press("text=Copper kettle, 24.90")
    await person.sees("24.90")
    async with person.trying("choose how many"):
        await person.tab.select_option("select[name=many]", "2")
    await person.send("Add to cart")
    await person.press("text=To pay")
    card = {"Card number": "4111111111111111", "Expires": "12/30", "Security code": "123"}
    await person.send("Pay now", card)
    await person.open("https://mail.example/")
    async with person.trying("archive"):
        await person.tab.click("#archive")
        await person.tab.wait_for_selector("text=Archived")
    await person.open("http://guarded.example/")
    await person.send("I am human")


async def evening(person: Person) -> None:
    """More to read, and a look back: 8 navigations."""
    for subject in SUBJECTS[12:]:
        await person.open(f"http://news.example/{subject}")
        await person.reads(subject)
    await person.open("https://accounts.example/inside")
    await person.send("Log out")
    await person.open("http://winnow.internal/-/activity")
    await person.sees("news.example/ferry", "https://shop.example"[8:])


async def night(person: Person) -> None:
    """By telephone, whose browser runs no script: 23 navigations."""
    await person.open("http://news.example/theatre")
    await person.reads("theatre")
    await person.press("#winnow-bar a:has-text('Original')")
    await person.sees("Most read number 3", "Winnow is off for this page")
    await person.tab.reload()
    await person.sees("Most read number 3")
    await person.press("#winnow-notice a:has-text('Read')")
    await person.reads("theatre")
    await person.open("http://news.example/bakery")
    await person.tab.go_back()
    await person.reads("theatre")
    await person.send("Send comment", {"Your comment": "Well played"})
    await person.open("http://search.example/")
    await person.send("Go", {"Words": "canal"})
    await person.open("https://accounts.example/")
    await person.send("Log in", {"Name": "dora", "Password": "secret"})
    await person.sees("Hello dora")
    await person.open("https://accounts.example/signup")
    await person.send("Sign up", {"Name": "eve", "E-mail": "e@e.example", "Password": "longer"})
    await download(person)
    await play(person)
    await person.open("https://shop.example/kettle")
    await person.press("#winnow-bar a:has-text('Original')")
    await person.press("#winnow-notice a:has-text('Read')")
    await person.send("Add to cart")
    await person.press("text=To pay")
    card = {"Card number": "4000000000000002", "Expires": "1/31", "Security code": "9"}
    await person.send("Pay now", card)


TASKS = [
    "/comment text=How good",
    "/reply text=In the canal",
    "/results bridge",
    "/talk.wav",
    "/inside anna",
    "/signup name=ben, mail=b@b.example, word=long, agreed=on",
    "/inside anna",
    "/cart 2 kettle",
    "/pay card=4111111111111111, until=12/30, code=123",
    "/archive",
    "/human",
    "/inside anna",
    "/logout",
    "/comment text=Well played",
    "/results canal",
    "/inside dora",
    "/signup name=eve, mail=e@e.example, word=longer",
    "/talk.wav",
    "/cart 1 kettle",
    "/pay card=4000000000000002, until=1/31, code=9",
]
"""What the sites must have noted at the end of the day."""


async def whole_day(folder: Path) -> tuple[Person, list[str]]:
    """The person after the day, and the tasks that no site knows of."""
    async with visited_town(folder) as (town, browser):
        person = Person(await browser.new_page())
        for part in (morning, noon, afternoon, evening):
            await part(person)
        telephone = await browser.new_context(
            viewport={"width": 360, "height": 640}, java_script_enabled=False
        )
        person.tab = await telephone.new_page()
        person.watch()
        await night(person)
        return person, list((Counter(TASKS) - Counter(town.done)).elements())


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        person, lost = asyncio.run(whole_day(Path(folder)))
    detours = (f"on the original only: {line}" for line in person.detours)
    for line in (*person.failures, *(f"not done: {task}" for task in lost), *detours):
        sys.stdout.write(f"{line}\n")
    took, middle = time.perf_counter() - begun, sorted(person.milliseconds)
    sys.stdout.write(
        f"{person.navigations} navigations in {took:.0f} s, of pages opened the median "
        f"{middle[len(middle) // 2]:.0f} ms; {len(person.failures) + len(lost)} went wrong\n"
    )
    return bool(person.failures or lost)


if __name__ == "__main__":
    sys.exit(main())
