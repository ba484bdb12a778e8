"""The server process never loads a parser, arrays or a method: workers do the page work."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Set

RUN = """
import asyncio, tempfile
from dataclasses import replace
from pathlib import Path
from winnow.config.settings import Settings
from winnow.compose.running import serve

async def run(folder):
    plain = Settings()
    storage = replace(plain.storage, folder=Path(folder))
    server = replace(plain.server, port=0)
    async with serve(replace(plain, server=server, storage=storage)) as proxy:
        {run}

with tempfile.TemporaryDirectory() as folder:
    asyncio.run(run(folder))
"""
GET = (
    """
        page = b"<title>A river</title><article>" + b"<p>The river rose, the town says.</p>" * 30
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        head = "POST /-/api/extract?format=text HTTP/1.1\\r\\nHost: localhost"
        head += f"\\r\\nConnection: close\\r\\nContent-Length: {{len(page)}}\\r\\n\\r\\n"
        writer.write(head.encode() + page)
        assert b"The river rose" in await reader.read()
        writer.close()
""".strip()
    .replace("{{", "{")
    .replace("}}", "}")
)
SELDOM = {
    "bs4",
    "lxml",
    "PIL",
    "asyncio",
    "winnow.features.books.binding",
    "winnow.features.compare.comparing",
    "winnow.features.why.explaining",
}
"""What a worker needs for other jobs than pages to be transformed."""
HEAVY = {
    "numpy",
    "cryptography",
    "lxml",
    "selectolax",
    "PIL",
    "winnow.document.document",
    "winnow.engine.pipeline",
    "winnow.extractors.base",
    "winnow.extractors.auto.auto_extractor",
}


def loaded_after(code: str, modules: Set[str] = HEAVY) -> set[str]:
    """Which of the modules a fresh Python holds after it ran this."""
    told = f"{code}\nimport sys\nprint(*({set(modules)!r} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_what_answers_holds_no_parser() -> None:
    assert loaded_after("import winnow.compose.running") == set()


def test_a_proxy_that_runs_holds_none_either() -> None:
    assert loaded_after(RUN.format(run="pass")) == set()


def test_a_page_is_extracted_without_them() -> None:
    assert loaded_after(RUN.format(run=GET)) == set()


TRANSFORMED = """
from winnow.document.values import Page, Recipe
from winnow.engine.worker import load, run_job
from winnow.jobs.page_jobs import TransformJob
from winnow.jobs.quality import QualityLimits
load("auto")
page = b"<title>A river</title><article>" + b"<p>The river rose, the town says.</p>" * 30
run_job(TransformJob(Page(page, "http://a.example/"), Recipe()), QualityLimits())
"""


def test_a_worker_transforms_a_page_without_what_other_jobs_need() -> None:
    assert loaded_after(TRANSFORMED, SELDOM) == set()
